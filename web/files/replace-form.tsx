import { useEffect, useRef, useState } from 'react';
import { checkUrl } from '../../contract/link-rules.ts';
import type { LinkContent, UploadRoom } from '../../contract/page-context.ts';
import { UPLOAD_TEXTS } from '../../contract/upload-texts.ts';
import { type Sentence, say, tell } from '../languages/say.ts';
import { nameOwnLink } from '../lib/addresses.ts';
import { graphql } from '../lib/graphql.ts';
import { requestGraphql } from '../lib/request-graphql.ts';
import { signInAddress } from '../lib/sign-in-again.ts';
import { firstError, useForm } from '../lib/use-form.ts';
import type { PageContext } from '../page.ts';
import { Alert, FormError } from '../ui/alert.tsx';
import { TellBuyersBox } from '../ui/check-box.tsx';
import { CheckIcon } from '../ui/icons.tsx';
import { FilePicker } from './file-picker.tsx';
import { completeUrl, dropDraft, keepDraft, readDraft, type UploadDraft } from './upload-draft.ts';
import { AddressField, DropTarget } from './upload-form.tsx';
import { isPaused, UploadMeter } from './upload-meter.tsx';
import type { KeptFile } from './upload-queue.ts';
import { describeChosen, describeLimits, useChoices } from './use-choices.ts';
import { useUploadDrops } from './use-upload-drops.ts';
import {
  checkFiles,
  isAboutKey,
  placeUploadError,
  untilAnswered,
  useLeaveWarning,
  useUploadQueue,
} from './use-upload-queue.ts';

interface ReplaceProps {
  ctx: PageContext;
  link: LinkContent;
  /** What may still be uploaded, bytes. */
  room: UploadRoom;
}

interface Begun extends Pick<UploadDraft, 'tell'> {
  files: KeptFile[];
  attempt: number;
}

/** Puts other content on sale under the same link. */
export function ReplaceFlow({ ctx, link, room }: ReplaceProps) {
  const [begun, setBegun] = useState<Begun>({ files: link.files.map(asSold), attempt: 0 });
  const [done, setDone] = useState(false);
  const name = nameOwnLink({ ...link, key: link.files[0]?.key ?? null });
  const userId = ctx.viewer?.id;
  useEffect(() => {
    const { files, tell } = (userId && readDraft(userId, link.id)) || {};
    if (files) setBegun({ files, tell, attempt: 1 });
  }, [userId, link.id]);

  return (
    <>
      <h1 className="text-3xl sm:text-4xl">{say('Replace content')}</h1>
      <p className="mt-3 mb-8 text-lg text-muted wrap-anywhere">
        {say(done ? '“{name}” has new content.' : 'Choose what “{name}” sells from now on.', {
          name,
        })}
        {` ${say('Buyers keep the version they bought, and can get the new one too.')}`}
      </p>
      <p className={done ? 'mb-4 flex items-center gap-2 font-medium' : undefined} role="status">
        {done && <CheckIcon className="size-5 shrink-0" />}
        {done && say('The content was replaced.')}
      </p>
      {done ? (
        <div className="flex flex-wrap gap-3">
          <a className="button button-primary" href={`/p/${link.id}`}>
            {say('See the link')}
          </a>
          <a className="button button-secondary" href="/dashboard">
            {say('Go to Dashboard')}
          </a>
        </div>
      ) : (
        <ReplaceForm
          begun={begun}
          ctx={ctx}
          key={begun.attempt}
          link={link}
          onDone={() => setDone(true)}
          room={room}
        />
      )}
    </>
  );
}

interface ReplaceFormProps extends ReplaceProps {
  begun: Begun;
  onDone(): void;
}

function ReplaceForm({ ctx, link, room, begun, onDone }: ReplaceFormProps) {
  const isFile = link.type === 'file';
  const userId = ctx.viewer?.id ?? '';
  const tells = useRef(begun.tell);
  const { queue, state } = useUploadQueue(userId, begun.files, (files) => {
    if (files) keepDraft(userId, link.id, { kind: 'file', files, tell: tells.current });
    else dropDraft(link.id);
  });
  const form = useForm({
    check: ({ url = '' }) =>
      firstError(
        isFile
          ? { file: checkFiles(state.files, ctx.config.maxFileBytes, room) }
          : { url: checkUrl(completeUrl(url)) },
      ),
    async send({ url = '', tell }) {
      const tellBuyers = tell === 'on';
      tells.current = tellBuyers;
      const files = isFile ? await queue.run() : null;
      const content = files ? { files } : { url: completeUrl(url) };
      const input = { id: link.id, ...content, tellBuyers };
      try {
        // Repeated, it changes nothing.
        await untilAnswered(() => requestGraphql(ctx.config, replaceContent, { input }));
      } catch (error) {
        if (isAboutKey(error)) await queue.beginAnew();
        throw error;
      }
      await queue.forget();
      dropDraft(link.id);
      onDone();
    },
    place: placeUploadError,
  });
  const { errors, busy } = form;
  useLeaveWarning(busy);
  const working: Sentence = isFile && isPaused(state) ? 'Paused' : 'Saving...';
  const { said, choose } = useChoices(queue, form);
  const held = useUploadDrops({
    disabled: busy || !isFile,
    onChoice: (choice) => choose(choice, 'dropped'),
    onUrl: () => {},
  });

  return (
    <form {...form.formProps} className="card space-y-6 p-6 shadow-card sm:p-8" method="post">
      {isFile ? (
        <div>
          <FilePicker
            busy={busy}
            error={errors.file}
            limits={describeLimits(ctx.config.maxFileBytes, room)}
            onChoice={choose}
            queue={queue}
            state={state}
          />
          {said.isFault && <Alert>{said.text}</Alert>}
          <p className="mt-2 text-sm text-muted" role="status">
            {!busy && describeChosen(state.files, said)}
          </p>
        </div>
      ) : (
        <AddressField defaultValue={link.url ?? ''} disabled={busy} error={errors.url} />
      )}
      <TellBuyersBox checked={begun.tell ?? false} disabled={busy} />
      {busy && isFile && <UploadMeter ending="Saving..." queue={queue} state={state} />}
      {errors[''] && (
        <div>
          <FormError>{errors['']}</FormError>
          {errors[''] === UPLOAD_TEXTS.notAuthenticated && (
            <a
              className="text-link mt-3 inline-flex min-h-11 items-center font-medium"
              href={signInAddress()}
            >
              {say('Sign in to continue')}
            </a>
          )}
          {errors.reason && <p className="mt-2 text-sm text-muted">{tell(errors.reason)}</p>}
        </div>
      )}
      <div className="flex flex-wrap gap-3">
        <button
          aria-busy={busy}
          className="button button-primary flex-1 text-lg"
          disabled={busy}
          type="submit"
        >
          {say(busy ? working : 'Replace')}
        </button>
        {!busy && (
          <a className="button button-secondary" href="/dashboard">
            {say('Cancel')}
          </a>
        )}
      </div>
      {held && <DropTarget />}
    </form>
  );
}

function asSold({ key, name, size }: LinkContent['files'][number]): KeptFile {
  return {
    key,
    name,
    size,
    path: name,
    lastModified: 0,
    begun: true,
    sold: true,
    percent: 100,
  };
}

const replaceContent = graphql(`
  mutation ReplaceContent($input: UpdatePaywallLinkInput!) {
    updatePaywallLink(input: $input) { id }
  }
`);
