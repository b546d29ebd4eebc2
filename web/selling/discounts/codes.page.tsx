import { useState } from 'react';
import type { RuntimeConfig } from '../../../contract/runtime-config.ts';
import { type Sentence, say } from '../../languages/say.ts';
import { formatDay, formatPrice, sayCount, sayPercent } from '../../lib/format.ts';
import { formatEnd } from '../../lib/format-end.ts';
import { graphql, type ResultOf } from '../../lib/graphql.ts';
import { requestGraphql } from '../../lib/request-graphql.ts';
import { definePage, type PageProps } from '../../page.ts';
import { ActButton } from '../../ui/act-button.tsx';
import { ListPage } from '../../ui/list-page.tsx';
import { ListFailed, OtherPages } from '../../ui/list-parts.tsx';
import { EmptyList } from '../../ui/message-page.tsx';
import { GiveLink } from './give-link.tsx';
import { NewCode } from './new-code.tsx';

const query = graphql(`
  query Codes($after: String) {
    listDiscounts(nextToken: $after) {
      items { id code percent amount minimum from until uses usesOfBuyer links paid open state }
      nextToken
    }
  }
`);

export const page = definePage({
  query,
  variables: (ctx) => ({ after: ctx.query.after ?? null }),
  fallback: { listDiscounts: null },
  status: (_, ctx) => ctx.failed?.listDiscounts ?? 200,
  hydrate: 'now',
  head: () => ({ title: say('Codes and gifts'), robots: 'noindex' }),
  Component: Codes,
});

type Answer = ResultOf<typeof query>;
type Code = NonNullable<Answer['listDiscounts']>['items'][number];

/** A creator's discount codes: made here, and ended here. */
function Codes({ data, ctx }: PageProps<Answer>) {
  const [list, setList] = useState(data.listDiscounts);
  const [said, setSaid] = useState('');

  async function tell(words: string) {
    const now = await requestGraphql(ctx.config, query, { after: ctx.query.after ?? null });
    setList(now.listDiscounts);
    setSaid(words);
  }

  return (
    <ListPage
      back={{ href: '/dashboard', words: say('Back to the dashboard') }}
      explanation={say(
        'Buyers enter a code on your link’s page, or open a link that includes the code.',
      )}
      said={said}
      scriptless={say(
        'Creating and ending codes, and giving links, require JavaScript, which is turned off in this browser.',
      )}
      title={say('Codes and gifts')}
    >
      {ctx.viewer?.sells && (
        <>
          <NewCode config={ctx.config} onMade={tell} />
          <GiveLink config={ctx.config} onGiven={setSaid} />
        </>
      )}
      {!list && <ListFailed address={ctx.path} what={say('Your discount codes')} />}
      {list?.items.length === 0 && <EmptyList text={say('No discount codes yet.')} />}
      {list && list.items.length > 0 && (
        <ul className="card divide-y divide-line">
          {list.items.map((code) => (
            <CodeRow code={code} config={ctx.config} key={code.id} onEnded={tell} />
          ))}
        </ul>
      )}
      <OtherPages
        address={ctx.path}
        after={ctx.query.after}
        first={say('Show the newest')}
        next={say('Show older codes')}
        nextToken={list?.nextToken ?? null}
      />
    </ListPage>
  );
}

const STATES: Record<string, Sentence | undefined> = {
  active: 'Active',
  early: 'Not yet valid',
  over: 'No longer valid',
  used: 'Used up',
  ended: 'Ended',
};

const end = graphql('mutation EndCode($id: ID!) { endDiscount(id: $id) }');

interface CodeRowProps {
  code: Code;
  config: RuntimeConfig;
  onEnded(words: string): Promise<void>;
}

function CodeRow({ code: discount, config, onEnded }: CodeRowProps) {
  const { id, code, state, links } = discount;
  const badge = STATES[state];
  return (
    <li className="dashboard-row">
      <div className="min-w-0 flex-1 basis-64 wrap-anywhere">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
          {code}
          {badge && <span className="badge">{say(badge)}</span>}
        </p>
        <p className="text-sm">{describeTerms(discount)}</p>
        <p className="text-sm text-muted">{describeUses(discount)}</p>
        <p className="flex flex-wrap gap-x-3 text-sm">
          {links === null
            ? say('For all your links: add {code} to their address', { code: `?code=${code}` })
            : links.map((link) => (
                <a
                  className="text-link inline-flex min-h-11 items-center"
                  href={`/p/${link}?preview=buyer&code=${code}`}
                  key={link}
                >
                  {`/p/${link}?code=${code}`}
                </a>
              ))}
        </p>
      </div>
      {state !== 'ended' && (
        <div className="ms-auto">
          <ActButton
            act={() => requestGraphql(config, end, { id })}
            busyWords={say('Ending...')}
            label={say('End the code {code}', { code })}
            onDone={() => onEnded(say('The code {code} has ended.', { code }))}
            question={{
              title: say('End the code {code}?', { code }),
              text: say(
                'It will no longer work. Buyers who are already at checkout can still pay the lower price.',
              ),
            }}
            tone="danger"
            words={say('End')}
          />
        </div>
      )}
    </li>
  );
}

/** "10% off, for prices from $5.00, Nov 23, 2026 to Nov 30, 2026" */
function describeTerms({ percent, amount, minimum, from, until }: Code): string {
  return [
    say('{discount} off', {
      discount: percent === null ? formatPrice(amount ?? 0) : sayPercent(percent),
    }),
    minimum !== null && say('for prices from {price}', { price: formatPrice(minimum) }),
    from && say('from {day}', { day: formatDay(from) }),
    until && say('until {day}', { day: formatEnd(until) }),
  ]
    .filter(Boolean)
    .join(', ');
}

/** "Used 3 of 10 times, at most once per buyer; 1 more at the checkout." */
function describeUses({ uses, usesOfBuyer, paid, open }: Code): string {
  const used =
    uses === null
      ? sayCount(paid, 'Used once', 'Used {count} times')
      : say(uses === 1 ? 'Used {paid} of 1 time' : 'Used {paid} of {count} times', {
          paid,
          count: uses,
        });
  const each =
    usesOfBuyer === null
      ? ''
      : `, ${sayCount(usesOfBuyer, 'at most once per buyer', 'at most {count} times per buyer')}`;
  const more = open > 0 ? `; ${say('{count} more at checkout', { count: open })}` : '';
  return `${used}${each}${more}.`;
}
