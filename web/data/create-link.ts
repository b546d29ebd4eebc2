import { STORAGE_PREFIX } from '../../contract/limits.ts';
import type { RuntimeConfig } from '../../contract/runtime-config.ts';
import { graphql, type VariablesOf } from './graphql.ts';
import { requestGraphql } from './request-graphql.ts';

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
export async function createLink(config: RuntimeConfig, link: NewLink): Promise<string> {
  const { content, ...rest } = link;
  if (!('key' in content)) return requestLink(config, { type: 'link', ...content, ...rest });
  const id = linkIdOf(content.key);
  try {
    return await requestLink(config, { id, type: 'file', ...content, ...rest });
  } catch (error) {
    // An earlier try may have succeeded and only its answer have been lost.
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
