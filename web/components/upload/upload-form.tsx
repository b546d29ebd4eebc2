import { useState } from 'react';
import { paywallAddress } from '../../data/addresses.ts';
import { useHydrated } from '../../data/use-hydrated.ts';
import { useNewLink } from '../../data/use-new-link.ts';
import type { PageContext } from '../../page.ts';
import { Alert } from '../alert.tsx';
import { Field } from '../field.tsx';
import { FilePicker } from './file-picker.tsx';
import { PriceField } from './price-field.tsx';
import { SharePanel } from './share-panel.tsx';
import { UploadMeter } from './upload-meter.tsx';

/** Everything it takes to make a link; the whole form takes a dropped file. */
export function UploadForm({ ctx }: { ctx: PageContext }) {
  const [kind, setKind] = useState<'file' | 'link'>('file');
  const { form, file, setFile, progress, cancel, createdId } = useNewLink(ctx, kind);
  const hydrated = useHydrated();
  const { errors, busy } = form;

  if (createdId) return <SharePanel address={paywallAddress(ctx.config.origin, createdId)} />;
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
        setKind('file');
        setFile(dropped);
      }}
    >
      <div>
        {kind === 'file' ? (
          <FilePicker disabled={busy} error={errors.file} file={file} onChoose={setFile} />
        ) : (
          <Field
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
          disabled={busy}
          onClick={() => setKind(kind === 'file' ? 'link' : 'file')}
          type="button"
        >
          {kind === 'file' ? 'or sell a web address' : 'or upload a file'}
        </button>
      </div>
      <PriceField config={ctx.config} disabled={busy} error={errors.price} />
      <Field
        disabled={busy}
        error={errors.title}
        hint="Shown to buyers, in the list of links and in the receipt."
        label="Title (optional)"
        name="title"
      />
      {progress && <UploadMeter onCancel={cancel} progress={progress} />}
      {errors[''] && (
        <div>
          <Alert>{errors['']}</Alert>
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
