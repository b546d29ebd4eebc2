import { useEffect, useRef, useState } from 'react';
import type { PageData } from '../../contract/page-context.ts';
import { UPLOAD_TEXTS } from '../../contract/upload-texts.ts';
import { say } from '../languages/say.ts';
import { sayWith } from '../languages/say-with.ts';
import { paywallAddress } from '../lib/addresses.ts';
import { definePage, type PageContext, type PageProps } from '../page.ts';
import { SharePanel } from '../selling/sharing/share-panel.tsx';
import { Alert } from '../ui/alert.tsx';
import { CheckIcon } from '../ui/icons.tsx';
import { LinkKey } from '../ui/link-key.tsx';
import { ReplaceFlow } from './replace-form.tsx';
import { dropDraft, readDraft, type UploadDraft } from './upload-draft.ts';
import { UploadForm } from './upload-form.tsx';
import type { MadeLink } from './use-new-link.ts';

export const page = definePage({
  hydrate: 'now',
  head: ({ link }: PageData['upload']) => ({
    title: `${say(link ? 'Replace Content' : 'Upload a File')} · Padlink`,
    robots: 'noindex',
  }),
  Component: UploadPage,
});

function UploadPage({ data, ctx }: PageProps<PageData['upload']>) {
  return (
    <div className="mx-auto w-full max-w-xl px-5 py-12 sm:py-16">
      {data.link ? (
        <ReplaceFlow ctx={ctx} link={data.link} roomBytes={data.roomBytes} />
      ) : (
        <UploadFlow ctx={ctx} quotaLeft={data.roomBytes} />
      )}
      <noscript>
        <p className="mt-6 text-muted">
          {say('Uploading requires JavaScript, which is turned off in this browser.')}
        </p>
      </noscript>
    </div>
  );
}

interface Begun {
  draft: UploadDraft;
  attempt: number;
}

const beginAnew = (draft: UploadDraft) => (last: Begun) => ({ draft, attempt: last.attempt + 1 });

/** The upload form with what had been typed before; once a link is created, the link. */
function UploadFlow({ ctx, quotaLeft }: { ctx: PageContext; quotaLeft: number }) {
  const [roomBytes, setRoomBytes] = useState(quotaLeft);
  const [begun, setBegun] = useState<Begun>({ draft: { kind: 'file' }, attempt: 0 });
  const [made, setMade] = useState<MadeLink | null>(null);
  const content = useRef<HTMLDivElement>(null);
  const focusNext = useRef(false);
  const userId = ctx.viewer?.id;

  useEffect(() => {
    const draft = userId && readDraft(userId, null);
    if (draft) setBegun(beginAnew(draft));
  }, [userId]);

  useEffect(() => {
    if (made || !focusNext.current) return;
    focusNext.current = false;
    content.current?.querySelector('input')?.focus();
  }, [made]);

  function show(link: MadeLink, { kind, price }: UploadDraft) {
    dropDraft(null);
    setBegun(beginAnew({ kind, price }));
    setRoomBytes((room) => Math.max(0, room - link.sizeBytes));
    setMade(link);
  }

  function beginAnother() {
    focusNext.current = true;
    setMade(null);
  }

  return (
    <div ref={content}>
      <h1 className="mb-8 text-3xl sm:text-4xl">{say('Upload a File')}</h1>
      {!made && (
        <p className="-mt-5 mb-8 text-lg text-muted">
          {say('Set your price and generate a paywall link.')}
        </p>
      )}
      <p className={made ? 'mb-4 flex items-center gap-2 font-medium' : undefined} role="status">
        {made && <CheckIcon className="size-5 shrink-0" />}
        {made && say(UPLOAD_TEXTS.uploadDone)}
        {made && <LinkKey className="ms-auto w-16 shrink-0" id={made.id} />}
      </p>
      {made ? (
        <LinkMade
          address={paywallAddress(ctx.config.origin, made.id)}
          coverFault={made.coverFault}
          onAnother={beginAnother}
          title={made.title}
        />
      ) : (
        <UploadForm
          ctx={ctx}
          begun={begun.draft}
          key={begun.attempt}
          onMade={show}
          roomBytes={roomBytes}
        />
      )}
    </div>
  );
}

interface LinkMadeProps {
  address: string;
  title: string | null;
  coverFault: string | null;
  onAnother(): void;
}

/** The new link, ready to be shared, and where to go from here. */
function LinkMade({ address, title, coverFault, onAnother }: LinkMadeProps) {
  return (
    <>
      {coverFault && (
        <div className="mb-4">
          <Alert>
            {`${say('The cover was not saved.')} ${coverFault} `}
            {sayWith('You can choose one on {page}.', {
              page: (
                <a className="text-link" href={address}>
                  {say('the page of your link')}
                </a>
              ),
            })}
          </Alert>
        </div>
      )}
      <div className="card p-6 shadow-card sm:p-8">
        <SharePanel address={address} title={title} />
      </div>
      <div className="mt-6 flex flex-wrap gap-3">
        <button className="button button-secondary" onClick={onAnother} type="button">
          {say('Upload another')}
        </button>
        <a className="button button-secondary" href="/dashboard">
          {say('Go to Dashboard')}
        </a>
      </div>
    </>
  );
}
