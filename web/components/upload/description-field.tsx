import { useState } from 'react';
import { MAX_DESCRIPTION_LENGTH } from '../../../contract/limits.ts';
import { TextArea } from '../text-area.tsx';

interface DescriptionFieldProps {
  typed: string | undefined;
  error: string | undefined;
  disabled: boolean;
}

/** What buyers read below the title; folded away, so that the form stays small. */
export function DescriptionField({ typed, error, disabled }: DescriptionFieldProps) {
  const [open, setOpen] = useState(Boolean(typed));
  return (
    <details
      className="mt-1"
      onToggle={(event) => setOpen(event.currentTarget.open)}
      open={open || Boolean(error)}
    >
      <summary className="disclosure">Add a description</summary>
      <TextArea
        className="mt-2"
        defaultValue={typed}
        disabled={disabled}
        error={error}
        hint={`What is in it, and for whom. At most ${MAX_DESCRIPTION_LENGTH.toLocaleString('en-US')} characters.`}
        label="Description (optional)"
        name="description"
      />
    </details>
  );
}
