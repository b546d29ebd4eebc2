import { type ComponentProps, type ReactNode, useEffect, useState } from 'react';
import { cutCharacters } from '../../contract/characters.ts';
import type { Said } from '../../contract/fact.ts';
import type { FormErrors } from '../../contract/form-errors.ts';
import { MAX_DESCRIPTION_LENGTH, MAX_TITLE_LENGTH } from '../../contract/limits.ts';
import { lastPart } from '../../contract/links.ts';
import type { UploadRoom } from '../../contract/page-context.ts';
import { UPLOAD_TEXTS } from '../../contract/upload-texts.ts';
import { type Sentence, say, spoken, tell } from '../languages/say.ts';
import { signInAddress } from '../lib/sign-in-again.ts';
import { useHydrated } from '../lib/use-hydrated.ts';
import { useOnDemand } from '../lib/use-on-demand.ts';
import type { PageContext } from '../page.ts';
import { Alert, FormError } from '../ui/alert.tsx';
import { UnlistedBox } from '../ui/check-box.tsx';
import { Field, TextArea } from '../ui/field.tsx';
import { UploadIcon } from '../ui/icons.tsx';
import { PriceField } from '../ui/price-field.tsx';
import type { Choice } from './choose-files.ts';
import { FilePicker } from './file-picker.tsx';
import type { Cover, MoreFieldsProps } from './more-fields.tsx';
import { type UploadDraft, useUploadDraft } from './upload-draft.ts';
import { isPaused, UploadMeter } from './upload-meter.tsx';
import type { QueuedFile, QueueState, UploadQueue } from './upload-queue.ts';
import { describeChosen, describeLimits, useChoices } from './use-choices.ts';
import { type MadeLink, useNewLink } from './use-new-link.ts';
import { useUploadDrops } from './use-upload-drops.ts';

interface UploadFormProps {
  ctx: PageContext;
  room: UploadRoom;
  asksSellerName: boolean;
  /** What had been typed before. */
  begun: UploadDraft;
  onSend(): void;
  onMade(link: MadeLink, draft: UploadDraft): Promise<void>;
}

/** Everything needed to create a link; files and web addresses can be dropped on the whole page. */
export function UploadForm({ ctx, room, asksSellerName, begun, ...events }: UploadFormProps) {
  const { draft, change, noteTyped } = useUploadDraft(ctx.viewer?.id, begun);
  const { kind } = draft;
  const [cover, setCover] = useState<Cover | null>(null);
  const { form, queue, state } = useNewLink({
    ctx,
    draft,
    room,
    kept: begun.files ?? [],
    cover,
    onKeep: (files) => change({ files }),
    onSend: events.onSend,
    onMade: (link) => events.onMade(link, draft),
  });
  const hydrated = useHydrated();
  const { errors, busy } = form;
  const working: Sentence = kind === 'file' && isPaused(state) ? 'Paused' : 'Uploading...';
  const { said, choose, forget } = useChoices(queue, form);
  const note = busy ? '' : describeChosen(kind === 'file' ? state.files : [], said);
  const held = useUploadDrops({
    disabled: busy,
    onChoice(choice) {
      take({ kind: 'file' });
      choose(choice, 'dropped');
    },
    onUrl(url) {
      take({ kind: 'link', url });
      form.forgetError('url');
      forget(say('The web address was filled in.'));
    },
  });

  function take(part: Partial<UploadDraft>) {
    change(part);
    if (!part.kind) return;
    form.forgetError('');
    forget();
  }
  return (
    <form
      {...form.formProps}
      className="card space-y-6 p-6 shadow-card sm:p-8"
      method="post"
      onInput={(event) => {
        noteTyped(event.target as HTMLInputElement);
        form.formProps.onInput(event);
      }}
    >
      <ContentField
        disabled={busy}
        draft={draft}
        errors={errors}
        limits={describeLimits(ctx.config.maxFileBytes, room)}
        onChange={take}
        onChoice={choose}
        queue={queue}
        state={state}
      >
        {said.isFault && <Alert>{said.text}</Alert>}
        <p className={note ? 'mt-2 text-sm text-muted' : undefined} role="status">
          {note}
        </p>
      </ContentField>
      <PriceField config={ctx.config} disabled={busy} error={errors.price} typed={draft.price} />
      <div>
        <TitleField
          disabled={busy}
          error={errors.title}
          suggestion={kind === 'file' ? suggestTitle(state.files) : ''}
          typed={draft.title}
        />
        {asksSellerName && (
          <Field
            autoComplete="organization"
            className="mt-6"
            defaultValue={begun.sellerName ?? ctx.viewer?.firstName}
            disabled={busy}
            error={errors.sellerName}
            hint={say('Shown to buyers on your links. Leave blank to sell without a name.')}
            label={say('Seller name (optional)')}
            name="sellerName"
          />
        )}
        <MoreOptions
          disabled={busy}
          errors={errors}
          onCover={(chosen) => setCover(() => chosen)}
          typed={begun}
        />
      </div>
      {busy && kind === 'file' && (
        <UploadMeter ending="Creating the link..." queue={queue} state={state} />
      )}
      {errors[''] && (
        <div>
          <FormError>{errors['']}</FormError>
          {errors[''] === UPLOAD_TEXTS.notAuthenticated && <SignInHint kind={kind} />}
          {errors.reason && <p className="mt-2 text-sm text-muted">{tell(errors.reason)}</p>}
        </div>
      )}
      <button
        className="button button-primary w-full text-lg"
        aria-busy={busy}
        disabled={!hydrated || busy}
        type="submit"
      >
        {say(busy ? working : 'Upload')}
      </button>
      {held && <DropTarget />}
    </form>
  );
}

