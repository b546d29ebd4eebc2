import type { FormEvent } from 'react';
import { TEXTS } from '../../../contract/texts.ts';
import type { UploadDraft } from '../../data/upload-draft.ts';
import { useHydrated } from '../../data/use-hydrated.ts';
import { type MadeLink, useNewLink } from '../../data/use-new-link.ts';
import { useUploadDraft } from '../../data/use-upload-draft.ts';
import { useUploadDrops } from '../../data/use-upload-drops.ts';
import type { PageContext } from '../../page.ts';
import { UnlistedBox } from '../check-box.tsx';
import { FormError } from '../form-error.tsx';
import { ContentField } from './content-field.tsx';
import { DescriptionField } from './description-field.tsx';
import { DropTarget } from './drop-target.tsx';
import { PriceField } from './price-field.tsx';
import { SignInHint } from './sign-in-hint.tsx';
import { TitleField } from './title-field.tsx';
import { UploadMeter } from './upload-meter.tsx';

interface UploadFormProps {
  ctx: PageContext;
  /** What had been typed before. */
  begun: UploadDraft;
  onMade(link: MadeLink, draft: UploadDraft): void;
}

const TYPED = ['price', 'title', 'description'];

/** Everything it takes to make a link; the whole page takes a file or a web address. */
export function UploadForm({ ctx, begun, onMade }: UploadFormProps) {
  const { draft, change } = useUploadDraft(ctx.viewer?.id, begun);
  const { kind } = draft;
  const { form, file, setFile, transfer } = useNewLink(ctx, kind, (link) => onMade(link, draft));
  const hydrated = useHydrated();
  const { errors, busy } = form;
  const drops = useUploadDrops({
    disabled: busy,
    onFile(chosen) {
      take({ kind: 'file' });
      choose(chosen);
    },
    onUrl(url) {
      take({ kind: 'link', url });
      form.forgetError('url');
    },
  });

  function take(part: Partial<UploadDraft>) {
    change(part);
    if (part.kind) form.forgetError('');
  }

  /** What was said of another file is not said of this one. */
  function choose(chosen: File) {
    setFile(chosen);
    form.forgetError('file');
    form.forgetError('');
  }

  function noteTyped(event: FormEvent<HTMLFormElement>) {
    const { name, value, checked } = event.target as HTMLInputElement;
    if (TYPED.includes(name)) change({ [name]: value });
    if (name === 'unlisted') change({ unlisted: checked });
    form.formProps.onInput(event);
  }

  return (
    <form
      {...form.formProps}
      className="card space-y-6 p-6 shadow-card sm:p-8"
      method="post"
      onInput={noteTyped}
    >
      <div>
        <ContentField
          disabled={busy}
          draft={draft}
          errors={errors}
          file={file}
          onChange={(part) => {
            take(part);
            if (part.kind) drops.forget();
          }}
          onChoose={(chosen) => {
            choose(chosen);
            drops.forget();
          }}
        />
        <p className="text-sm text-muted" role="status">
          {drops.said}
        </p>
      </div>
      <PriceField config={ctx.config} disabled={busy} error={errors.price} typed={draft.price} />
      <div>
        <TitleField
          disabled={busy}
          error={errors.title}
          file={kind === 'file' ? file : null}
          typed={draft.title}
        />
        <DescriptionField disabled={busy} error={errors.description} typed={begun.description} />
      </div>
      <UnlistedBox checked={begun.unlisted ?? false} disabled={busy} />
      <UploadMeter {...transfer} />
      {errors[''] && (
        <div>
          <FormError>{errors['']}</FormError>
          {errors[''] === TEXTS.notAuthenticated && <SignInHint kind={kind} />}
          {errors.reason && <p className="mt-2 text-sm text-muted">{errors.reason}</p>}
        </div>
      )}
      <button
        className="button button-primary w-full text-lg"
        aria-busy={busy}
        disabled={!hydrated || busy}
        type="submit"
      >
        {busy ? 'Uploading...' : 'Upload'}
      </button>
      {drops.held && <DropTarget />}
    </form>
  );
}
