import { STORAGE_PREFIX } from '../../contract/limits.ts';
import { nameLink } from '../../contract/name-link.ts';

interface Named {
  id: string;
  title: string | null;
  key: string | null;
  url: string | null;
}

/** What a creator knows a link by: its title, or else what it sells, which others do not see. */
export function nameOwnLink({ id, title, key, url }: Named): string {
  return title ?? key?.slice(`${STORAGE_PREFIX}${id}-`.length) ?? url ?? nameLink({ id, title });
}
