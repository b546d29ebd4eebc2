import { useEffect, useId, useRef } from 'react';
import { formatBytes } from '../../contract/format-bytes.ts';
import { FieldError } from '../ui/alert.tsx';
import { FileIcon, UploadIcon } from '../ui/icons.tsx';

interface FilePickerProps {
  file: File | null;
  /** How large it may be. */
  limits: string;
  error: string | undefined;
  disabled: boolean;
  onChoose(file: File): void;
}

/** A drop zone that is a file chooser as a whole. */
export function FilePicker({ file, limits, error, disabled, onChoose }: FilePickerProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);

  function takeChosen() {
    const chosen = input.current?.files?.[0];
    // The window to choose one in may still be open after Upload was pressed.
    if (chosen && !disabled) onChoose(chosen);
  }
  // What was chosen before React took the page over was told to nobody.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what is there at first is news
  useEffect(takeChosen, []);

  return (
    <div>
      <div className="file-picker" data-invalid={Boolean(error)}>
        {file ? (
          <>
            <FileIcon className="size-8" />
            <p className="max-w-full break-words font-semibold">{file.name}</p>
            <p className="text-sm text-muted">{formatBytes(file.size)}</p>
          </>
        ) : (
          <>
            <UploadIcon className="size-8" />
            <p className="text-muted">Drop a file anywhere, or</p>
          </>
        )}
        <label className="button button-secondary button-small mt-1" htmlFor={id}>
          Choose File
        </label>
        <p className="text-sm text-muted" id={`${id}-limits`}>
          {limits}
        </p>
        <input
          aria-describedby={`${id}-limits${error ? ` ${id}-error` : ''}`}
          aria-invalid={error ? true : undefined}
          disabled={disabled}
          id={id}
          name="file"
          onChange={takeChosen}
          // Otherwise a browser would not report that the same file, changed since, was chosen
          // again.
          onClick={(event) => {
            event.currentTarget.value = '';
          }}
          ref={input}
          type="file"
        />
      </div>
      <FieldError id={`${id}-error`}>{error}</FieldError>
    </div>
  );
}