interface ContentFieldProps {
  draft: UploadDraft;
  onChange(part: Partial<UploadDraft>): void;
  queue: UploadQueue;
  state: QueueState;
  limits: string;
  onChoice(choice: Choice, how: 'instead' | 'beside'): void;
  errors: FormErrors;
  disabled: boolean;
  /** What became of what was chosen. */
  children: ReactNode;
}

/** What is sold: files, or a web address instead. */
function ContentField(props: ContentFieldProps) {
  const { draft, onChange, queue, state, limits, onChoice, errors, disabled, children } = props;
  const hydrated = useHydrated();
  const isFile = draft.kind === 'file';
  return (
    <div>
      {isFile ? (
        <FilePicker
          busy={disabled}
          error={errors.file}
          limits={limits}
          onChoice={onChoice}
          queue={queue}
          state={state}
        />
      ) : (
        <AddressField
          disabled={disabled}
          error={errors.url}
          onChange={(event) => onChange({ url: event.currentTarget.value })}
          placeholder="https://"
          value={draft.url ?? ''}
        />
      )}
      {children}
      <button
        className={`text-link mt-1 min-h-11 text-sm ${disabled ? 'opacity-50' : ''}`}
        disabled={!hydrated || disabled}
        onClick={() => onChange({ kind: isFile ? 'link' : 'file' })}
        type="button"
      >
        {say(isFile ? 'or sell a web address' : 'or upload a file')}
      </button>
    </div>
  );
}

/** The web address that is sold. */
export function AddressField(props: Omit<ComponentProps<typeof Field>, 'label'>) {
  return (
    <Field
      {...props}
      hint={say('Buyers are taken to this address after they pay.')}
      inputMode="url"
      label={say('Web address')}
      name="url"
      type="url"
    />
  );
}

const loadMore = () => import('./more-fields.tsx').then(({ MoreFields }) => MoreFields);

/** What most links go without; folded away, so that the form stays small, and loaded once opened. */
function MoreOptions({ typed, errors, disabled, onCover }: MoreFieldsProps) {
  const { description, unlisted, least, copies, until } = typed;
  const [open, setOpen] = useState(Boolean(description || unlisted || least || copies || until));
  const more = useOnDemand(loadMore);
  const isShown = open || OPTIONS.some((name) => errors[name]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once it is open.
  useEffect(() => {
    if (isShown && !more.Shown) void more.open();
  }, [isShown]);
  return (
    <details
      className="mt-1"
      onToggle={(event) => setOpen(event.currentTarget.open)}
      open={isShown}
    >
      <summary className="disclosure">{say('More options')}</summary>
      <div className="mt-2 space-y-5">
        <TextArea
          defaultValue={description}
          disabled={disabled}
          error={errors.description}
          hint={say('What is in it, and who it is for. At most {count} characters.', {
            count: MAX_DESCRIPTION_LENGTH.toLocaleString(spoken()?.language ?? 'en-US'),
          })}
          label={say('Description (optional)')}
          name="description"
        />
        <UnlistedBox checked={unlisted ?? false} disabled={disabled} />
        {more.failure && <Alert>{more.failure}</Alert>}
        {more.Shown && (
          <more.Shown disabled={disabled} errors={errors} onCover={onCover} typed={typed} />
        )}
      </div>
    </details>
  );
}

/** Of the fields that are folded away. */
const OPTIONS = ['description', 'least', 'copies'];

/** Covers the page while files are held over it: they may be dropped anywhere. */
export function DropTarget() {
  return (
    <div className="drop-target">
      <p>
        <UploadIcon className="size-10" />
        {say('Drop files anywhere')}
      </p>
    </div>
  );
}

interface TitleFieldProps {
  /** The title until another one is typed. */
  suggestion: string;
  typed: string | undefined;
  error: Said | undefined;
  disabled: boolean;
}

/** What buyers read of the content before they pay. */
function TitleField({ suggestion, typed, error, disabled }: TitleFieldProps) {
  const [title, setTitle] = useState(typed);
  return (
    <Field
      disabled={disabled}
      error={error}
      hint={say('Shown to buyers, in lists of links and on receipts.')}
      label={say('Title (optional)')}
      name="title"
      onChange={(event) => setTitle(event.currentTarget.value)}
      value={title ?? suggestion}
    />
  );
}

/** The way to go on after the session ended. */
function SignInHint({ kind }: { kind: 'file' | 'link' }) {
  return (
    <p className="mt-3">
      <a
        className="text-link inline-flex min-h-11 items-center font-medium"
        href={`${signInAddress()}&mode=sign-in`}
      >
        {say('Sign in to continue')}
      </a>
      <span className="block text-sm text-muted">
        {say('What you entered is kept.')}
        {kind === 'file' && ` ${say('You will have to choose the file again.')}`}
      </span>
    </p>
  );
}

/** Refused in a title by the server, since they change how it reads. */
const INVISIBLE = /[\p{Cc}\p{Bidi_Control}]/gu;
const STEM = /^(.+)\.[\p{L}\p{N}]{1,8}$/u;

/**
 * The first file's name as a title, or that of its folder: "Study pack.pdf" -> "Study pack". Only here,
 * where its creator sees it: a name may say too much of what is sold.
 */
function suggestTitle([first, second]: readonly QueuedFile[]): string {
  if (!first) return '';
  const [folder = ''] = first.path.split('/', 1);
  const isOfFolder = second && first.path.includes('/') && second.path.startsWith(`${folder}/`);
  const name = isOfFolder ? folder : lastPart(first.name).replace(STEM, '$1');
  const stem = name.normalize('NFC').replace(INVISIBLE, '');
  return cutCharacters(stem, MAX_TITLE_LENGTH).trim();
}
