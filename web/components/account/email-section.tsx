import { AccountSection } from './account-section.tsx';

/** The address a person signs in with. */
export function EmailSection({ email }: { email: string }) {
  return (
    <AccountSection
      explanation="You sign in with it, and mails about your account go to it."
      title="E-mail address"
    >
      <p className="font-medium break-words">{email}</p>
    </AccountSection>
  );
}
