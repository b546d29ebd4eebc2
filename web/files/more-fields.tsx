import { useId, useState } from 'react';
import type { FormErrors } from '../../contract/form-errors.ts';
import { MAX_COVER_BYTES } from '../../contract/limits.ts';
import { say } from '../languages/say.ts';
import { FieldError } from '../ui/alert.tsx';
import { type Picture, sendPicture } from '../ui/picture-picker.tsx';
import { TermsFields } from '../ui/terms-fields.tsx';
import type { UploadDraft } from './upload-draft.ts';

export interface MoreFieldsProps {
  /** What had been typed before. */
  typed: UploadDraft;
  errors: FormErrors;
  disabled: boolean;
  onCover(cover: Cover | null): void;
}

/** A picture that waits for its link. Throws RequestError, TypeError without a response. */
export type Cover = (linkId: string) => Promise<Picture>;

/** What few links need: a named price, limits and a cover. */
export function MoreFields({ typed, errors, disabled, onCover }: MoreFieldsProps) {
  return (
    <>
      <CoverField disabled={disabled} onCover={onCover} />
      <TermsFields disabled={disabled} errors={errors} typed={typed} />
    </>
  );
}

/** The cover, which is sent once there is a link. */
function CoverField({ disabled, onCover }: Pick<MoreFieldsProps, 'disabled' | 'onCover'>) {
  const id = useId();
  const [name, setName] = useState('');
  const [error, setError] = useState('');

  function take(file: File | undefined) {
    const isTooLarge = file !== undefined && file.size > MAX_COVER_BYTES;
    const fault = isTooLarge ? 'This picture is larger than 10 MB. Choose a smaller one.' : '';
    setError(fault);
    setName((!fault && file?.name) || '');
    onCover(file && !fault ? (linkId) => sendPicture(`/p/${linkId}/cover`, file, () => {}) : null);
  }

  return (
    <div>
      <p className="font-medium" id={`${id}-label`}>
        {say('Cover (optional)')}
      </p>
      <p className="mt-1.5 text-sm text-muted" id={`${id}-hint`}>
        {say('A picture that shows what you sell, at most 10 MB. 16:9 fits best.')}
      </p>
      <div className="file-input mt-3 flex flex-wrap items-center gap-3">
        <label className="button button-secondary button-small" htmlFor={id}>
          {say(name ? 'Choose another picture' : 'Choose picture')}
        </label>
        <input
          accept="image/png,image/jpeg,image/webp,image/avif,image/gif"
          aria-describedby={`${id}-label ${id}-hint ${error && `${id}-error`}`}
          aria-invalid={error ? true : undefined}
          disabled={disabled}
          id={id}
          onChange={({ currentTarget }) => take(currentTarget.files?.[0])}
          type="file"
        />
        <span className="wrap-anywhere" role="status">
          <bdi>{name}</bdi>
        </span>
      </div>
      <FieldError id={`${id}-error`}>{error}</FieldError>
    </div>
  );
}
