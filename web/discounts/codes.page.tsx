import { useState } from 'react';
import type { RuntimeConfig } from '../../contract/runtime-config.ts';
import { ActButton } from '../back-office/act-button.tsx';
import { countOf, formatDay, formatPrice } from '../lib/format.ts';
import { graphql, type ResultOf } from '../lib/graphql.ts';
import { requestGraphql } from '../lib/request-graphql.ts';
import { definePage, type PageProps } from '../page.ts';
import { ListPage } from '../ui/list-page.tsx';
import { ListFailed, OtherPages } from '../ui/list-parts.tsx';
import { EmptyList } from '../ui/message-page.tsx';
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
  head: () => ({ title: 'Discount codes · Padlink', robots: 'noindex' }),
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
      back={{ href: '/dashboard', words: 'Back to the dashboard' }}
      explanation="Buyers enter a code on the page of your link, or open it with the code in the address."
      said={said}
      scriptless="Making and ending codes require JavaScript, which is turned off in this browser."
      title="Discount codes"
    >
      {ctx.viewer?.sells && <NewCode config={ctx.config} onMade={tell} />}
      {!list && <ListFailed address={ctx.path} what="Your discount codes" />}
      {list?.items.length === 0 && <EmptyList text="No discount codes yet." />}
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
        first="Show the newest"
        next="Show older codes"
        nextToken={list?.nextToken ?? null}
      />
    </ListPage>
  );
}

const STATES: Record<string, string> = {
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
  return (
    <li className="dashboard-row">
      <div className="min-w-0 flex-1 basis-64 wrap-anywhere">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
          {code}
          <span className="badge">{STATES[state]}</span>
        </p>
        <p className="text-sm">{describeTerms(discount)}</p>
        <p className="text-sm text-muted">{describeUses(discount)}</p>
        <p className="flex flex-wrap gap-x-3 text-sm">
          {links === null
            ? 'For all your links'
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
        <ActButton
          act={() => requestGraphql(config, end, { id })}
          busyWords="Ending..."
          label={`End the code ${code}`}
          onDone={() => onEnded(`The code ${code} has ended.`)}
          question={{
            title: `End the code ${code}?`,
            text: 'It cannot be used any longer. Buyers who are already at the checkout can still pay the lower price.',
          }}
          tone="danger"
          words="End"
        />
      )}
    </li>
  );
}

/** "10% off, for prices from $5.00, Nov 23, 2026 to Nov 30, 2026" */
function describeTerms({ percent, amount, minimum, from, until }: Code): string {
  const lastDay = until && formatDay(Date.parse(until) - 1);
  return [
    `${percent === null ? formatPrice(amount ?? 0) : `${percent}%`} off`,
    minimum !== null && `for prices from ${formatPrice(minimum)}`,
    from && `from ${formatDay(from)}`,
    lastDay && `until ${lastDay}`,
  ]
    .filter(Boolean)
    .join(', ');
}

/** "Used 3 of 10 times, one use per buyer. One buyer is at the checkout." */
function describeUses({ uses, usesOfBuyer, paid, open }: Code): string {
  const used =
    uses === null ? `Used ${countOf(paid, 'time')}` : `Used ${paid} of ${countOf(uses, 'time')}`;
  const each =
    usesOfBuyer === null ? '' : `, at most ${countOf(usesOfBuyer, 'time')} by each buyer`;
  return `${used}${each}${open > 0 ? `; ${open} more at the checkout` : ''}.`;
}
