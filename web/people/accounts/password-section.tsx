import { useState } from 'react';
import { checkNewPassword } from '../../../contract/account-checks.ts';
import { collectErrors } from '../../../contract/form-errors.ts';
import { type Sentence, say } from '../../languages/say.ts';
import { changePassword } from '../../lib/accounts.ts';
import { NewPasswordFields } from '../../ui/password-fields.tsx';
import { AccountSection, CurrentPassword, SectionForm, useSectionForm } from './section.tsx';

interface PasswordSectionProps {
  email: string;
  hasPassword: boolean;
  /** The other sessions have ended. */
  onSignedOutElsewhere(): void;
}

const TITLE: Sentence = 'Password';

export function PasswordSection({ email, hasPassword, ...props }: PasswordSectionProps) {
  if (hasPassword) return <PasswordForm email={email} {...props} />;
  return (
    <AccountSection
      explanation={say('You sign in through another service and have no password here.')}
      title={say(TITLE)}
    />
  );
}

function PasswordForm({ email, onSignedOutElsewhere }: Omit<PasswordSectionProps, 'hasPassword'>) {
  const [changes, setChanges] = useState(0);
  const [status, setStatus] = useState('');
  const form = useSectionForm({
    check: ({ currentPassword, password, confirmation }) =>
      collectErrors({
        currentPassword: !currentPassword && say('Enter your current password.'),
        ...checkNewPassword(password, confirmation),
      }),
    async send({ currentPassword = '', password = '', elsewhere }) {
      await changePassword(currentPassword, password, Boolean(elsewhere));
      form.formProps.ref.current?.reset();
      setChanges(changes + 1);
      setStatus(
        elsewhere
          ? say('Your password was changed, and you were signed out everywhere else.')
          : say('Your password was changed.'),
      );
      if (elsewhere) onSignedOutElsewhere();
    },
  });
  return (
    <AccountSection
      explanation={say('Choose one that you do not use anywhere else.')}
      onBegun={() => setStatus('')}
      status={status}
      title={say(TITLE)}
    >
      <SectionForm busyLabel={say('Changing...')} form={form} submitLabel={say('Change password')}>
        <CurrentPassword email={email} error={form.errors.currentPassword} />
        <NewPasswordFields errors={form.errors} key={changes} label={say('New password')} />
        <label className="flex min-h-11 items-center gap-3">
          <input className="size-5 accent-ink" defaultChecked name="elsewhere" type="checkbox" />
          {say('Sign out everywhere else')}
        </label>
      </SectionForm>
    </AccountSection>
  );
}
