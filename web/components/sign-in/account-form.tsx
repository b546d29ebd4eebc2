import type { ReactNode } from 'react';
import type { useForm } from '../../data/use-form.ts';
import { useHydrated } from '../../data/use-hydrated.ts';
import { FormError } from '../form-error.tsx';

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
    <form {...form.formProps} className="space-y-5" method="post">
      {children}
      {form.errors[''] && <FormError>{form.errors['']}</FormError>}
      <button
        className="button button-primary w-full"
        aria-busy={form.busy}
        disabled={!hydrated || form.busy}
        type="submit"
      >
        {form.busy ? busyLabel : submitLabel}
      </button>
    </form>
  );
}
