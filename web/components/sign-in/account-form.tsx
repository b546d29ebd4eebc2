import type { ComponentProps, ReactNode } from 'react';
import type { useForm } from '../../data/use-form.ts';
import { useHydrated } from '../../data/use-hydrated.ts';
import { Alert } from '../alert.tsx';

interface AccountFormProps {
  form: ReturnType<typeof useForm>;
  submitLabel: string;
  busyLabel: string;
  children: ReactNode;
}

/** Fields, what the form as a whole has to say, and the button. Disabled until it can work. */
export function AccountForm({ form, submitLabel, busyLabel, children }: AccountFormProps) {
  const hydrated = useHydrated();
  return (
    <form {...(form.formProps as ComponentProps<'form'>)} className="space-y-5">
      {children}
      {form.errors[''] && <Alert>{form.errors['']}</Alert>}
      <button
        className="button button-primary w-full"
        disabled={!hydrated || form.busy}
        type="submit"
      >
        {form.busy ? busyLabel : submitLabel}
      </button>
    </form>
  );
}
