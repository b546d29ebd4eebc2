import { useId } from 'react';
import type { Cover } from '../../data/send-cover.ts';
import { useCover } from '../../data/use-cover.ts';
import { FieldError } from '../field-error.tsx';
import { UploadIcon } from '../icons.tsx';

interface CoverEditorProps {
  id: string;
  cover: Cover | null;
  onChanged(cover: Cover | null): void;
}

/** Where the owner gives the link a picture: to be dropped or chosen, changed and taken away. */
export function CoverEditor({ id, cover, onChanged }: CoverEditorProps) {
  const field = useId();
  const { busy, sent, error, status, choose, remove } = useCover(id, onChanged);
  return (
    <section aria-labelledby={`${field}-title`} className="card p-6">
      <h2 className="text-xl" id={`${field}-title`}>
        Cover
      </h2>
      <p className="mt-1.5 text-muted" id={`${field}-hint`}>
        A picture that tells what you sell. PNG, JPEG, WebP, AVIF or GIF, at most 10 MB; wide ones
        (16:9) fill the place.
      </p>
      <div className="file-picker mt-4" data-invalid={error !== ''}>
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
          // Or a browser would not tell that the same picture, changed since, is chosen again.
          onClick={(event) => {
            event.currentTarget.value = '';
          }}
          type="file"
        />
      </div>
      {sent !== null && (
        <progress aria-label="Sending the picture" className="meter mt-3" max={1} value={sent} />
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
