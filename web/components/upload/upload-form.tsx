import type { FormEvent } from 'react';
import { TEXTS } from '../../../contract/texts.ts';
import type { UploadDraft } from '../../data/upload-draft.ts';
import { useHydrated } from '../../data/use-hydrated.ts';
import { type MadeLink, useNewLink } from '../../data/use-new-link.ts';
import { useUploadDraft } from '../../data/use-upload-draft.ts';
import type { PageContext } from '../../page.ts';
import { Field } from '../field.tsx';
import { FormError } from '../form-error.tsx';
import { FilePicker } from './file-picker.tsx';
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

const TYPED = ['price', 'title', 'url'];

/** Everything it takes to make a link; the whole form takes a dropped file. */
export function UploadForm({ ctx, begun, onMade }: UploadFormProps) {
  const { draft, change } = useUploadDraft(ctx.viewer?.id, begun);
  const { kind } = draft;
  const { form, file, setFile, progress, cancel } = useNewLink(ctx, kind, (link) =>
    onMade(link, draft),
  );
  const hydrated = useHydrated();
  const { errors, busy } = form;

  function noteTyped(event: FormEvent<HTMLFormElement>) {
    const { name, value } = event.target as HTMLInputElement;
    if (TYPED.includes(name)) change({ [name]: value });
    form.formProps.onInput(event);
  }

  return (
    <form
      {...form.formProps}
      className="card space-y-6 p-6 shadow-card sm:p-8"
      method="post"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        const dropped = event.dataTransfer.files[0];
        if (!dropped || busy) return;
        change({ kind: 'file' });
        setFile(dropped);
      }}
      onInput={noteTyped}
    >
      <div>
        {kind === 'file' ? (
          <FilePicker disabled={busy} error={errors.file} file={file} onChoose={setFile} />
        ) : (
          <Field
            defaultValue={draft.url}
            disabled={busy}
            error={errors.url}
            hint="Buyers are led to this address after they paid."
            inputMode="url"
            label="Web address"
            name="url"
            placeholder="https://"
            type="url"
          />
        )}
        <button
          className="text-link mt-1 min-h-11 text-sm"
          disabled={!hydrated || busy}
          onClick={() => change({ kind: kind === 'file' ? 'link' : 'file' })}
          type="button"
        >
          {kind === 'file' ? 'or sell a web address' : 'or upload a file'}
        </button>
      </div>
      <PriceField config={ctx.config} disabled={busy} error={errors.price} typed={draft.price} />
      <TitleField
        disabled={busy}
        error={errors.title}
        file={kind === 'file' ? file : null}
        typed={draft.title}
      />
      {progress && <UploadMeter onCancel={cancel} progress={progress} />}
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
    </form>
  );
}
