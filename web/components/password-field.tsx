import { type ComponentProps, useState } from 'react';
import { Field } from './field.tsx';

/** A password that may be looked at while it is typed. */
export function PasswordField(props: ComponentProps<typeof Field>) {
  const [shown, setShown] = useState(false);
  return (
    <div className="relative">
      <Field {...props} spellCheck={false} type={shown ? 'text' : 'password'} />
      <button
        aria-pressed={shown}
        className="text-link absolute -top-2.5 right-0 inline-flex min-h-11 min-w-11 items-center justify-end text-sm"
        onClick={() => setShown(!shown)}
        type="button"
      >
        {shown ? 'Hide' : 'Show'}
        <span className="sr-only"> {props.label}</span>
      </button>
    </div>
  );
}
