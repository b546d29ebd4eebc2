import type { ReactNode } from 'react';
import type { RuntimeConfig } from '../../contract/runtime-config.ts';
import { type Sentence, say } from '../languages/say.ts';
import { SupportLine } from '../ui/message-page.tsx';

/** A document to read. */
export function ProsePage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <article className="prose mx-auto w-full max-w-2xl px-5 py-14 sm:py-20">
      <h1>{title}</h1>
      {children}
    </article>
  );
}

/** A paragraph of one sentence of the catalog, and a point of a list. */
export const Paragraph = ({ text }: { text: Sentence }) => <p>{say(text)}</p>;
export const Point = ({ text }: { text: Sentence }) => <li>{say(text)}</li>;

/** Who runs this site, in the middle of a sentence. */
export function operatorOf({ operator, origin }: RuntimeConfig): string {
  return operator.name ?? say('the operator of {host}', { host: new URL(origin).host });
}

/** Who to write to, at the end of a legal page. */
export function OperatorContact({ config }: { config: RuntimeConfig }) {
  const { name, address } = config.operator;
  return (
    <>
      <h2>{say('Contact')}</h2>
      {(name || address) && (
        <address className="whitespace-pre-line not-italic">
          {[name, address].filter(Boolean).join('\n')}
        </address>
      )}
      <SupportLine email={config.supportEmail} />
      {!config.supportEmail && !address && (
        <p>{say('Contact the person who gave you the link to this site.')}</p>
      )}
    </>
  );
}
