import { type FormEvent, useEffect, useState } from 'react';
import { dollarsToCents, formatCents } from '../../contract/money.ts';
import type { RuntimeConfig } from '../../contract/runtime-config.ts';
import { checkDescription, checkPrice, checkTitle } from './check-upload.ts';
import { editLink } from './edit-link.ts';
import type { OwnLink } from './link-pages.ts';
import { RequestError } from './request-error.ts';
import { isSignedOut } from './sign-in-again.ts';
import { collectErrors, type FormErrors, useForm } from './use-form.ts';

export const SIGNED_OUT =
  'You are signed out. What you typed stays here: sign in, then save again.';

const FIELDS: Record<string, string> = {
  INVALID_TITLE: 'title',
  INVALID_PRICE: 'price',
  INVALID_DESCRIPTION: 'description',
};

/** The form that changes a link. What was typed stays whatever goes wrong. */
export function useEditLink(
  config: RuntimeConfig,
  link: OwnLink,
  onSaved: (changed: OwnLink) => void,
) {
  const [dirty, setDirty] = useState(false);
  useEffect(() => {
    if (!dirty) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [dirty]);

  const { formProps, ...form } = useForm({
    check: ({ price, title, description }) =>
      collectErrors({
        title: checkTitle(title),
        price: checkPrice(price, config),
        description: checkDescription(description),
      }),
    async send({ price, title = '', description = '', free, noindex, unlisted }) {
      const changed = await editLink(config, {
        id: link.id,
        price: dollarsToCents(Number(price)),
        title,
        description,
        unlocked: free === 'on',
        noindex: noindex === 'on',
        unlisted: unlisted === 'on',
      });
      setDirty(false);
      onSaved(changed);
    },
    place: placeEditError,
  });

  function onInput(event: FormEvent<HTMLFormElement>) {
    setDirty(true);
    formProps.onInput(event);
  }

  return {
    ...form,
    formProps: { ...formProps, onInput },
    typed: { price: formatCents(link.price) },
    /** Whether the form may be left: asked where something would be lost. */
    mayLeave: () => !dirty || confirm('Leave without saving what you changed?'),
  };
}

function placeEditError(error: unknown): FormErrors | undefined {
  if (isSignedOut(error)) return { '': SIGNED_OUT };
  const field = error instanceof RequestError && FIELDS[error.code];
  return field ? { [field]: error.message } : undefined;
}
