import { deleteAccount } from '../../data/accounts.ts';
import { signInAgain } from '../../data/sign-in-again.ts';
import { collectErrors } from '../../data/use-form.ts';
import { useSectionForm } from '../../data/use-section-form.ts';
import { Field } from '../field.tsx';
import { AccountSection } from './account-section.tsx';
import { CurrentPassword } from './current-password.tsx';
import { SectionForm } from './section-form.tsx';

/** The end of an account, by password (or else a sign-in just now) and typed confirmation. */
export function DeletionSection({ email, hasPassword }: { email: string; hasPassword: boolean }) {
  const form = useSectionForm({
    check: ({ currentPassword, confirmation = '' }) =>
      collectErrors({
        currentPassword: hasPassword && !currentPassword && 'Enter your current password.',
        confirmation:
          confirmation.trim().toLowerCase() !== email.toLowerCase() &&
          'Type the e-mail address of your account to confirm.',
      }),
    async send({ currentPassword, confirmation = '' }) {
      await deleteAccount(confirmation, currentPassword);
      location.assign('/?account=deleted');
    },
  });
  return (
    <AccountSection
      explanation="For good: your links are taken off sale, your name and address are erased. Who bought from you keeps what they bought, and what you bought stays open by the links in your receipts. Your balance must be zero: have it paid out first."
      title="Delete account"
    >
      <SectionForm
        beside={
          !hasPassword && (
            <button className="text-link min-h-11" onClick={signInAgain} type="button">
              Sign in again first
            </button>
          )
        }
        busyLabel="Deleting..."
        form={form}
        isDangerous
        submitLabel="Delete account"
      >
        {hasPassword && <CurrentPassword email={email} error={form.errors.currentPassword} />}
        <Field
          autoComplete="off"
          error={form.errors.confirmation}
          hint={email}
          label="Type your e-mail address to confirm"
          name="confirmation"
          required
          spellCheck={false}
        />
      </SectionForm>
    </AccountSection>
  );
}
