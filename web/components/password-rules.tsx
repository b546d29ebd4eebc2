import { PASSWORD_RULES } from '../../contract/password-policy.ts';
import { CheckIcon, CircleIcon } from './icons.tsx';

/** The password policy, ticked off while typing. */
export function PasswordRules({ password }: { password: string }) {
  return (
    <ul className="grid gap-x-4 sm:grid-cols-2">
      {PASSWORD_RULES.map(({ needs, holds }) => {
        const held = holds(password);
        const Mark = held ? CheckIcon : CircleIcon;
        return (
          <li className="rule" data-held={held} key={needs}>
            <Mark className="size-4 shrink-0" />
            {needs.charAt(0).toUpperCase() + needs.slice(1)}
            <span className="sr-only">{held ? ', done' : ', missing'}</span>
          </li>
        );
      })}
    </ul>
  );
}
