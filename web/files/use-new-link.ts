import {
  checkDescription,
  checkTitle,
  checkTypedPrice,
  checkUrl,
  tidyDescription,
  tidyTitle,
} from '../../contract/link-rules.ts';
import { dollarsToCents } from '../../contract/money.ts';
import type { UploadRoom } from '../../contract/page-context.ts';
import type { RuntimeConfig } from '../../contract/runtime-config.ts';
import { checkSellerName, tidySellerName } from '../../contract/seller-rules.ts';
import { UPLOAD_TEXTS } from '../../contract/upload-texts.ts';
import { type ExploreItem, exploreItem } from '../catalog/listing/explore-item.ts';
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
  /** As everybody finds it. */
  link: ExploreItem;
  /** What it takes of the account's quota. */
  sizeBytes: number;
  /** Why it has no cover though one was chosen. */
  coverFault: string | null;
}

interface NewLinkOptions {
  ctx: PageContext;
  draft: UploadDraft;
  room: UploadRoom;
  /** The files of before a reload. */
  kept: readonly KeptFile[];
  cover: Cover | null;
  onKeep(files: KeptFile[] | undefined): void;
  onSend(): void;
  onMade(link: MadeLink): Promise<void>;
}

/** The upload form: checks in the specified order, sends the files, then creates the link. */
export function useNewLink({ ctx, draft, room, cover, ...options }: NewLinkOptions) {
  const { kind } = draft;
  const { queue, state } = useUploadQueue(ctx.viewer?.id ?? '', options.kept, options.onKeep);

  const form = useForm({
    check: ({ url = '', price = '', title = '', description = '', sellerName = '' }) =>
      firstError({
        ...(kind === 'file'
          ? { file: checkFiles(state.files, ctx.config.maxFileBytes, room) }
          : { url: checkUrl(completeUrl(url)) }),
        price: checkTypedPrice(price, ctx.config),
        ...checkTerms(draft, price, ctx.config),
        '': !ctx.viewer && UPLOAD_TEXTS.notAuthenticated,
        title: checkTitle(tidyTitle(title)),
        description: checkDescription(tidyDescription(description)),
        sellerName: checkSellerName(tidySellerName(sellerName)),
      }),
    async send({ url = '', price = '', title = '', description = '', unlisted, sellerName }) {
      options.onSend();
      const owner = ctx.viewer?.id ?? '';
      const files = kind === 'file' ? await queue.run() : null;
      try {
        const content = files ? { files } : { url: completeUrl(url) };
        const cents = dollarsToCents(Number(price));
        const texts = { title: title.trim() || null, description: description.trim() || null };
        const shown = { ...texts, unlisted: unlisted === 'on' };
        const input = { content, price: cents, owner, ...shown, ...readTerms(draft) };
        const made = await createLink(ctx.config, input, sellerName);
        if (files) await queue.forget();
        const sizeBytes = files ? queue.read().files.reduce((sum, { size }) => sum + size, 0) : 0;
        await options.onMade({ sizeBytes, ...(await addCover(made, cover)) });
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

/** The link is there all the same when it goes wrong. */
async function addCover(
  link: ExploreItem,
  send: Cover | null,
): Promise<Pick<MadeLink, 'link' | 'coverFault'>> {
  try {
    return { link: send ? { ...link, cover: await send(link.id) } : link, coverFault: null };
  } catch (error) {
    return { link, coverFault: messageOf(error) };
  }
}

const createPaywallLink = graphql(
  `
    mutation CreatePaywallLink(
      $input: CreatePaywallLinkInput!, $sellerName: String, $named: Boolean!
    ) {
      setSellerName(name: $sellerName) @include(if: $named)
      createPaywallLink(input: $input) { ...ExploreItem }
    }
  `,
  [exploreItem],
);

const madeLink = graphql(
  `
    query MadeLink($id: ID!) {
      getPaywallLink(id: $id) { mine key ...ExploreItem }
    }
  `,
  [exploreItem],
);

type LinkInput = Omit<VariablesOf<typeof createPaywallLink>['input'], 'unlocked'>;

interface NewLink extends Omit<LinkInput, 'id' | 'type' | 'key' | 'files' | 'url'> {
  /** What is sold: the keys of uploaded files, or a web address. */
  content: { files: string[] } | { url: string };
}

/**
 * Creates a locked link.
 * @param sellerName what the seller said when asked for it; undefined where they were not
 * @throws RequestError
 */
async function createLink(
  config: RuntimeConfig,
  { content, ...rest }: NewLink,
  sellerName: string | undefined,
): Promise<ExploreItem> {
  const request = async (link: LinkInput) => {
    const variables = {
      input: { ...link, unlocked: false },
      sellerName: sellerName ?? null,
      named: sellerName !== undefined,
    };
    const answer = await requestGraphql(config, createPaywallLink, variables);
    if (!answer.createPaywallLink) throw new Error('The server created no link');
    return answer.createPaywallLink;
  };
  if (!('files' in content)) return request({ type: 'link', ...content, ...rest });
  const [key = ''] = content.files;
  const id = linkIdOf(key) ?? '';
  const several = content.files.length > 1 && content;
  return untilAnswered(async () => {
    try {
      return await request({ id, type: 'file', key, ...several, ...rest });
    } catch (error) {
      // An earlier attempt may have succeeded, with only its response lost.
      const made = await findMade(config, id, key);
      if (made?.price === rest.price) return made;
      throw error;
    }
  });
}

async function findMade(
  config: RuntimeConfig,
  id: string,
  key: string,
): Promise<ExploreItem | null> {
  try {
    const { getPaywallLink: link } = await requestGraphql(config, madeLink, { id });
    return link?.mine && link.key === key ? link : null;
  } catch {
    return null;
  }
}
