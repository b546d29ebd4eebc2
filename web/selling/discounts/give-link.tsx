import type { RuntimeConfig } from '../../../contract/runtime-config.ts';
import { say } from '../../languages/say.ts';
import { graphql } from '../../lib/graphql.ts';
import { requestGraphql } from '../../lib/request-graphql.ts';
import { needSession } from '../../lib/sign-in-again.ts';
import { useForm } from '../../lib/use-form.ts';
import { useHydrated } from '../../lib/use-hydrated.ts';
import { FormError } from '../../ui/alert.tsx';
import { Field, TextArea } from '../../ui/field.tsx';

const give = graphql(
  'mutation Give($link: String!, $email: String!, $message: String) { giveLink(link: $link, email: $email, message: $message) }',
);

interface GiveLinkProps {
  config: RuntimeConfig;
  onGiven(words: string): void;
}

/** A form that gives one link to one person. What is wrong with it is said by the server. */
export function GiveLink({ config, onGiven }: GiveLinkProps) {
  const hydrated = useHydrated();
  const { errors, busy, formProps } = useForm({
    check: (): Record<string, string> => ({}),
    async send({ link = '', email = '', message = '' }) {
      await needSession(requestGraphql(config, give, { link, email, message }));
      formProps.ref.current?.reset();
      onGiven(say('Your gift is on its way to {email}.', { email: email.trim() }));
    },
  });
  const field = { disabled: !hydrated || busy };
  return (
    <details className="card px-6 py-3">
      <summary className="disclosure">{say('Give a link to someone')}</summary>
      <form className="space-y-5 py-3" {...formProps}>
        <p className="text-sm text-muted">
          {say(
            'They pay nothing. We email a personal link to them and a receipt to you. You cannot take it back.',
          )}
        </p>
        <div className="grid gap-5 sm:grid-cols-2">
          <Field
            {...field}
            autoComplete="off"
            hint={say('Address or ID')}
            label={say('Link')}
            name="link"
          />
          <Field
            {...field}
            autoComplete="off"
            label={say('Recipient’s email address')}
            maxLength={254}
            name="email"
            type="email"
          />
        </div>
        <TextArea {...field} label={say('Message (optional)')} name="message" rows={3} />
        {errors[''] && <FormError>{errors['']}</FormError>}
        <button aria-busy={busy} className="button button-primary" {...field} type="submit">
          {say(busy ? 'Sending...' : 'Give the link')}
        </button>
      </form>
    </details>
  );
}
