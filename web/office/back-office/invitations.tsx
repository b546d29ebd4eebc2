import type { FormEvent } from 'react';
import { say } from '../../languages/say.ts';
import { sayWith } from '../../languages/say-with.ts';
import { formatTime } from '../../lib/format.ts';
import { type FragmentOf, graphql } from '../../lib/graphql.ts';
import { requestGraphql } from '../../lib/request-graphql.ts';
import { useHydrated } from '../../lib/use-hydrated.ts';
import { ActButton, readValues, useAct } from '../../ui/act-button.tsx';
import { ChangeFailure } from '../../ui/change-failure.tsx';
import { Field } from '../../ui/field.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import type { Acting } from './operator-frame.tsx';

export const invitationFields = graphql(
  'fragment InvitationFields on Invitation { id email role expiresAt }',
);

type Invitation = FragmentOf<typeof invitationFields>;

interface InvitationsProps extends Acting {
  invitations: { items: Invitation[]; nextToken: string | null };
}

/** Who is invited and has not come yet, and a form to invite others. */
export function Invitations({ invitations: { items, nextToken }, ...acting }: InvitationsProps) {
  return (
    <div className="space-y-5">
      <div className="card px-6 py-5">
        <InviteForm {...acting} />
      </div>
      {items.length === 0 && <p className="text-muted">{say('No open invitations.')}</p>}
      {items.length > 0 && (
        <ul className="card divide-y divide-line">
          {items.map((invitation) => (
            <InvitationRow invitation={invitation} key={invitation.id} {...acting} />
          ))}
        </ul>
      )}
      {nextToken && <p className="text-muted">{say('There are more; these were sent last.')}</p>}
    </div>
  );
}

const invite = graphql(`
  mutation Invite($email: String!, $role: String!) {
    inviteAccount(email: $email, role: $role) { id }
  }
`);

/** What an operator types to invite somebody. */
export function InviteForm({ config, onDone }: Acting) {
  const hydrated = useHydrated();
  const { busy, error, run } = useAct({
    act: ({ email = '', role = '' }) => requestGraphql(config, invite, { email, role }),
    onDone: () => onDone(say('The invitation is on its way.')),
  });

  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    if (await run(readValues(form))) form.reset();
  }

  return (
    <form onSubmit={send}>
      <div className="flex flex-wrap items-end gap-3">
        <Field
          className="min-w-0 flex-1 basis-64"
          label={say('Email address to invite')}
          maxLength={254}
          name="email"
          required
          type="email"
        />
        <SelectField
          label={say('To')}
          name="role"
          options={{ seller: say('Sell here'), operator: say('Help run the site') }}
        />
        <button
          aria-busy={busy}
          className="button button-secondary"
          disabled={!hydrated || busy}
          type="submit"
        >
          {say(busy ? 'Inviting...' : 'Invite')}
        </button>
      </div>
      <ChangeFailure error={error} />
    </form>
  );
}

const revoke = graphql('mutation RevokeInvitation($id: ID!) { revokeInvitation(id: $id) }');

function InvitationRow({ invitation, config, onDone }: Acting & { invitation: Invitation }) {
  const { id, email, role, expiresAt } = invitation;
  return (
    <li className="dashboard-row">
      <div className="min-w-0 flex-1 basis-64 wrap-anywhere">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
          {email}
          {role === 'operator' && <span className="badge">{say('Operator')}</span>}
        </p>
        <p className="text-sm text-muted">
          {sayWith('Valid until {time}', {
            time: <time dateTime={expiresAt}>{formatTime(expiresAt)}</time>,
          })}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <ActButton
          act={() => requestGraphql(config, invite, { email, role })}
          busyWords={say('Sending...')}
          label={say('Send again: the invitation to {email}', { email })}
          onDone={() => onDone(say('The invitation to {email} is on its way again.', { email }))}
          tone="secondary"
          words={say('Send again')}
        />
        <ActButton
          act={() => requestGraphql(config, revoke, { id })}
          busyWords={say('Withdrawing...')}
          label={say('Withdraw the invitation to {email}', { email })}
          onDone={() => onDone(say('The invitation to {email} was withdrawn.', { email }))}
          question={{
            title: say('Withdraw this invitation?'),
            text: say('The link that was emailed to {email} no longer works.', { email }),
          }}
          tone="danger"
          words={say('Withdraw')}
        />
      </div>
    </li>
  );
}
