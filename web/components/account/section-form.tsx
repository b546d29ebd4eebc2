import type { ReactNode } from 'react';
import type { useForm } from '../../data/use-form.ts';
import { useHydrated } from '../../data/use-hydrated.ts';
import { FormError } from '../form-error.tsx';

interface SectionFormProps {
  form: ReturnType<typeof useForm>;
  submitLabel: string;
  busyLabel: string;
  /** What it does cannot be undone. */
  isDangerous?: boolean;
  /** What else may be pressed instead. */
  beside?: ReactNode;
  children: ReactNode;
}

/** A form of the account page, where none of many is the one thing to press. */
export function SectionForm(props: SectionFormProps) {
  const { form, submitLabel, busyLabel, isDangerous = false, beside, children } = props;
  const hydrated = useHydrated();
  return (
    <form {...form.formProps} className="space-y-5" method="post">
      {children}
      {form.errors[''] && <FormError>{form.errors['']}</FormError>}
      <div className="flex flex-wrap items-center gap-x-5 gap-y-2">
        <button
          aria-busy={form.busy}
          className={`button ${isDangerous ? 'button-danger' : 'button-secondary'}`}
          disabled={!hydrated || form.busy}
          type="submit"
        >
          {form.busy ? busyLabel : submitLabel}
        </button>
        {beside}
      </div>
    </form>
  );
}
