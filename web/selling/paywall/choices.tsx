import type { Fact } from '../../../contract/fact.ts';
import { priceOf } from '../../../contract/links.ts';
import { say, tell } from '../../languages/say.ts';
import type { PageContext } from '../../page.ts';
import { addressWith } from './offer.tsx';

interface Choice {
  id: string;
  choice: string | null;
  /** Cents. */
  price: number;
  least: number | null;
  free: boolean;
  unlocked: boolean;
  paused: boolean;
  hold: Fact | null;
}

/** The links that are choices of one thing with this one, each on a page of its own. */
export function Choices({ choices, ctx }: { choices: Choice[]; ctx: PageContext }) {
  return (
    <nav aria-label={say('Choices')}>
      <ul className="mt-4 flex flex-wrap gap-2">
        {choices.map((choice) => (
          <li key={choice.id}>
            <a
              aria-current={choice.id === ctx.params.id ? 'page' : undefined}
              className="button button-secondary"
              href={addressWith(ctx, `/p/${choice.id}`)}
            >
              <bdi>{choice.choice}</bdi>
              <span className="font-normal text-muted text-sm">{describe(choice)}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function describe({ unlocked, paused, hold, ...choice }: Choice): string {
  if (unlocked && !choice.free) return say('Yours already');
  if (paused) return say('Paused');
  return hold ? say('Not on sale') : tell(priceOf(choice));
}
