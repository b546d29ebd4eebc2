import {
  checkDescription,
  checkTitle,
  checkTypedPrice,
  checkUrl,
  tidyDescription,
  tidyTitle,
} from '../../contract/link-rules.ts';
import { dollarsToCents } from '../../contract/money.ts';
import type { RuntimeConfig } from '../../contract/runtime-config.ts';
import { UPLOAD_TEXTS } from '../../contract/upload-texts.ts';
import { graphql, type VariablesOf } from '../lib/graphql.ts';
import { messageOf } from '../lib/request-error.ts';
import { requestGraphql } from '../lib/request-graphql.ts';
import { checkTerms, readTerms } from '../lib/sale-terms.ts';
import { firstError, useForm } from '../lib/use-form.ts';
import type { PageContext } from '../page.ts';
import type { Cover } from './more-fields.tsx';
import { completeUrl, type UploadDraft } from './upload-draft.ts';
import { type KeptFile, linkIdOf } from './upload-queue.ts';
import {
  checkFiles,
  isAboutKey,
  placeUploadError,
  untilAnswered,
  useLeaveWarning,
  useUploadQueue,
} from './use-upload-queue.ts';

export interface MadeLink {
  id: string;
  title: string | null;
  /** What it takes of the account's quota. */
  sizeBytes: number;
  /** Why it has no cover though one was chosen. */
  coverFault: string | null;
}

interface NewLinkOptions {
  ctx: PageContext;
  draft: UploadDraft;
  /** What is left of the account's quota, bytes. */
  roomBytes: number;
  /** The files of before a reload. */
  kept: readonly KeptFile[];
  cover: Cover | null;
  onKeep(files: KeptFile[] | undefined): void;
  onMade(link: MadeLink): void;
}

/** The upload form: checks in the specified order, sends the files, then creates the link. */
export function useNewLink({ ctx, draft, roomBytes, cover, ...options }: NewLinkOptions) {
  const { kind } = draft;
  const { queue, state } = useUploadQueue(ctx.viewer?.id ?? '', options.kept, options.onKeep);

  const form = useForm({
    check: ({ url = '', price = '', title = '', description = '' }) =>
      firstError({
        ...(kind === 'file'
          ? { file: checkFiles(state.files, ctx.config.maxFileBytes, roomBytes) }
          : { url: checkUrl(completeUrl(url)) }),
        price: checkTypedPrice(price, ctx.config),
        ...checkTerms(draft, price, ctx.config),
        '': !ctx.viewer && UPLOAD_TEXTS.notAuthenticated,
        title: checkTitle(tidyTitle(title)),
        description: checkDescription(tidyDescription(description)),
      }),
    async send({ url = '', price = '', title = '', description = '', unlisted }) {
      const owner = ctx.viewer?.id ?? '';
      const files = kind === 'file' ? await queue.run() : null;
      try {
        const content = files ? { files } : { url: completeUrl(url) };
        const cents = dollarsToCents(Number(price));
        const texts = { title: title.trim() || null, description: description.trim() || null };
        const shown = { ...texts, unlisted: unlisted === 'on' };
        const link = { content, price: cents, owner, ...shown, ...readTerms(draft) };
        const id = await createLink(ctx.config, link);
        if (files) await queue.forget();
        const sizeBytes = files ? queue.read().files.reduce((sum, { size }) => sum + size, 0) : 0;
        const coverFault = cover && (await sendCover(cover, id));
        options.onMade({ id, title: link.title, sizeBytes, coverFault });
      } catch (error) {
        if (isAboutKey(error)) await queue.beginAnew();
        throw error;
      }
    },
    place: placeUploadError,
  });
  useLeaveWarning(form.busy);
  return { form, queue, state };
}

/** What went wrong, a sentence; the link is there all the same. */
async function sendCover(send: Cover, linkId: string): Promise<string | null> {
  try {
    await send(linkId);
    return null;
  } catch (error) {
    return messageOf(error);
  }
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

type LinkInput = Omit<VariablesOf<typeof createPaywallLink>['input'], 'unlocked'>;

interface NewLink extends Omit<LinkInput, 'id' | 'type' | 'key' | 'files' | 'url'> {
  /** What is sold: the keys of uploaded files, or a web address. */
  content: { files: string[] } | { url: string };
}

/** Creates a locked link and returns its id. Throws RequestError. */
async function createLink(config: RuntimeConfig, link: NewLink): Promise<string> {
  const { content, ...rest } = link;
  if (!('files' in content)) return requestLink(config, { type: 'link', ...content, ...rest });
  const [key = ''] = content.files;
  const id = linkIdOf(key) ?? '';
  const several = content.files.length > 1 && content;
  return untilAnswered(async () => {
    try {
      return await requestLink(config, { id, type: 'file', key, ...several, ...rest });
    } catch (error) {
      // An earlier attempt may have succeeded, with only its response lost.
      if (await isMade(config, id, key, link.price)) return id;
      throw error;
    }
  });
}

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
