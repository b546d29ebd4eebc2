import { type ComponentProps, useEffect, useRef, useState } from 'react';
import type { FormErrors } from '../../contract/form-errors.ts';
import { PASSWORD_RULES } from '../../contract/password-policy.ts';
import { say, tell } from '../languages/say.ts';
import { Field } from './field.tsx';
import { CheckIcon, icon } from './icons.tsx';

/** A password that may be looked at while it is typed. */
export function PasswordField(props: ComponentProps<typeof Field>) {
  const [shown, setShown] = useState(false);
  return (
    <div className="relative">
      <Field {...props} spellCheck={false} type={shown ? 'text' : 'password'} />
      <button
        aria-pressed={shown}
        className="text-link absolute -top-2.5 right-0 inline-flex min-h-11 min-w-11 items-center justify-end text-sm noscript:hidden"
        onClick={() => setShown(!shown)}
        type="button"
      >
        {say(shown ? 'Hide' : 'Show')}
        <span className="sr-only"> {props.label}</span>
      </button>
    </div>
  );
}

const CircleIcon = /* @__PURE__ */ icon('M12 5a7 7 0 1 0 0 14 7 7 0 0 0 0-14Z');

/** The password policy, ticked off while typing. */
function PasswordRules({ password }: { password: string }) {
  return (
    <ul className="grid gap-x-4 sm:grid-cols-2">
      {PASSWORD_RULES.map(({ needs, holds }) => {
        const held = holds(password);
        const Mark = held ? CheckIcon : CircleIcon;
        const words = tell(needs);
        return (
          <li className="rule" data-held={held} key={needs.text}>
            <Mark className="size-4 shrink-0" />
            {words.charAt(0).toUpperCase() + words.slice(1)}
            <span className="sr-only">{`, ${say(held ? 'done' : 'missing')}`}</span>
          </li>
        );
      })}
    </ul>
  );
}

interface NewPasswordFieldsProps {
  errors: FormErrors;
  /** Of the first field, where another password stands beside it. */
  label?: string;
}

/** A new password with its rules, and once more to be sure. */
export function NewPasswordFields({ errors, label = say('Password') }: NewPasswordFieldsProps) {
  const [password, setPassword] = useState('');
  const field = useRef<HTMLInputElement>(null);
  // It may have been typed before the page was alive.
  useEffect(() => setPassword(field.current?.value ?? ''), []);
  return (
    <>
      <PasswordField
        autoComplete="new-password"
        error={errors.password}
        hint={<PasswordRules password={password} />}
        label={label}
        name="password"
        onInput={(event) => setPassword(event.currentTarget.value)}
        ref={field}
        required
      />
      <PasswordField
        autoComplete="new-password"
        error={errors.confirmation}
        label={say('Confirm Password')}
        name="confirmation"
        required
      />
    </>
  );
}
