import { STORAGE_PREFIX } from '../../contract/limits.ts';
import { nameLink } from './format.ts';

/**
 * Checks access to the content and redirects to it; also without JavaScript.
 * @param version another than what the viewer gets unasked
 */
export function contentAddress(id: string, file = 0, version?: number): string {
  const address = `/p/${id}/content`;
  if (version) return `${address}?version=${version}&file=${file}`;
  return file === 0 ? address : `${address}?file=${file}`;
}

/** All files of an unlocked link, as one archive. */
export function archiveAddress(id: string, version?: number): string {
  return `/p/${id}/content.zip${version ? `?version=${version}` : ''}`;
}

/** All of what an unlocked link brings: several files come as an archive. */
export function deliveryAddress(id: string, files: readonly unknown[] | null | undefined): string {
  return files && files.length > 1 ? archiveAddress(id) : contentAddress(id);
}

/** Shows a file in the browser. @param address a `contentAddress` of it */
export function openAddress(address: string): string {
  return `${address}${address.includes('?') ? '&' : '?'}open=1`;
}

export function paywallAddress(origin: string, id: string): string {
  return `${origin}/p/${id}`;
}

interface Named {
  id: string;
  title: string | null;
  key: string | null;
  url: string | null;
}

/** A creator's name for a link: its title, or what it sells, which others do not see. */
export function nameOwnLink({ id, title, key, url }: Named): string {
  return title ?? key?.slice(`${STORAGE_PREFIX}${id}-`.length) ?? url ?? nameLink({ id, title });
}
