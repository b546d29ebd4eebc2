import { type FormEvent, useEffect, useId, useState } from 'react';
import { collectErrors, type FormErrors } from '../../../contract/form-errors.ts';
import {
  checkDescription,
  checkTitle,
  checkTypedPrice,
  checkUrl,
  FIXED_PRICE,
  fittingPreview,
  tidyDescription,
  tidyTitle,
} from '../../../contract/link-rules.ts';
import { dollarsToCents, formatCents } from '../../../contract/money.ts';
import type { RuntimeConfig } from '../../../contract/runtime-config.ts';
import { say } from '../../languages/say.ts';
import { nameOwnLink } from '../../lib/addresses.ts';
import { RequestError } from '../../lib/request-error.ts';
import { checkTerms, lastDayOf, readTerms } from '../../lib/sale-terms.ts';
import { isSignedOut, signInAddress } from '../../lib/sign-in-again.ts';
import { useForm } from '../../lib/use-form.ts';
import { FormError } from '../../ui/alert.tsx';
import { CheckBox, TellBuyersBox, UnlistedBox } from '../../ui/check-box.tsx';
import { CoverButton } from '../../ui/cover-button.tsx';
import { Dialog, DialogButtons } from '../../ui/dialog.tsx';
import { Field, TextArea } from '../../ui/field.tsx';
import { LinkCover } from '../../ui/link-cover.tsx';
import { PriceField } from '../../ui/price-field.tsx';
import { TermsFields } from '../../ui/terms-fields.tsx';
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
  const { formProps, mayLeave, ...form } = useEditLink(config, link, (changed) => {
    onSaved(changed, say('{name} was saved.', { name: nameOwnLink(changed) }));
    onClose();
  });
  const { busy } = form;
  const fault = form.errors[''];
  return (
    <Dialog labelledBy={id} mayClose={mayLeave} onClose={onClose}>
      {(close) => (
        <form {...formProps} className="space-y-5">
          <h2 className="text-xl wrap-anywhere" id={id}>
            {say('Edit “{name}”', { name: nameOwnLink(link) })}
          </h2>
          <LinkFields {...form} config={config} link={link} onSaved={onSaved} />
          {fault && (
            <div>
              <FormError>{fault}</FormError>
              {fault === SIGNED_OUT && (
                <a
                  className="text-link mt-1 inline-flex min-h-11 items-center"
                  href={signInAddress()}
                  rel="noopener"
                  target="_blank"
                >
                  {say('Sign in in a new tab')}
                </a>
              )}
            </div>
          )}
          <DialogButtons
            busy={busy}
            leaveWords={say('Cancel')}
            onLeave={() => mayLeave() && close()}
            tone="primary"
            words={say(busy ? 'Saving...' : 'Save')}
          />
        </form>
      )}
    </Dialog>
  );
}

type EditForm = ReturnType<typeof useEditLink>;

type LinkFieldsProps = Omit<EditDialogProps, 'onClose'> &
  Pick<EditForm, 'errors' | 'busy' | 'typed'>;

/** All that can be changed of a link, in the order of the upload form, and its earlier versions. */
function LinkFields({ config, link, onSaved, errors, busy, typed }: LinkFieldsProps) {
  const [url, setUrl] = useState(link.url);
  const [open, setOpen] = useState(false);
  return (
    <>
      <PriceField config={config} disabled={busy} error={errors.price} typed={typed.price} />
      <Field
        defaultValue={link.title ?? ''}
        disabled={busy}
        error={errors.title}
        hint={say('Shown to buyers, in lists of links and on receipts.')}
        label={say('Title (optional)')}
        name="title"
      />
      <TextArea
        defaultValue={link.description ?? ''}
        disabled={busy}
        error={errors.description}
        label={say('Description (optional)')}
        name="description"
      />
      <CoverField link={link} />
      <div>
        <details
          onToggle={(event) => setOpen(event.currentTarget.open)}
          open={open || OPTIONS.some((name) => errors[name])}
        >
          <summary className="disclosure">{say('More options')}</summary>
          <div className="mt-2 space-y-5">
            {link.type === 'link' && (
              <div>
                <Field
                  defaultValue={url ?? ''}
                  disabled={busy}
                  key={url}
                  error={errors.url}
                  hint={say(
                    'A different web address is a new version. Buyers keep the one they bought, and get the new one too.',
                  )}
                  label={say('Web address')}
                  name="url"
                  type="url"
                />
                <TellBuyersBox checked={false} disabled={busy} />
              </div>
            )}
            <TermsFields disabled={busy} errors={errors} typed={typed} />
            <Field
              autoCapitalize="none"
              defaultValue={link.short?.split('/').at(-1) ?? ''}
              disabled={busy}
              error={errors.short}
              hint={say('Such as “notes” in /s/ada/notes. Others may guess it.')}
              label={say('Short address (optional)')}
              name="short"
            />
            <LinkBoxes disabled={busy} link={link} />
            <a
              className="text-link inline-flex min-h-11 items-center"
              href={`/dashboard/licenses?link=${link.id}`}
            >
              {say('License keys')}
            </a>
          </div>
        </details>
        {link.type !== 'bundle' && (
          <LinkVersions
            config={config}
            link={link}
            onSold={(changed, said) => {
              setUrl(changed.url);
              onSaved(changed, said);
            }}
          />
        )}
      </div>
    </>
  );
}

