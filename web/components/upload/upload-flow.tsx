import { useEffect, useRef, useState } from 'react';
import { TEXTS } from '../../../contract/texts.ts';
import { paywallAddress } from '../../data/addresses.ts';
import { dropDraft, readDraft, type UploadDraft } from '../../data/upload-draft.ts';
import type { MadeLink } from '../../data/use-new-link.ts';
import type { PageContext } from '../../page.ts';
import { CheckIcon } from '../icons.tsx';
import { LinkKey } from '../link-key.tsx';
import { LinkMade } from './link-made.tsx';
import { UploadForm } from './upload-form.tsx';

interface Begun {
  draft: UploadDraft;
  attempt: number;
}

const beginAnew = (draft: UploadDraft) => (last: Begun) => ({ draft, attempt: last.attempt + 1 });

/** The upload form with what had been typed before; once a link is made, the link. */
export function UploadFlow({ ctx }: { ctx: PageContext }) {
  const [begun, setBegun] = useState<Begun>({ draft: { kind: 'file' }, attempt: 0 });
  const [made, setMade] = useState<MadeLink | null>(null);
  const content = useRef<HTMLDivElement>(null);
  const focusNext = useRef(false);
  const userId = ctx.viewer?.id;

  useEffect(() => {
    const draft = userId && readDraft(userId);
    if (draft) setBegun(beginAnew(draft));
  }, [userId]);

  useEffect(() => {
    if (made || !focusNext.current) return;
    focusNext.current = false;
    content.current?.querySelector('input')?.focus();
  }, [made]);

  function show(link: MadeLink, { kind, price }: UploadDraft) {
    dropDraft();
    setBegun(beginAnew({ kind, price }));
    setMade(link);
  }

  function beginAnother() {
    focusNext.current = true;
    setMade(null);
  }

  return (
    <div ref={content}>
      <p className={made ? 'mb-4 flex items-center gap-2 font-medium' : undefined} role="status">
        {made && <CheckIcon className="size-5 shrink-0" />}
        {made && TEXTS.uploadDone}
        {made && <LinkKey className="ms-auto w-16 shrink-0" id={made.id} />}
      </p>
      {made ? (
        <LinkMade
          address={paywallAddress(ctx.config.origin, made.id)}
          onAnother={beginAnother}
          title={made.title}
        />
      ) : (
        <UploadForm ctx={ctx} begun={begun.draft} key={begun.attempt} onMade={show} />
      )}
    </div>
  );
}
