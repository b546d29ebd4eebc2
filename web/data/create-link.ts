import { STORAGE_PREFIX } from '../../contract/limits.ts';
import type { RuntimeConfig } from '../../contract/runtime-config.ts';
import { graphql } from './graphql.ts';
import { requestGraphql } from './request-graphql.ts';

const createPaywallLink = graphql(`
  mutation CreatePaywallLink($input: CreatePaywallLinkInput!) {
    createPaywallLink(input: $input) { id }
  }
`);

interface NewLink {
  /** What is sold: an uploaded file's key, or a web address. */
  content: { key: string } | { url: string };
  /** Cents. */
  price: number;
  owner: string;
  title: string | null;
}

/** Creates a locked link and returns its id. Throws RequestError. */
export async function createLink(config: RuntimeConfig, link: NewLink): Promise<string> {
  const { content, ...rest } = link;
  const what =
    'key' in content
      ? { id: linkIdOf(content.key), type: 'file', key: content.key }
      : { type: 'link', url: content.url };
  const input = { ...what, ...rest, unlocked: false };
  const { createPaywallLink: created } = await requestGraphql(config, createPaywallLink, { input });
  if (!created) throw new Error('The server created no link');
  return created.id;
}

/** public/1a2b3c4d-notes.pdf -> 1a2b3c4d: the upload reserved the id for its link. */
function linkIdOf(key: string): string {
  return key.slice(STORAGE_PREFIX.length).split('-', 1)[0] ?? '';
}