/** Of the fields that are folded away. */
const OPTIONS = ['url', 'least', 'copies', 'short'];

/** What buyers see of it in lists, or what stands for it there. */
function CoverField({ link }: { link: OwnLink }) {
  const [cover, setCover] = useState(link.cover);
  return (
    <div>
      <p className="mb-1.5 font-medium">{say('Cover')}</p>
      <div className="flex flex-wrap items-center gap-4">
        <LinkCover
          className="row-cover w-28"
          face={{ ...link, cover }}
          id={link.id}
          tone={undefined}
        />
        <CoverButton cover={cover} id={link.id} onChanged={setCover} />
      </div>
    </div>
  );
}

interface BoxProps {
  link: OwnLink;
  disabled: boolean;
}

/** Who may open it and find it, and what of it is shown. */
function LinkBoxes({ link, disabled }: BoxProps) {
  return (
    <div>
      {link.type !== 'bundle' && (
        <CheckBox
          checked={link.free && link.least !== 0}
          disabled={disabled}
          hint={say('Anyone can open it without paying.')}
          label={say('Free')}
          name="free"
        />
      )}
      <CheckBox
        checked={link.noindex}
        disabled={disabled}
        hint={say('Anyone with the link can still open it.')}
        label={say('Hide from search engines')}
        name="noindex"
      />
      <UnlistedBox checked={link.unlisted} disabled={disabled} />
      <PreviewBox disabled={disabled} link={link} />
      <StampBox disabled={disabled} link={link} />
    </div>
  );
}

const PREVIEWS = {
  'first-page': {
    label: 'Show the first page',
    hint: 'Everyone sees it before paying, 800 pixels wide; blurred if it is the only page.',
  },
  blurred: {
    label: 'Show the picture blurred',
    hint: 'Everyone sees a blurred picture before paying.',
  },
  excerpt: {
    label: 'Play the beginning',
    hint: 'Everyone can hear up to 30 seconds before paying, but at most a quarter.',
  },
} as const;

/** Whether buyers see a part of the content before they pay, where one can be made. */
function PreviewBox({ link, disabled }: BoxProps) {
  const fitting = fittingPreview(link.mediaType);
  if (!fitting) return null;
  const { label, hint } = PREVIEWS[fitting];
  return (
    <CheckBox
      checked={link.preview === fitting}
      disabled={disabled}
      hint={say(link.previewFailed ? 'No preview of this file could be created.' : hint)}
      label={say(label)}
      name="preview"
    />
  );
}

/** Whether PDFs carry their buyer. */
function StampBox({ link, disabled }: BoxProps) {
  if (link.mediaType !== 'application/pdf' && !link.stamp) return null;
  const hint = link.stampFailed
    ? 'A PDF here is encrypted, signed, damaged or too large, so it cannot be stamped. Buyers get it as you uploaded it.'
    : 'In small letters at the bottom, with the order number. New buyers are told before they pay; earlier ones get it, too.';
  return (
    <CheckBox
      checked={link.stamp}
      disabled={disabled}
      hint={say(hint)}
      label={say('Stamp each page with the buyer’s email address')}
      name="stamp"
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
    check: ({ price = '', title = '', description = '', url, ...typed }) =>
      collectErrors({
        title: checkTitle(tidyTitle(title)),
        price: checkTypedPrice(price, config),
        ...checkTerms(typed, price, config),
        description: checkDescription(tidyDescription(description)),
        url: url === undefined ? undefined : checkUrl(url),
      }),
    async send({ price, short = '', title = '', description = '', url = null, tell, ...typed }) {
      const terms = readTerms(typed);
      const changed = await editLink(config, {
        id: link.id,
        price: dollarsToCents(Number(price)),
        title,
        short,
        description,
        url,
        tellBuyers: tell === 'on',
        ...terms,
        least: terms.least ?? FIXED_PRICE,
        unlocked: typed.free === 'on',
        noindex: typed.noindex === 'on',
        unlisted: typed.unlisted === 'on',
        preview: typed.preview === 'on' ? fittingPreview(link.mediaType) : 'none',
        stamp: typed.stamp === 'on',
      });
      setDirty(false);
      onSaved(changed);
    },
    place: placeEditError,
  });

  function onInput(event: FormEvent<HTMLFormElement>) {
    // A cover is saved by itself.
    if ((event.target as HTMLInputElement).type !== 'file') setDirty(true);
    formProps.onInput(event);
  }

  return {
    ...form,
    formProps: { ...formProps, onInput },
    typed: {
      price: formatCents(link.price),
      least: link.least === null ? '' : formatCents(link.least),
      copies: link.copies === null ? '' : `${link.copies}`,
      until: link.until ? lastDayOf(link.until) : '',
    },
    /** Whether the form may be closed: asks if something would be lost. */
    mayLeave: () => !dirty || confirm(say('Leave without saving your changes?')),
  };
}

function placeEditError(error: unknown): FormErrors | undefined {
  if (isSignedOut(error)) return { '': SIGNED_OUT };
  const field =
    error instanceof RequestError && (error.code.includes('SHORT') ? 'short' : FIELDS[error.code]);
  return field ? { [field]: error.message } : undefined;
}
