import { type ComponentType, useEffect, useRef, useState } from 'react';
import type { PageData } from '../../contract/page-context.ts';
import { UPLOAD_TEXTS } from '../../contract/upload-texts.ts';
import { say } from '../languages/say.ts';
import { paywallAddress } from '../lib/addresses.ts';
import { useOnDemand } from '../lib/use-on-demand.ts';
import { definePage, type PageContext, type PageProps } from '../page.ts';
import { Alert } from '../ui/alert.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { CheckIcon } from '../ui/icons.tsx';
import { ReplaceFlow } from './replace-form.tsx';
import type { ShareNewLinkProps } from './share-new-link.tsx';
import { dropDraft, readDraft, type UploadDraft } from './upload-draft.ts';
import { UploadForm } from './upload-form.tsx';
import type { MadeLink } from './use-new-link.ts';

export const page = definePage({
  hydrate: 'now',
  head: ({ link }: PageData['upload']) => ({
    title: say(link ? 'Replace content' : 'Upload a File'),
    robots: 'noindex',
  }),
  Component: UploadPage,
});

function UploadPage({ data, ctx }: PageProps<PageData['upload']>) {
  return (
    <div className="mx-auto w-full max-w-xl px-5 py-12 sm:py-16">
      {data.link ? (
        <ReplaceFlow ctx={ctx} link={data.link} room={data.room} />
      ) : (
        <UploadFlow {...data} ctx={ctx} />
      )}
      <noscript>
        <p className="mt-6 text-muted">
          {say('Uploading requires JavaScript, which is turned off in this browser.')}
        </p>
      </noscript>
    </div>
  );
}

const loadSharing = () => import('./share-new-link.tsx').then(({ ShareNewLink }) => ShareNewLink);

/** How long the ways to share a link are waited for, before its address is shown alone. */
const PATIENCE_MS = 2_000;

interface Begun {
  draft: UploadDraft;
  attempt: number;
}

const beginAnew = (draft: UploadDraft) => (last: Begun) => ({ draft, attempt: last.attempt + 1 });

/** The upload form with what had been typed before; once a link is created, the link. */
function UploadFlow({ ctx, ...data }: PageData['upload'] & { ctx: PageContext }) {
  const [room, setRoom] = useState(data.room);
  const [asksSellerName, setAsksSellerName] = useState(data.asksSellerName);
  const [begun, setBegun] = useState<Begun>({ draft: { kind: 'file' }, attempt: 0 });
  const [made, setMade] = useState<MadeLink | null>(null);
  const sharing = useOnDemand(loadSharing);
  const content = useRef<HTMLDivElement>(null);
  const focusNext = useRef(false);
  const userId = ctx.viewer?.id;

  useEffect(() => {
    const draft = userId && readDraft(userId, null);
    if (draft) setBegun(beginAnew(draft));
  }, [userId]);

  useEffect(() => {
    document.title = `${say(made ? 'Your link is ready' : 'Upload a File')} · ${ctx.config.siteName}`;
    if (made || !focusNext.current) return;
    focusNext.current = false;
    content.current?.querySelector('input')?.focus();
  }, [made, ctx.config]);

  async function show(done: MadeLink, { kind, price }: UploadDraft) {
    dropDraft(null);
    await Promise.race([sharing.open(), new Promise((end) => setTimeout(end, PATIENCE_MS))]);
    setBegun(beginAnew({ kind, price }));
    setRoom((last) => ({ ...last, bytes: Math.max(0, last.bytes - done.sizeBytes) }));
    setAsksSellerName(false);
    setMade(done);
  }

  function beginAnother() {
    focusNext.current = true;
    setMade(null);
  }

  return (
    <div ref={content}>
      <h1 className={`${made ? 'mb-3' : 'mb-8'} text-3xl sm:text-4xl`}>
        {say(made ? 'Your link is ready' : 'Upload a File')}
      </h1>
      {!made && (
        <p className="-mt-5 mb-8 text-lg text-muted">
          {say('Set your price and generate a paywall link.')}
        </p>
      )}
      <p className={made ? 'mb-8 flex items-center gap-2 text-lg' : undefined} role="status">
        {made && <CheckIcon className="size-5 shrink-0" />}
        {made && say(UPLOAD_TEXTS.uploadDone)}
      </p>
      {made ? (
        <LinkMade
          {...made}
          address={paywallAddress(ctx.config.origin, made.link.id)}
          onAnother={beginAnother}
          Sharing={sharing.Shown}
        />
      ) : (
        <UploadForm
          asksSellerName={asksSellerName}
          begun={begun.draft}
          ctx={ctx}
          key={begun.attempt}
          onMade={show}
          onSend={sharing.open}
          room={room}
        />
      )}
    </div>
  );
}

interface LinkMadeProps extends MadeLink {
  address: string;
  /** Null where it could not be loaded. */
  Sharing: ComponentType<ShareNewLinkProps> | null;
  onAnother(): void;
}

/** The new link, ready to be shared, and where to go from here. */
function LinkMade({ link, coverFault, address, Sharing, onAnother }: LinkMadeProps) {
  return (
    <>
      {coverFault && (
        <div className="mb-4">
          <Alert>{`${say('The cover was not saved.')} ${coverFault}`}</Alert>
        </div>
      )}
      <div className="card p-6 shadow-card sm:p-8">
        {Sharing ? <Sharing address={address} link={link} /> : <AddressAlone address={address} />}
      </div>
      <div className="mt-6 flex flex-wrap gap-3">
        <button className="button button-secondary" onClick={onAnother} type="button">
          {say('Upload another file')}
        </button>
        <a className="button button-secondary" href="/dashboard">
          {say('Go to Dashboard')}
        </a>
      </div>
    </>
  );
}

function AddressAlone({ address }: { address: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <>
      <h2 className="text-xl" ref={heading} tabIndex={-1}>
        {say('Your paywall link:')}
      </h2>
      <a className="text-link my-2 flex min-h-11 items-center break-all" href={address}>
        {address}
      </a>
      <CopyButton of={say('your paywall link')} primary text={address} />
    </>
  );
}
