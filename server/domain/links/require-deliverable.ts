import { TEXTS } from '../../../contract/texts.ts';
import { DomainError } from '../domain-error.ts';
import type { Link } from './tables.ts';

/**
 * A link whose type does not fit what it holds can be neither sold nor delivered. None is created
 * so; an import or a repair by hand may leave one.
 * @throws DomainError LINK_BROKEN
 */
export function requireDeliverable(link: Link): void {
  const content = link.type === 'file' ? link.key : link.type === 'link' && link.url;
  if (!content) throw new DomainError('LINK_BROKEN', TEXTS.invalidPaywallData);
}
