import { MODERATION_REASONS } from '../../../contract/moderation.ts';
import type { ReportPageData } from '../../../contract/page-context.ts';
import { say } from '../../languages/say.ts';
import { nameLink } from '../../lib/format.ts';
import { definePage, type PageProps } from '../../page.ts';
import { FormError } from '../../ui/alert.tsx';
import { Field, TextArea } from '../../ui/field.tsx';
import { MessagePage } from '../../ui/message-page.tsx';

export const page = definePage({
  hydrate: 'never',
  head: () => ({ title: say('Report this link'), robots: 'noindex' }),
  Component: Report,
});

/** What a visitor tells the operator of a link. */
function Report({ ctx, data }: PageProps<ReportPageData>) {
  const { id, title } = data;
  const back = (
    <a className="button button-secondary text-base text-ink" href={`/p/${id}`}>
      {say('Back to the link')}
    </a>
  );
  if (data.isSent) {
    return (
      <MessagePage figure="lock-closed" title={say('Thank you')}>
        <p role="status">
          {say('Your report was sent. The operator of this site will look at it.')}
        </p>
        {back}
      </MessagePage>
    );
  }
  return (
    <div className="mx-auto w-full max-w-lg px-5 py-14 sm:py-20">
      <h1 className="text-3xl sm:text-4xl">{say('Report this link')}</h1>
      <p className="mt-3 text-lg text-muted wrap-anywhere">
        {say(
          'What is wrong with {name}? Only the operator of this site reads it, not the seller.',
          { name: nameLink({ id, title }) },
        )}
      </p>
      <form action={`/p/${id}/report`} className="mt-8 space-y-6" method="post">
        <fieldset>
          <legend className="mb-1.5 font-medium">{say('Reason')}</legend>
          {Object.entries(MODERATION_REASONS).map(([reason, words]) => (
            <label className="flex min-h-11 cursor-pointer items-center gap-3" key={reason}>
              <input
                className="size-5 shrink-0 accent-ink"
                defaultChecked={data.reason === reason}
                name="reason"
                required
                type="radio"
                value={reason}
              />
              {say(words)}
            </label>
          ))}
        </fieldset>
        <TextArea
          defaultValue={data.words}
          label={say('What should we know?')}
          name="words"
          required
        />
        <Field
          autoComplete="email"
          defaultValue={data.email}
          hint={say('Only if we may write to you about it.')}
          label={say('Your email address (optional)')}
          maxLength={254}
          name="email"
          type="email"
        />
        {ctx.error && <FormError>{ctx.error}</FormError>}
        <button className="button button-primary" data-busy-label={say('Sending...')} type="submit">
          {say('Send the report')}
        </button>
      </form>
    </div>
  );
}
