import { formatBytes } from '../../contract/format-bytes.ts';
import { MAX_DESCRIPTION_LENGTH, MAX_TITLE_LENGTH, MAX_URL_LENGTH } from '../../contract/limits.ts';
import { checkPriceBounds, dollarsToCents } from '../../contract/money.ts';
import type { RuntimeConfig } from '../../contract/runtime-config.ts';
import { TEXTS } from '../../contract/texts.ts';

type Limits = Pick<RuntimeConfig, 'maxFileBytes' | 'minimumPriceCents'>;

export function checkFile(file: File | null, { maxFileBytes }: Limits): string | undefined {
  if (!file) return TEXTS.selectFile;
  if (file.size === 0) return 'This file is empty.';
  if (file.size > maxFileBytes) {
    return `This file is larger than the maximum of ${formatBytes(maxFileBytes)}.`;
  }
  return undefined;
}

export function checkUrl(typed = ''): string | undefined {
  const url = completeUrl(typed);
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (!parsed || !/^https?:$/.test(parsed.protocol)) {
    return 'Enter a full web address that begins with https:// or http://.';
  }
  if (parsed.username || parsed.password) return 'The web address cannot contain a password.';
  if (parsed.href.length > MAX_URL_LENGTH) return 'This web address is too long.';
  return undefined;
}

export function checkPrice(price = '', limits: Limits): string | undefined {
  const dollars = Number(price);
  if (!(dollars > 0)) return TEXTS.invalidPrice;
  return checkPriceBounds(dollarsToCents(dollars), limits.minimumPriceCents);
}

export function checkTitle(title = ''): string | undefined {
  if (title.trim().length <= MAX_TITLE_LENGTH) return undefined;
  return `A title can have at most ${MAX_TITLE_LENGTH} characters.`;
}

export function checkDescription(description = ''): string | undefined {
  if ([...description.trim()].length <= MAX_DESCRIPTION_LENGTH) return undefined;
  return `A description can have at most ${MAX_DESCRIPTION_LENGTH.toLocaleString('en-US')} characters.`;
}

const HOST_FIRST = /^[^\s/:@?#]+\.[^\s/:@?#]+(:\d+)?([/?#]|$)/;

/** example.com/course -> https://example.com/course; anything else as it was typed. */
export function completeUrl(typed: string): string {
  const url = typed.trim();
  return HOST_FIRST.test(url) ? `https://${url}` : url;
}
