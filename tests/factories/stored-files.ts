import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Person, readJson } from '../harness/person.ts';
import { graphql } from './factories.ts';

/** The answer to a deletion: its status, and what a refusal says. */
export async function deleteFile(person: Person, key: string) {
  const path = `/storage?key=${encodeURIComponent(key)}`;
  const answer = await person.fetch(path, { method: 'DELETE' });
  const body = answer.status === 204 ? {} : ((await answer.json()) as { code: string });
  return { status: answer.status, ...body, requestId: undefined };
}

export const deleteLink = (person: Person, id: string) =>
  graphql(person, 'mutation ($id: ID!) { deletePaywallLink(input: { id: $id }) { id } }', { id });

export const RESTORE_LINK =
  'mutation ($id: ID!) { restorePaywallLink(input: { id: $id }) { id deletedAt } }';

export async function storedKeys(person: Person): Promise<string[]> {
  const list = await readJson<{ items: { key: string }[] }>(await person.fetch('/storage/list'));
  return list.items.map(({ key }) => key);
}

/** The blobs that a data folder holds, beside their installation's id and the quarantine. */
export async function listBlobs(dataDir: string): Promise<string[]> {
  const names = await readdir(join(dataDir, 'blobs'));
  return names.filter((name) => /^[0-9a-f]{32}$/.test(name)).sort();
}
