import { confirmEmailChange, requestEmailChange } from '../../data/accounts.ts';
import { checkCode } from '../../data/check-code.ts';
import { needSession } from '../../data/sign-in-again.ts';
import { collectErrors } from '../../data/use-form.ts';
import { useSectionForm } from '../../data/use-section-form.ts';
import { CodeField } from '../sign-in/code-field.tsx';
import { ResendCode } from '../sign-in/resend-code.tsx';
import { SectionForm } from './section-form.tsx';

interface ConfirmEmailFormProps {
  newEmail: string;
  /** Kept in memory since it was entered, to send another code. */
  password: string;
  onConfirmed(): void;
  onCancelled(): void;
}

/** Proves the new address by the code that was mailed there. */
export function ConfirmEmailForm(props: ConfirmEmailFormProps) {
  const { newEmail, password, onConfirmed, onCancelled } = props;
  const form = useSectionForm({
    check: ({ code }) => collectErrors({ code: checkCode(code) }),
    async send({ code = '' }) {
      await confirmEmailChange(newEmail, code);
      onConfirmed();
    },
  });
  return (
    <>
      <p className="mb-5 text-muted">
        If <strong className="break-words text-ink">{newEmail}</strong> is free to use, a six-digit
        code is on its way to it. Nothing changes until you enter it.
      </p>
      <SectionForm
        beside={
          <button className="text-link min-h-11" onClick={onCancelled} type="button">
            Keep the old address
          </button>
        }
        busyLabel="Checking..."
        form={form}
        submitLabel="Change address"
      >
        <CodeField error={form.errors.code} />
      </SectionForm>
      <ResendCode send={() => needSession(requestEmailChange(newEmail, password))} />
    </>
  );
}
