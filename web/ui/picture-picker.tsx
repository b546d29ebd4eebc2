import { useId, useState } from 'react';
import { MAX_COVER_BYTES } from '../../contract/limits.ts';
import { say } from '../languages/say.ts';
import { messageOf, parseRefusal, readRefusal } from '../lib/request-error.ts';
import { isSignedOut, leadToSignIn } from '../lib/sign-in-again.ts';
import { FieldError } from './alert.tsx';
import { UploadIcon } from './icons.tsx';

export interface Picture {
  url: string;
  /** Pixels. */
  width: number;
  height: number;
}

interface PictureProps {
  /** Where it is put and deleted. */
  path: string;
  picture: Picture | null;
  onChanged(picture: Picture | null): void;
  /** The button that takes the picture away, and what came of each change. */
  texts: Record<'remove' | 'saved' | 'removed', string>;
}

/** Where a picture is dropped or chosen, changed, and removed. */
export function PicturePicker({ hint, ...props }: PictureProps & { hint: string }) {
  const field = useId();
  const change = usePicture(props);
  return (
    <>
      <p className="mt-1.5 text-muted" id={`${field}-hint`}>
        {hint}
      </p>
      <div className="file-picker file-input mt-4" data-invalid={change.error !== ''}>
        <UploadIcon className="size-7" />
        <p className="text-muted">{say('Drop a picture here, or')}</p>
        <PictureInput change={change} hintId={`${field}-hint`} id={field}>
          {say(props.picture ? 'Choose another picture' : 'Choose picture')}
        </PictureInput>
      </div>
      <PictureOutcome {...props} change={change} fieldId={field} />
    </>
  );
}

/** The same as a button: `words` ask for the first picture. */
export function PictureButton({ words, ...props }: PictureProps & { words: string }) {
  const field = useId();
  const change = usePicture(props);
  return (
    <div>
      <div className="file-input w-fit">
        <PictureInput change={change} id={field}>
          {props.picture ? say('Choose another picture') : words}
        </PictureInput>
      </div>
      <PictureOutcome {...props} change={change} fieldId={field} />
    </div>
  );
}

interface PictureInputProps {
  id: string;
  hintId?: string;
  change: ReturnType<typeof usePicture>;
  children: string;
}

function PictureInput({ id, hintId, change, children }: PictureInputProps) {
  const { busy, error, choose } = change;
  return (
    <>
      <label className="button button-secondary button-small" htmlFor={id}>
        {children}
      </label>
      <input
        accept="image/png,image/jpeg,image/webp,image/avif,image/gif"
        aria-describedby={[hintId, error && `${id}-error`].filter(Boolean).join(' ')}
        aria-invalid={error ? true : undefined}
        disabled={busy}
        id={id}
        onChange={({ currentTarget }) => {
          const chosen = currentTarget.files?.[0];
          if (chosen) void choose(chosen);
        }}
        // Otherwise a browser would not report that the same picture, changed since, was chosen
        // again.
        onClick={(event) => {
          event.currentTarget.value = '';
        }}
        type="file"
      />
    </>
  );
}

interface PictureOutcomeProps extends Pick<PictureProps, 'picture' | 'texts'> {
  fieldId: string;
  change: ReturnType<typeof usePicture>;
}

/** What comes of a change, and the way to take the picture away. */
function PictureOutcome({ fieldId, change, picture, texts }: PictureOutcomeProps) {
  const { busy, sent, error, status, remove } = change;
  return (
    <>
      {sent !== null && (
        <progress
          aria-label={say('Uploading the picture')}
          className="meter mt-3"
          max={1}
          value={sent}
        />
      )}
      <FieldError id={`${fieldId}-error`}>{error}</FieldError>
      <p className={status && 'mt-3 font-medium'} role="status">
        {status}
      </p>
      {picture && (
        <button
          className="button button-secondary button-small mt-3"
          disabled={busy}
          onClick={remove}
          type="button"
        >
          {texts.remove}
        </button>
      )}
    </>
  );
}

/** What can be done with a picture; `sent` is 0 to 1 while one is being uploaded. */
function usePicture({ path, onChanged, texts }: Omit<PictureProps, 'picture'>) {
  const [sent, setSent] = useState<number | null>(null);
  const [error, setError] = useState('');
  const [status, setStatus] = useState('');
  const busy = sent !== null;

  async function attempt(work: () => Promise<Picture | null>, done: string) {
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
      if (picture.size > MAX_COVER_BYTES) {
        setError(say('This picture is larger than 10 MB. Choose a smaller one.'));
      } else await attempt(() => sendPicture(path, picture, setSent), texts.saved);
    },
    remove: () =>
      attempt(async () => {
        await removePicture(path);
        return null;
      }, texts.removed),
  };
}

/**
 * Uploads a picture. Throws RequestError, TypeError without a response.
 * @param onProgress called with how much was sent, 0 to 1
 */
export function sendPicture(
  path: string,
  picture: File,
  onProgress: (sent: number) => void,
): Promise<Picture> {
  const { promise, resolve, reject } = Promise.withResolvers<Picture>();
  // fetch does not report what was sent.
  const request = new XMLHttpRequest();
  request.upload.onprogress = ({ loaded, total }) => onProgress(loaded / total);
  request.onload = () => {
    const { status, responseText } = request;
    if (status === 200) resolve(JSON.parse(responseText));
    else reject(parseRefusal(status, responseText));
  };
  request.onerror = () => reject(new TypeError('No answer came'));
  request.open('PUT', path);
  request.setRequestHeader('accept', 'application/json');
  request.send(picture);
  return promise;
}

/** Throws RequestError, TypeError without a response. */
async function removePicture(path: string): Promise<void> {
  const answer = await fetch(path, { method: 'DELETE' });
  if (!answer.ok) throw await readRefusal(answer);
}
