import { useState } from 'react';
import { suggestTitle } from '../../data/suggest-title.ts';
import { Field } from '../field.tsx';

interface TitleFieldProps {
  /** The chosen file, whose name is the title until another one is typed. */
  file: File | null;
  typed: string | undefined;
  error: string | undefined;
  disabled: boolean;
}

/** What buyers read of the content before they pay. */
export function TitleField({ file, typed, error, disabled }: TitleFieldProps) {
  const [title, setTitle] = useState(typed);
  return (
    <Field
      disabled={disabled}
      error={error}
      hint="Shown to buyers, in the list of links and in the receipt."
      label="Title (optional)"
      name="title"
      onChange={(event) => setTitle(event.currentTarget.value)}
      value={title ?? (file ? suggestTitle(file.name) : '')}
    />
  );
}
