import { type FormEvent, useEffect, useId, useState } from 'react';
import {
  checkDescription,
  checkLeast,
  checkTitle,
  checkTypedPrice,
  checkUrl,
  FIXED_PRICE,
  fittingPreview,
  tidyDescription,
  tidyTitle,
} from '../../contract/link-rules.ts';
import { dollarsToCents, formatCents } from '../../contract/money.ts';
import type { RuntimeConfig } from '../../contract/runtime-config.ts';
import { nameOwnLink } from '../lib/addresses.ts';
import { RequestError } from '../lib/request-error.ts';
import { isSignedOut, signInAddress } from '../lib/sign-in-again.ts';
import { collectErrors, type FormErrors, useForm } from '../lib/use-form.ts';
import { FormError } from '../ui/alert.tsx';
import { CheckBox, TellBuyersBox, UnlistedBox } from '../ui/check-box.tsx';
import { Dialog, DialogButtons } from '../ui/dialog.tsx';
import { Field, TextArea } from '../ui/field.tsx';
import { PriceField, takeDecimalComma } from '../ui/price-field.tsx';
import type { OwnLink } from './link-pages.ts';
import { LinkVersions } from './link-versions.tsx';
import { editLink } from './use-own-link.ts';

interface EditDialogProps {
  config: RuntimeConfig;
  link: OwnLink;
  onSaved(link: OwnLink, said: string): void;
  onClose(): void;
}

/** Changes what buyers read and pay. */
export function EditDialog({ config, link, onSaved, onClose }: EditDialogProps) {
  const id = useId();
  const [url, setUrl] = useState(link.url);
  const { errors, busy, formProps, typed, mayLeave } = useEditLink(config, link, (changed) => {
    onSaved(changed, `${nameOwnLink(changed)} was saved.`);
    onClose();
  });
  return (
    <Dialog labelledBy={id} mayClose={mayLeave} onClose={onClose}>
      {(close) => (
        <form {...formProps} className="space-y-5">
          <h2 className="text-xl wrap-anywhere" id={id}>
            Edit “{nameOwnLink(link)}”
          </h2>
          <Field
            defaultValue={link.title ?? ''}
            disabled={busy}
            error={errors.title}
            hint="Shown to buyers, in lists of links and on receipts."
            label="Title (optional)"
            name="title"
          />
          <PriceField config={config} disabled={busy} error={errors.price} typed={typed.price} />
          <Field
            defaultValue={link.least === null ? '' : formatCents(link.least)}
            disabled={busy}
            error={errors.least}
            hint="Buyers name the price, from this one on, and the price above is suggested. With 0, they may pay nothing. Empty: the price is fixed."
            inputMode="decimal"
            label="Smallest price (optional)"
            min="0"
            name="least"
            ref={takeDecimalComma}
            step="0.01"
            type="number"
          />
          <div className="grid gap-5 sm:grid-cols-2">
            <Field
              defaultValue={link.copies ?? ''}
              disabled={busy}
              hint="Empty: any number."
              inputMode="numeric"
              label="Copies to sell (optional)"
              min="1"
              name="copies"
              type="number"
            />
            <Field
              defaultValue={link.until ? dayOf(Date.parse(link.until) - 1) : ''}
              disabled={busy}
              hint="In UTC. Empty: no end."
              label="Last day of sale (optional)"
              name="until"
              type="date"
            />
          </div>
          {link.type === 'link' && (
            <div>
              <Field
                defaultValue={url ?? ''}
                disabled={busy}
                key={url}
                error={errors.url}
                hint="Another address is a new version. Buyers keep the one they bought, and get the new one too."
                label="Web address"
                name="url"
                type="url"
              />
              <TellBuyersBox checked={false} disabled={busy} />
            </div>
          )}
          <TextArea
            defaultValue={link.description ?? ''}
            disabled={busy}
            error={errors.description}
            label="Description (optional)"
            name="description"
          />
          <div>
            <CheckBox
              checked={link.free && link.least !== 0}
              disabled={busy}
              hint="Anyone can open it without paying."
              label="Free"
              name="free"
            />
            <CheckBox
              checked={link.noindex}
              disabled={busy}
              hint="Anyone with the address can still open it."
              label="Hide from search engines"
              name="noindex"
            />
            <UnlistedBox checked={link.unlisted} disabled={busy} />
            <PreviewBox disabled={busy} link={link} />
          </div>
          <LinkVersions
            config={config}
            link={link}
            onSold={(changed, said) => {
              setUrl(changed.url);
              onSaved(changed, said);
            }}
          />
          {errors[''] && (
            <div>
              <FormError>{errors['']}</FormError>
              {errors[''] === SIGNED_OUT && (
                <a
                  className="text-link mt-1 inline-flex min-h-11 items-center"
                  href={signInAddress()}
                  rel="noopener"
                  target="_blank"
                >
                  Sign in in a new tab
                </a>
              )}
            </div>
          )}
          <DialogButtons
            busy={busy}
            leaveWords="Cancel"
            onLeave={() => mayLeave() && close()}
            tone="primary"
            words={busy ? 'Saving...' : 'Save'}
          />
        </form>
      )}
    </Dialog>
  );
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** "2026-11-30" */
const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);

