import type { ErrorCode } from '../../contract/error-codes.ts';
import type { Refusal } from '../../contract/page-context.ts';
import { type Sentence, say } from '../languages/say.ts';
import { sayWith } from '../languages/say-with.ts';
import { definePage, type PageProps } from '../page.ts';
import { MessagePage, SupportLine } from '../ui/message-page.tsx';

export const page = definePage({
  hydrate: 'never',
  status: () => 500,
  head: (refusal: Refusal) => ({ title: say(titleOf(refusal)), robots: 'noindex' }),
  Component: ServerError,
});

/** Errors that are nobody's fault: their pages explain them, without support. */
const EXPLAINED: Partial<Record<ErrorCode, { title: Sentence; goOn?: Sentence; href?: string }>> = {
  DOWNLOAD_EXPIRED: { title: 'This download link has expired', goOn: 'Open the page' },
  DOWNLOAD_INVALID: { title: 'This download link does not work' },
  ACCESS_LINK_INVALID: {
    title: 'This personal link does not work',
    goOn: 'Find my purchase',
    href: '/purchases',
  },
  ACCESS_SUSPENDED: { title: 'Your access is on hold' },
  CONTENT_PENDING: { title: 'This file is being checked' },
  FILE_REFUSED: { title: 'This file was refused' },
  ACCESS_ENDED: { title: 'Your access has ended' },
  NOT_A_SELLER: {
    title: 'Your account cannot sell here',
    goOn: 'See what is for sale',
    href: '/explore',
  },
};

function titleOf({ code }: Refusal): Sentence {
  return EXPLAINED[code]?.title ?? 'Something went wrong';
}

function ServerError({ data, ctx }: PageProps<Refusal>) {
  const explained = EXPLAINED[data.code];
  return (
    <MessagePage figure="stray-key" title={say(titleOf(data))}>
      <p>{ctx.error ?? say('This page could not be shown. Please try again in a moment.')}</p>
      {!explained && (
        <p className="text-base">
          {sayWith('Quote this number to support: {number}', {
            number: <code className="select-all font-mono text-ink">{ctx.requestId}</code>,
          })}
        </p>
      )}
      <SupportLine email={ctx.config.supportEmail} />
      {explained && (data.linkId || explained.href) ? (
        <a className="button button-primary text-base" href={explained.href ?? `/p/${data.linkId}`}>
          {say(explained.goOn ?? 'Go to the link’s page')}
        </a>
      ) : (
        <a className="button button-secondary text-base text-ink" href="/">
          {say('Go to Homepage')}
        </a>
      )}
    </MessagePage>
  );
}
