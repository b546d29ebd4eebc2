import type { ReactNode } from 'react';
import type { useForm } from '../../data/use-form.ts';
import { useHydrated } from '../../data/use-hydrated.ts';
import { Alert } from '../alert.tsx';

interface SectionFormProps {
  form: ReturnType<typeof useForm>;
  submitLabel: string;
  busyLabel: string;
  /** What else may be pressed instead. */
  beside?: ReactNode;
  children: ReactNode;
}

/** A form of the account page, where none of many is the one thing to press. */
export function SectionForm({ form, submitLabel, busyLabel, beside, children }: SectionFormProps) {
  const hydrated = useHydrated();
  return (
    <form {...form.formProps} className="space-y-5" method="post">
      {children}
      {form.errors[''] && <Alert>{form.errors['']}</Alert>}
      <div className="flex flex-wrap items-center gap-x-5 gap-y-2">
        <button
          aria-busy={form.busy}
          className="button button-secondary"
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
