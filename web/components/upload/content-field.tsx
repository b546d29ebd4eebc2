import type { UploadDraft } from '../../data/upload-draft.ts';
import type { FormErrors } from '../../data/use-form.ts';
import { useHydrated } from '../../data/use-hydrated.ts';
import { Field } from '../field.tsx';
import { FilePicker } from './file-picker.tsx';

interface ContentFieldProps {
  draft: UploadDraft;
  onChange(part: Partial<UploadDraft>): void;
  file: File | null;
  onChoose(file: File): void;
  errors: FormErrors;
  disabled: boolean;
}

/** What is sold: a file, or a web address instead. */
export function ContentField(props: ContentFieldProps) {
  const { draft, onChange, file, onChoose, errors, disabled } = props;
  const hydrated = useHydrated();
  const isFile = draft.kind === 'file';
  return (
    <div>
      {isFile ? (
        <FilePicker disabled={disabled} error={errors.file} file={file} onChoose={onChoose} />
      ) : (
        <Field
          disabled={disabled}
          error={errors.url}
          hint="Buyers are led to this address after they paid."
          inputMode="url"
          label="Web address"
          name="url"
          onChange={(event) => onChange({ url: event.currentTarget.value })}
          placeholder="https://"
          type="url"
          value={draft.url ?? ''}
        />
      )}
      <button
        className="text-link mt-1 min-h-11 text-sm"
        disabled={!hydrated || disabled}
        onClick={() => onChange({ kind: isFile ? 'link' : 'file' })}
        type="button"
      >
        {isFile ? 'or sell a web address' : 'or upload a file'}
      </button>
    </div>
  );
}
