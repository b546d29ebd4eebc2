import { useId, useState } from 'react';
import { escapeHtml } from '../../contract/characters.ts';
import { MAX_COVER_BYTES } from '../../contract/limits.ts';
import { nameLink } from '../../contract/links.ts';
import { formatPrice } from '../lib/format.ts';
import { messageOf, parseRefusal, readRefusal } from '../lib/request-error.ts';
import { isSignedOut, leadToSignIn } from '../lib/sign-in-again.ts';
import { FieldError } from '../ui/alert.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { UploadIcon } from '../ui/icons.tsx';
import type { PaywallLink } from './paywall-link.ts';

export interface OwnerPanelProps {
  link: PaywallLink;
  origin: string;
  onChanged(link: PaywallLink): void;
}

/** The owner's tools, below a link's page. */
export function OwnerPanel({ link, origin, onChanged }: OwnerPanelProps) {
  return (
    <div className="mt-4 grid items-start gap-4 min-[52rem]:grid-cols-2">
      <CoverEditor
        cover={link.cover}
        id={link.id}
        onChanged={(cover) => onChanged({ ...link, cover })}
      />
      <EmbedCodes link={link} origin={origin} />
    </div>
  );
}

interface CoverEditorProps {
  id: string;
  cover: Cover | null;
  onChanged(cover: Cover | null): void;
}

/** Where the owner sets the link's cover: drops or chooses it, changes it, removes it. */
function CoverEditor({ id, cover, onChanged }: CoverEditorProps) {
  const field = useId();
  const { busy, sent, error, status, choose, remove } = useCover(id, onChanged);
  return (
    <section aria-labelledby={`${field}-title`} className="card p-6">
      <h2 className="text-xl" id={`${field}-title`}>
        Cover
      </h2>
      <p className="mt-1.5 text-muted" id={`${field}-hint`}>
        A picture that shows what you sell. PNG, JPEG, WebP, AVIF or GIF, at most 10 MB. 16:9 fits
        best.
      </p>
      <div className="file-picker file-input mt-4" data-invalid={error !== ''}>
        <UploadIcon className="size-7" />
        <p className="text-muted">Drop a picture here, or</p>
        <label className="button button-secondary button-small" htmlFor={field}>
          {cover ? 'Choose another picture' : 'Choose picture'}
        </label>
        <input
          accept="image/png,image/jpeg,image/webp,image/avif,image/gif"
          aria-describedby={`${field}-hint ${error && `${field}-error`}`}
          aria-invalid={error ? true : undefined}
          disabled={busy}
          id={field}
          onChange={({ currentTarget }) => {
            const picture = currentTarget.files?.[0];
            if (picture) void choose(picture);
          }}
          // Otherwise a browser would not report that the same picture, changed since, was chosen
          // again.
          onClick={(event) => {
            event.currentTarget.value = '';
          }}
          type="file"
        />
      </div>
      {sent !== null && (
        <progress aria-label="Uploading the picture" className="meter mt-3" max={1} value={sent} />
      )}
      <FieldError id={`${field}-error`}>{error}</FieldError>
      <p className={status && 'mt-3 font-medium'} role="status">
        {status}
      </p>
      {cover && (
        <button
          className="button button-secondary button-small mt-3"
          disabled={busy}
          onClick={remove}
          type="button"
        >
          Remove cover
        </button>
      )}
    </section>
  );
}

interface EmbedCodesProps {
  link: PaywallLink;
  origin: string;
}

/** HTML for a creator's own site, to copy. */
function EmbedCodes({ link, origin }: EmbedCodesProps) {
  const id = useId();
  const price = link.free ? 'Free' : formatPrice(link.price);
  const embedded = { origin, id: link.id, name: nameLink(link), price };
  return (
    <section aria-labelledby={id} className="card p-6">
      <h2 className="text-xl" id={id}>
        On your own site
      </h2>
      <p className="mt-1.5 text-muted">Paste one of these where you want the button.</p>
      <Code
        code={buttonCode(embedded)}
        explanation="Works everywhere, and stays the way you paste it."
        title="Button"
      />
      <Code
        code={scriptCode(embedded)}
        explanation="Always shows the current title and price. No cookies, no third parties."
        title="Button that stays up to date"
      />
    </section>
  );
}

