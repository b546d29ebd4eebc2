import type { PageData } from '../../../contract/page-context.ts';
import { formatTime } from '../../lib/format.ts';
import { definePage, type PageProps } from '../../page.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { EmptyList } from '../../ui/message-page.tsx';

export const page = definePage({
  hydrate: 'now',
  head: () => ({ title: 'Mailbox', robots: 'noindex' }),
  Component: Mailbox,
});

/** Local mode: what would have been sent by email. */
function Mailbox({ data }: PageProps<PageData['mailbox']>) {
  return (
    <div className="mx-auto w-full max-w-3xl px-5 py-12 sm:py-16">
      <h1 className="text-3xl sm:text-4xl">Mailbox</h1>
      <p className="mt-3 mb-8 text-lg text-muted">
        No mail server is set up, so emails are kept here instead of being sent. Newest first.
      </p>
      {data.messages.length === 0 && <EmptyList text="No emails yet." />}
      <ul className="space-y-5">
        {data.messages.map((message) => {
          const code = /^\d{6}$/m.exec(message.text)?.[0];
          return (
            <li
              className="card px-6 py-5"
              key={`${message.sentAt} ${message.to} ${message.subject}`}
            >
              <h2 className="text-lg">{message.subject}</h2>
              <p className="mt-1 text-sm text-muted">
                To {message.to}, <time dateTime={message.sentAt}>{formatTime(message.sentAt)}</time>
              </p>
              {code && (
                <p className="mail-code">
                  <span className="font-mono text-3xl font-semibold tracking-widest">{code}</span>
                  <CopyButton of="the code" text={code} />
                </p>
              )}
              <MailText text={message.text} />
            </li>
          );
        })}
      </ul>
    </div>
  );
}

const ADDRESS = /(https?:\/\/\S+)/;

/** A message's plain text, with addresses to press. */
function MailText({ text }: { text: string }) {
  return (
    <p className="mt-4 whitespace-pre-line break-words [unicode-bidi:isolate]">
      {text.split(ADDRESS).map((part, index) =>
        index % 2 === 1 ? (
          <a className="text-link" href={part} key={part}>
            {part}
          </a>
        ) : (
          part
        ),
      )}
    </p>
  );
}
