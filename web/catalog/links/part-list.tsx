import type { Fact } from '../../../contract/fact.ts';
import { priceOf } from '../../../contract/links.ts';
import { say, tell } from '../../languages/say.ts';
import { formatPrice, nameLink } from '../../lib/format.ts';
import { priceSingly } from './price-singly.ts';

interface Part {
  id: string;
  title: string | null;
  /** Cents. */
  price: number;
  least: number | null;
  free: boolean;
  unlocked: boolean;
  summary: Fact[];
  /** That its buyer got with it; null while the seller owes one. */
  licenseKeys: { key: string | null }[];
}

interface PartListProps {
  parts: Part[];
  /** The bundle. */
  link: { price: number; least: number | null; unlocked: boolean };
}

/** What is in a bundle: each part on a page of its own, where it opens once it is bought. */
export function PartList({ parts, link }: PartListProps) {
  const singly = priceSingly(parts);
  return (
    <section aria-labelledby="parts">
      <h3 className="text-base" id="parts">
        {say('In this bundle')}
      </h3>
      <p className="text-sm text-muted">
        {link.unlocked
          ? say('All of it is yours. Each part opens on its own page.')
          : link.least === null &&
            singly > link.price &&
            say('{price} instead of {singly} if bought separately.', {
              price: formatPrice(link.price),
              singly: formatPrice(singly),
            })}
      </p>
      <ul className="mt-1 divide-y divide-line">
        {parts.map((part) => (
          <li className="flex items-baseline justify-between gap-x-4 py-2" key={part.id}>
            <div className="min-w-0">
              <a
                className="text-link inline-flex min-h-11 items-center wrap-anywhere"
                dir="auto"
                href={`/p/${part.id}`}
              >
                {nameLink(part)}
              </a>
              <p className="text-sm text-muted">{tell(part.summary[0] ?? '')}</p>
              <PartKeys {...part} />
            </div>
            {!link.unlocked && (
              <p className="shrink-0 text-sm tabular-nums">
                {part.unlocked && !part.free ? say('Yours already') : tell(priceOf(part))}
              </p>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The license keys that came with a part, or will. */
function PartKeys({ licenseKeys }: Pick<Part, 'licenseKeys'>) {
  const keys = licenseKeys.flatMap(({ key }) => key ?? []);
  return (
    <>
      {keys.map((key) => (
        <p className="text-sm wrap-anywhere" key={key}>
          {say('License key:')} <code>{key}</code>
        </p>
      ))}
      {keys.length < licenseKeys.length && (
        <p className="text-sm">
          {say('The seller has run out of license keys. Yours will appear here.')}
        </p>
      )}
    </>
  );
}