const PREVIEWS = {
  'first-page': {
    label: 'Show the first page',
    hint: 'Everybody sees it before paying, 800 pixels wide; blurred if it is the only page.',
  },
  blurred: {
    label: 'Show the picture blurred',
    hint: 'Everybody sees a blurred picture before paying.',
  },
  excerpt: {
    label: 'Play the beginning',
    hint: 'Everybody can hear up to 30 seconds before paying, at most a quarter.',
  },
};

/** Whether buyers see a part of the content before they pay, where one can be made. */
function PreviewBox({ link, disabled }: { link: OwnLink; disabled: boolean }) {
  const fitting = fittingPreview(link.mediaType);
  if (!fitting) return null;
  const { label, hint } = PREVIEWS[fitting];
  return (
    <CheckBox
      checked={link.preview === fitting}
      disabled={disabled}
      hint={link.previewFailed ? 'No preview could be made of this file.' : hint}
      label={label}
      name="preview"
    />
  );
}

const SIGNED_OUT = 'You are signed out. Your changes are still here: sign in, then save again.';

const FIELDS: Record<string, string> = {
  INVALID_TITLE: 'title',
  INVALID_PRICE: 'price',
  INVALID_DESCRIPTION: 'description',
  INVALID_URL: 'url',
};

/** The form that changes a link. Input is kept whatever goes wrong. */
function useEditLink(config: RuntimeConfig, link: OwnLink, onSaved: (changed: OwnLink) => void) {
  const [dirty, setDirty] = useState(false);
  useEffect(() => {
    if (!dirty) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [dirty]);

  const { formProps, ...form } = useForm({
    check: ({ price = '', least, title = '', description = '', url }) =>
      collectErrors({
        title: checkTitle(tidyTitle(title)),
        price: checkTypedPrice(price, config),
        least:
          least && checkLeast(dollarsToCents(Number(least)), dollarsToCents(Number(price)), config),
        description: checkDescription(tidyDescription(description)),
        url: url === undefined ? undefined : checkUrl(url),
      }),
    async send({
      price,
      least,
      copies,
      until,
      title = '',
      description = '',
      url = null,
      tell,
      ...boxes
    }) {
      const changed = await editLink(config, {
        id: link.id,
        price: dollarsToCents(Number(price)),
        title,
        description,
        url,
        tellBuyers: tell === 'on',
        least: least ? dollarsToCents(Number(least)) : FIXED_PRICE,
        copies: Number(copies || 0),
        // The last day is part of it.
        until: until ? new Date(Date.parse(until) + DAY_MS).toISOString() : '',
        unlocked: boxes.free === 'on',
        noindex: boxes.noindex === 'on',
        unlisted: boxes.unlisted === 'on',
        preview: boxes.preview === 'on' ? fittingPreview(link.mediaType) : 'none',
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
    /** Whether the form may be closed: asks if something would be lost. */
    mayLeave: () => !dirty || confirm('Leave without saving your changes?'),
  };
}

function placeEditError(error: unknown): FormErrors | undefined {
  if (isSignedOut(error)) return { '': SIGNED_OUT };
  const field = error instanceof RequestError && FIELDS[error.code];
  return field ? { [field]: error.message } : undefined;
}
