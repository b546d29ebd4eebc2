import { type FormEvent, useEffect, useRef, useState } from 'react';
import { collectErrors, type FormErrors } from '../../contract/form-errors.ts';
import { messageOf } from './request-error.ts';

export interface FormOptions {
  /** The errors found; none means that the form may be sent. */
  check(values: Record<string, string>): FormErrors;
  send(values: Record<string, string>): Promise<void>;
  /** The field that an error response belongs to; the form as a whole by default. */
  place?(error: unknown): FormErrors | undefined;
  /** What the server found wrong with the form when it was posted, before the page was alive. */
  posted?: FormErrors | undefined;
}

/** Only the first error, where one check comes before the other. */
export function firstError(found: Parameters<typeof collectErrors>[0]): FormErrors {
  return Object.fromEntries(Object.entries(collectErrors(found)).slice(0, 1));
}

/** A form that checks itself, sends itself once, and moves the focus to what is wrong. */
export function useForm({ check, send, place, posted = {} }: FormOptions) {
  const [errors, setErrors] = useState(posted);
  const [busy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const unseen = useRef(true);

  function show(found: FormErrors) {
    setErrors(found);
    unseen.current = true;
  }

  // Not before the error is rendered and the fields are enabled again.
  useEffect(() => {
    if (busy || !unseen.current) return;
    unseen.current = false;
    const [name] = Object.keys(errors);
    const target = name
      ? form.current?.elements.namedItem(name)
      : name === '' && form.current?.querySelector('[data-form-error]');
    if (target instanceof HTMLElement) target.focus();
  }, [errors, busy]);

  async function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (busy) return;
    const entries = new FormData(event.currentTarget).entries();
    const values = Object.fromEntries([...entries].map(([name, value]) => [name, String(value)]));
    const found = check(values);
    show(found);
    if (Object.keys(found).length > 0) return;
    setBusy(true);
    try {
      await send(values);
    } catch (error) {
      show(place?.(error) ?? { '': messageOf(error) });
    } finally {
      setBusy(false);
    }
  }

  /** An error disappears once its field is changed. */
  function forgetError(name: string) {
    if (!(name in errors)) return;
    setErrors(({ [name]: _, ...others }) => others);
  }

  function onInput(event: FormEvent<HTMLFormElement>) {
    forgetError((event.target as HTMLInputElement).name);
  }

  return {
    errors,
    busy,
    forgetError,
    formProps: { ref: form, onSubmit, onInput, noValidate: true },
  };
}
