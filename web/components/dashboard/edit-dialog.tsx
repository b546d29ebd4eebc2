import { useId } from 'react';
import type { RuntimeConfig } from '../../../contract/runtime-config.ts';
import type { OwnLink } from '../../data/link-pages.ts';
import { nameOwnLink } from '../../data/name-link.ts';
import { signInAddress } from '../../data/sign-in-again.ts';
import { SIGNED_OUT, useEditLink } from '../../data/use-edit-link.ts';
import { CheckBox, UnlistedBox } from '../check-box.tsx';
import { Field } from '../field.tsx';
import { FormError } from '../form-error.tsx';
import { TextArea } from '../text-area.tsx';
import { PriceField } from '../upload/price-field.tsx';
import { Dialog } from './dialog.tsx';
import { DialogButtons } from './dialog-buttons.tsx';

interface EditDialogProps {
  config: RuntimeConfig;
  link: OwnLink;
  onSaved(link: OwnLink, said: string): void;
  onClose(): void;
}

/** Changes what buyers read and pay. */
export function EditDialog({ config, link, onSaved, onClose }: EditDialogProps) {
  const id = useId();
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
            hint="Shown to buyers, in the list of links and in the receipt."
            label="Title (optional)"
            name="title"
          />
          <PriceField config={config} disabled={busy} error={errors.price} typed={typed.price} />
          <TextArea
            defaultValue={link.description ?? ''}
            disabled={busy}
            error={errors.description}
            label="Description (optional)"
            name="description"
          />
          <div>
            <CheckBox
              checked={link.free}
              disabled={busy}
              hint="Anybody may open it without paying."
              label="Free"
              name="free"
            />
            <CheckBox
              checked={link.noindex}
              disabled={busy}
              hint="Whoever has the address finds it all the same."
              label="Hide from search engines"
              name="noindex"
            />
            <UnlistedBox checked={link.unlisted} disabled={busy} />
          </div>
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