function Code({ title, explanation, code }: { title: string; explanation: string; code: string }) {
  return (
    <div className="mt-5">
      <div className="flex items-center justify-between gap-4">
        <h3 className="font-medium">{title}</h3>
        <CopyButton of={`the HTML of: ${title}`} text={code} />
      </div>
      <p className="text-sm text-muted">{explanation}</p>
      <textarea
        aria-label={`HTML of: ${title}`}
        className="input mt-2 font-mono text-sm!"
        readOnly
        rows={3}
        value={code}
      />
    </div>
  );
}

const TOO_LARGE = 'This picture is larger than 10 MB. Choose a smaller one.';

/** What an owner can do with a link's cover; `sent` is 0 to 1 while a picture is being uploaded. */
function useCover(id: string, onChanged: (cover: Cover | null) => void) {
  const [sent, setSent] = useState<number | null>(null);
  const [error, setError] = useState('');
  const [status, setStatus] = useState('');
  const busy = sent !== null;

  async function attempt(work: () => Promise<Cover | null>, done: string) {
    if (busy) return;
    setSent(0);
    setError('');
    setStatus('');
    try {
      onChanged(await work());
      setStatus(done);
    } catch (cause) {
      if (isSignedOut(cause)) leadToSignIn();
      setError(messageOf(cause));
    } finally {
      setSent(null);
    }
  }

  return {
    busy,
    sent,
    error,
    status,
    async choose(picture: File) {
      if (picture.size > MAX_COVER_BYTES) setError(TOO_LARGE);
      else
        await attempt(
          () => sendCover(id, picture, setSent),
          'Saved. Buyers now see the new cover.',
        );
    },
    remove: () =>
      attempt(async () => {
        await removeCover(id);
        return null;
      }, 'Removed. Buyers now see your link’s own key instead.'),
  };
}

type Cover = NonNullable<PaywallLink['cover']>;

/**
 * Uploads a picture as the cover of a link. Throws RequestError, TypeError without a response.
 * @param onProgress called with how much was sent, 0 to 1
 */
function sendCover(id: string, picture: File, onProgress: (sent: number) => void): Promise<Cover> {
  const { promise, resolve, reject } = Promise.withResolvers<Cover>();
  // fetch does not report what was sent.
  const request = new XMLHttpRequest();
  request.upload.onprogress = ({ loaded, total }) => onProgress(loaded / total);
  request.onload = () => {
    const { status, responseText } = request;
    if (status === 200) resolve(JSON.parse(responseText));
    else reject(parseRefusal(status, responseText));
  };
  request.onerror = () => reject(new TypeError('No answer came'));
  request.open('PUT', `/p/${id}/cover`);
  request.setRequestHeader('accept', 'application/json');
  request.send(picture);
  return promise;
}

/** Throws RequestError, TypeError without a response. */
async function removeCover(id: string): Promise<void> {
  const answer = await fetch(`/p/${id}/cover`, { method: 'DELETE' });
  if (!answer.ok) throw await readRefusal(answer);
}

interface Embedded {
  /** Of the product, without a trailing slash. */
  origin: string;
  id: string;
  name: string;
  /** "$4.99" */
  price: string;
}

const BUTTON_STYLE = [
  'display:inline-block',
  'padding:12px 22px',
  'border:1px solid #c58c1d',
  'border-radius:10px',
  'background:#fabf36',
  'color:#2a1d05',
  'font:600 16px/1.4 system-ui,sans-serif',
  'text-decoration:none',
].join(';');

/** HTML of a button for a creator's own site: a link and nothing else. */
function buttonCode({ origin, id, name, price }: Embedded): string {
  return `<a href="${origin}/p/${id}" style="${BUTTON_STYLE}">${escapeHtml(name)} · ${price}</a>`;
}

/** The same, whose title and price a script keeps up to date. */
function scriptCode({ origin, id, name }: Omit<Embedded, 'price'>): string {
  return (
    `<a href="${origin}/p/${id}" data-padlink="${id}">${escapeHtml(name)}</a>\n` +
    `<script async src="${origin}/embed.js"></script>`
  );
}
