import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { wordsOn } from '../../../contract/accent.ts';
import type { Mail, MailSite } from '../../../contract/mails.ts';
import { spoken } from '../../languages/say.ts';

export const INK = '#1b2130';
const MUTED = '#525a6b';

interface Look {
  siteName: string;
  /** Of the button. */
  fill: string;
  edge: string;
  words: string;
}

const BRASS = { fill: '#f2bb3b', edge: '#b98a1e', words: '#2a1f0a' };

/** Of the email that is being written: as pages, each is written in one go. */
let look: Look = { siteName: '', ...BRASS };

/** Writes an email that looks like the site which sends it. */
export function inLookOf(
  { siteName, accent }: Pick<MailSite, 'siteName' | 'accent'>,
  write: () => Mail,
): Mail {
  const colors = accent ? { fill: accent, edge: accent, words: wordsOn(accent) } : BRASS;
  look = { siteName, ...colors };
  return write();
}

/**
 * For mail programs that have a dark form and read styles; the others keep to the inline ones, or
 * turn the colors round themselves.
 */
const writeDark = () => `:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  body { background: #13161c !important; color: #e6eaf0 !important; }
  a { color: #e6eaf0 !important; }
  .card { background: #1c2028 !important; border-color: #343b47 !important; }
  .line { border-color: #343b47 !important; }
  .well { background: #282e39 !important; }
  .muted { color: #a8b1bf !important; }
  .button { color: ${look.words} !important; }
}`;

interface MailParts extends Pick<Mail, 'subject' | 'unsubscribeUrl'> {
  origin: string;
  /** What mail programs show. */
  body: ReactNode;
  /** The same as plain text, without what is empty. */
  paragraphs: (string | false | null | undefined)[];
}

/** An email in both its forms. */
export function writeMail({ origin, body, paragraphs, ...mail }: MailParts): Mail {
  const html = renderToStaticMarkup(
    <MailLayout origin={origin} title={mail.subject}>
      {body}
    </MailLayout>,
  );
  const text = [...paragraphs, origin].filter(Boolean).join('\n\n');
  return { ...mail, html: `<!doctype html>${html}`, text: `${text}\n` };
}

interface MailLayoutProps {
  title: string;
  origin: string;
  children: ReactNode;
}

/** The frame of every email. Many mail programs support inline styles only. */
function MailLayout({ title, origin, children }: MailLayoutProps) {
  return (
    <html lang={spoken()?.language ?? 'en'}>
      <head>
        <meta charSet="utf-8" />
        <meta content="width=device-width" name="viewport" />
        <meta content="light dark" name="color-scheme" />
        <title>{title}</title>
        <style>{writeDark()}</style>
      </head>
      <body style={{ margin: 0, padding: '32px 16px', background: '#f5f7f9', color: INK }}>
        <div
          className="card"
          style={{
            maxWidth: 480,
            margin: '0 auto',
            padding: 32,
            border: '1px solid #dfe3e9',
            borderRadius: 16,
            background: '#ffffff',
            font: '16px/1.55 system-ui, -apple-system, "Segoe UI", sans-serif',
          }}
        >
          <p style={{ margin: '0 0 24px', fontWeight: 600 }}>{look.siteName}</p>
          {children}
        </div>
        <p style={{ margin: '20px 0', textAlign: 'center', font: '13px/1.5 sans-serif' }}>
          <a className="muted" href={origin} style={{ color: MUTED }}>
            {new URL(origin).host}
          </a>
        </p>
      </body>
    </html>
  );
}

export function MailTitle({ children }: { children: ReactNode }) {
  return <h1 style={{ margin: '0 0 12px', fontSize: 24, lineHeight: 1.2 }}>{children}</h1>;
}

export function MailNote({ children }: { children: ReactNode }) {
  return (
    <p className="muted" style={{ margin: '24px 0 0', color: MUTED, fontSize: 14 }}>
      {children}
    </p>
  );
}

const WELL = { padding: '12px 16px', borderRadius: 10, background: '#f5f7f9' };

/** What somebody wrote, as text: each line has a direction of its own. */
export function MailQuote({ children }: { children: string }) {
  return (
    <div className="well" style={{ margin: '0 0 24px', ...WELL, overflowWrap: 'anywhere' }}>
      {children.split('\n').map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they stay in their order.
        <div dir="auto" key={index}>
          {line.trim() ? line : <br />}
        </div>
      ))}
    </div>
  );
}

/** What is said apart from the rest. */
export function MailBox({ children }: { children: ReactNode }) {
  return (
    <div className="well" style={{ margin: '24px 0 0', ...WELL }}>
      {children}
    </div>
  );
}

const BUTTON = {
  display: 'inline-block',
  borderRadius: 10,
  fontWeight: 600,
  textDecoration: 'none',
};

interface MailButtonProps {
  href: string;
  children: ReactNode;
}

export function MailButton({ href, children }: MailButtonProps) {
  return (
    <a
      className="button"
      href={href}
      style={{
        ...BUTTON,
        padding: '14px 24px',
        border: `1px solid ${look.edge}`,
        background: look.fill,
        color: look.words,
      }}
    >
      {children}
    </a>
  );
}

/** Beside one that is pressed more often. */
export function MailSecondButton({ href, children }: MailButtonProps) {
  return (
    <a
      href={href}
      style={{ ...BUTTON, padding: '9px 16px', border: `1px solid ${MUTED}`, color: INK }}
    >
      {children}
    </a>
  );
}
