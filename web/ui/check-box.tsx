import { useId } from 'react';
import { say } from '../languages/say.ts';

interface CheckBoxProps {
  label: string;
  hint: string;
  name: string;
  /** At first. */
  checked: boolean;
  disabled: boolean;
}

/** A yes-or-no setting, with an explanation below it. */
export function CheckBox({ label, hint, name, checked, disabled }: CheckBoxProps) {
  const id = useId();
  return (
    <label className="flex min-h-11 cursor-pointer items-start gap-3 py-1.5">
      <input
        aria-describedby={`${id}-hint`}
        aria-labelledby={`${id}-label`}
        className="mt-0.5 size-5 shrink-0 accent-ink"
        defaultChecked={checked}
        disabled={disabled}
        name={name}
        type="checkbox"
      />
      <span>
        <span className="block font-medium" id={`${id}-label`}>
          {label}
        </span>
        <span className="block text-sm text-muted" id={`${id}-hint`}>
          {hint}
        </span>
      </span>
    </label>
  );
}

/** The same words wherever a link is created or changed. */
export function UnlistedBox(props: Pick<CheckBoxProps, 'checked' | 'disabled'>) {
  return (
    <CheckBox
      {...props}
      hint={say('Kept out of Explore and search engines. Anyone with the link can still open it.')}
      label={say('Unlisted')}
      name="unlisted"
    />
  );
}

/** The same words wherever the content of a link is replaced. */
export function TellBuyersBox(props: Pick<CheckBoxProps, 'checked' | 'disabled'>) {
  return (
    <CheckBox
      {...props}
      hint={say('Emails the buyers who asked to be told, if the content has changed.')}
      label={say('Tell buyers')}
      name="tell"
    />
  );
}
