import { useEffect, useRef, useState } from 'react';
import { STORAGE_PREFIX } from '../../contract/limits.ts';
import {
  checkDescription,
  checkFileSize,
  checkTitle,
  checkTypedPrice,
  checkUrl,
  tidyDescription,
  tidyTitle,
} from '../../contract/link-rules.ts';
import { dollarsToCents } from '../../contract/money.ts';
import type { RuntimeConfig } from '../../contract/runtime-config.ts';
import { TEXTS } from '../../contract/texts.ts';
import { graphql, type VariablesOf } from '../lib/graphql.ts';
import { messageOf, RequestError } from '../lib/request-error.ts';
import { requestGraphql } from '../lib/request-graphql.ts';
import { isSignedOut } from '../lib/sign-in-again.ts';
import { type FormErrors, firstError, useForm } from '../lib/use-form.ts';
import type { PageContext } from '../page.ts';
import { completeUrl } from './upload-draft.ts';
import {
  createSpeedometer,
  FileChanged,
  type RunningUpload,
  UploadCanceled,
  uploadFile,
} from './upload-file.ts';

export interface UploadProgress {
  sentBytes: number;
  totalBytes: number;
  bytesPerSecond: number | null;
  /** The connection was lost and is tried again. */
  interrupted: boolean;
  paused: boolean;
}

const NOTHING_SENT = { sentBytes: 0, bytesPerSecond: null, interrupted: false, paused: false };

export interface MadeLink {
  id: string;
  title: string | null;
  /** What it takes of the account's quota. */
  sizeBytes: number;
}

/** The upload form: checks in the specified order, sends the file, then creates the link. */
export function useNewLink(
  ctx: PageContext,
  kind: 'file' | 'link',
  onMade: (link: MadeLink) => void,
) {
  const [file, setFile] = useState<File | null>(null);
  const [progress, setProgress] = useState<UploadProgress | null>(null);
  const running = useRef<RunningUpload>(null);

  const form = useForm({
    check: ({ url = '', price = '', title = '', description = '' }) =>
      firstError({
        ...(kind === 'file' ? { file: checkFile() } : { url: checkUrl(completeUrl(url)) }),
        price: checkTypedPrice(price, ctx.config.minimumPriceCents),
        '': !ctx.viewer && TEXTS.notAuthenticated,
        title: checkTitle(tidyTitle(title)),
        description: checkDescription(tidyDescription(description)),
      }),
    async send({ url = '', price = '', title = '', description = '', unlisted }) {
      const owner = ctx.viewer?.id ?? '';
      const upload = kind === 'file' ? beginUpload() : null;
      try {
        const content = upload ? { key: await endOf(upload) } : { url: completeUrl(url) };
        const cents = dollarsToCents(Number(price));
        const texts = { title: title.trim() || null, description: description.trim() || null };
        const link = { content, price: cents, owner, ...texts, unlisted: unlisted === 'on' };
        const id = await createLink(ctx.config, link);
        await upload?.forget();
        onMade({ id, title: link.title, sizeBytes: (upload && file?.size) || 0 });
      } catch (error) {
        if (isAboutKey(error)) await upload?.forget();
        throw error;
      }
    },
    place: placeUploadError,
  });

  function checkFile(): string | undefined {
    return file ? checkFileSize(file.size, ctx.config.maxFileBytes) : TEXTS.selectFile;
  }

  function beginUpload(): RunningUpload {
    if (!file) throw new Error('Checked before');
    const speedOf = createSpeedometer();
    const change = (part: Partial<UploadProgress>) =>
      setProgress((last) => last && { ...last, ...part });
    setProgress({ ...NOTHING_SENT, totalBytes: file.size });
    const upload = uploadFile(file, {
      onProgress(sentBytes, totalBytes) {
        const bytesPerSecond = speedOf(sentBytes, Date.now());
        change({ sentBytes, totalBytes, bytesPerSecond, interrupted: false });
      },
      onInterrupted: () => change({ bytesPerSecond: null, interrupted: true }),
    });
    running.current = upload;
    return upload;
  }

  async function endOf(upload: RunningUpload): Promise<string> {
    try {
      return await upload.key;
    } finally {
      running.current = null;
      setProgress(null);
    }
  }

  useEffect(() => {
    if (!form.busy) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [form.busy]);

  function pause() {
    running.current?.pause();
    setProgress((last) => last && { ...last, bytesPerSecond: null, paused: true });
  }

  function resume() {
    setProgress((last) => last && { ...last, paused: false });
    running.current?.resume();
  }

  const transfer = { progress, pause, resume, cancel: () => running.current?.cancel() };
  return { form, file, setFile, transfer };
}

/** The finished upload cannot become this link: the file has to be uploaded again. */
function isAboutKey(error: unknown): boolean {
  const codes = ['LINK_ID_TAKEN', 'KEY_TAKEN', 'INVALID_KEY'];
  return error instanceof RequestError && codes.includes(error.code);
}

function placeUploadError(error: unknown): FormErrors {
  if (error instanceof UploadCanceled) return {};
  if (isSignedOut(error)) return { '': TEXTS.notAuthenticated };
  const reason = error instanceof FileChanged ? error.message : messageOf(error);
  return { '': TEXTS.uploadFailed, reason };
}

const createPaywallLink = graphql(`
  mutation CreatePaywallLink($input: CreatePaywallLinkInput!) {
    createPaywallLink(input: $input) { id }
  }
`);

const madeLink = graphql(`
  query MadeLink($id: ID!) {
    getPaywallLink(id: $id) { mine key price }
  }
`);

interface NewLink {
  /** What is sold: an uploaded file's key, or a web address. */
  content: { key: string } | { url: string };
  /** Cents. */
  price: number;
  owner: string;
  title: string | null;
  description: string | null;
  unlisted: boolean;
}

/** Creates a locked link and returns its id. Throws RequestError. */
async function createLink(config: RuntimeConfig, link: NewLink): Promise<string> {
  const { content, ...rest } = link;
  if (!('key' in content)) return requestLink(config, { type: 'link', ...content, ...rest });
  const id = linkIdOf(content.key);
  try {
    return await requestLink(config, { id, type: 'file', ...content, ...rest });
  } catch (error) {
    // An earlier attempt may have succeeded, with only its response lost.
    if (await isMade(config, id, content.key, link.price)) return id;
    throw error;
  }
}

type LinkInput = Omit<VariablesOf<typeof createPaywallLink>['input'], 'unlocked'>;

async function requestLink(config: RuntimeConfig, link: LinkInput): Promise<string> {
  const input = { ...link, unlocked: false };
  const { createPaywallLink: created } = await requestGraphql(config, createPaywallLink, { input });
  if (!created) throw new Error('The server created no link');
  return created.id;
}

async function isMade(
  config: RuntimeConfig,
  id: string,
  key: string,
  price: number,
): Promise<boolean> {
  try {
    const { getPaywallLink: link } = await requestGraphql(config, madeLink, { id });
    return link?.mine === true && link.key === key && link.price === price;
  } catch {
    return false;
  }
}

/** public/1a2b3c4d-notes.pdf -> 1a2b3c4d: the upload reserved the id for its link. */
function linkIdOf(key: string): string {
  return key.slice(STORAGE_PREFIX.length).split('-', 1)[0] ?? '';
}
