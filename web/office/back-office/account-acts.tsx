import { say } from '../../languages/say.ts';
import { type FragmentOf, graphql } from '../../lib/graphql.ts';
import { requestGraphql } from '../../lib/request-graphql.ts';
import type { PageContext } from '../../page.ts';
import { ActButton } from '../../ui/act-button.tsx';
import { Field } from '../../ui/field.tsx';
import { type Acting, ReasonField } from './operator-frame.tsx';

export const accountFields = graphql(`
  fragment AccountFields on Account {
    id email isOperator isNamedOperator suspendedAt quotaBytes quotaLinks quotaUploadsADay
  }
`);

const suspend = graphql(
  'mutation SuspendAccount($id: ID!, $reason: String!) { suspendAccount(id: $id, reason: $reason) }',
);
const restore = graphql('mutation RestoreAccount($id: ID!) { restoreAccount(id: $id) }');
const remove = graphql(
  'mutation RemoveOperator($id: ID!, $reason: String!) { removeOperator(id: $id, reason: $reason) }',
);

export interface AccountActsProps extends Pick<Acting, 'onDone'> {
  account: FragmentOf<typeof accountFields>;
  ctx: PageContext;
}

/** What an operator can do to an account; to their own, nothing that would lock them out. */
export function AccountActs({ account, ctx: { config, viewer }, onDone }: AccountActsProps) {
  const { id, email, isOperator, isNamedOperator, suspendedAt } = account;
  const isOwn = viewer?.id === id;
  return (
    <div className="flex flex-wrap gap-2">
      <QuotaButton account={account} config={config} onDone={onDone} />
      {isOperator && !isNamedOperator && !isOwn && (
        <ActButton
          act={({ reason = '' }) => requestGraphql(config, remove, { id, reason })}
          busyWords={say('Removing...')}
          label={say('Remove the operator {email}', { email })}
          onDone={() => onDone(say('{email} is no longer an operator.', { email }))}
          question={{
            title: say('Remove the operator {email}?', { email }),
            text: say(
              'The operator’s pages are closed to this account at once. It remains an account like any other.',
            ),
            fields: <ReasonField hint={say('Kept in the activity log.')} />,
          }}
          tone="danger"
          words={say('Remove operator')}
        />
      )}
      {suspendedAt !== null && (
        <ActButton
          act={() => requestGraphql(config, restore, { id })}
          busyWords={say('Restoring...')}
          label={say('Restore {name}', { name: email })}
          onDone={() => onDone(say('{name} was restored.', { name: email }))}
          question={{
            title: say('Restore {name}?', { name: email }),
            text: say(
              'The account can be used again, its links are on sale as they were, and its payouts can be sent. Its owner is told by email.',
            ),
          }}
          tone="secondary"
          words={say('Restore')}
        />
      )}
      {suspendedAt === null && !isOwn && (
        <ActButton
          act={({ reason = '' }) => requestGraphql(config, suspend, { id, reason })}
          busyWords={say('Suspending...')}
          label={say('Suspend {email}', { email })}
          onDone={() => onDone(say('{email} was suspended.', { email }))}
          question={{
            title: say('Suspend {email}?', { email }),
            text: say(
              'Its sessions and keys end, its links go off sale, and its payouts are held. Its buyers keep what they bought.',
            ),
            fields: <ReasonField hint={say('A sentence for its owner, who gets it by email.')} />,
          }}
          tone="danger"
          words={say('Suspend')}
        />
      )}
    </div>
  );
}

const setQuota = graphql(`
  mutation SetQuota($id: ID!, $bytes: Float, $links: Float, $uploadsADay: Float) {
    setAccountQuota(id: $id, bytes: $bytes, links: $links, uploadsADay: $uploadsADay)
  }
`);

const MEGABYTE = 1_000_000;
const readFigure = (text = ''): number | null => (text === '' ? null : Number(text));

function QuotaButton({ account, config, onDone }: Acting & Pick<AccountActsProps, 'account'>) {
  const { id, email, quotaBytes, quotaLinks, quotaUploadsADay } = account;
  const megabytes = quotaBytes === null ? null : quotaBytes / MEGABYTE;
  return (
    <ActButton
      act={(values) => {
        const size = readFigure(values.megabytes);
        return requestGraphql(config, setQuota, {
          id,
          bytes: size === null ? null : Math.round(size * MEGABYTE),
          links: readFigure(values.links),
          uploadsADay: readFigure(values.uploadsADay),
        });
      }}
      busyWords={say('Saving...')}
      label={say('Quotas of {email}', { email })}
      onDone={() => onDone(say('The quotas of {email} were changed.', { email }))}
      question={{
        title: say('How much may {email} have?', { email }),
        text: say('Where a field is blank, the default limits apply.'),
        fields: (
          <>
            <FigureField
              label={say('Space for files (MB)')}
              name="megabytes"
              step="any"
              value={megabytes}
            />
            <FigureField label={say('Links on sale')} name="links" value={quotaLinks} />
            <FigureField label={say('Uploads a day')} name="uploadsADay" value={quotaUploadsADay} />
          </>
        ),
        words: say('Save'),
      }}
      tone="secondary"
      words={say('Quotas')}
    />
  );
}

interface FigureFieldProps {
  label: string;
  name: string;
  value: number | null;
  step?: 'any';
}

function FigureField({ value, ...field }: FigureFieldProps) {
  return <Field {...field} defaultValue={value ?? ''} inputMode="decimal" min={0} type="number" />;
}
