import { useEffect, useRef, useState } from 'react';
import { say } from '../../languages/say.ts';
import { definePage, type PageContext, type PageProps } from '../../page.ts';
import { TableExport } from '../../shell/table-export.tsx';
import { ListFailed } from '../../ui/list-parts.tsx';
import { BalanceCard } from './balance-card.tsx';
import { GetPaid } from './get-paid.tsx';
import { type MoneyData, moneyQuery, moneyVariables } from './money-query.ts';
import { PayoutList } from './payout-list.tsx';
import { Releases } from './releases.tsx';
import { useMoney } from './use-money.ts';

export const page = definePage({
  query: moneyQuery,
  variables: (ctx) => moneyVariables(ctx),
  fallback: { getMoney: null, listPayouts: null, listBookedPayouts: null },
  status: (_, { failed }) => failed?.getMoney ?? failed?.listPayouts ?? 200,
  hydrate: 'now',
  head: () => ({ title: say('Your money'), robots: 'noindex' }),
  Component: MoneyPage,
});

/** What a creator has earned: how much of it may be paid out, when the rest may, and what was. */
function MoneyPage({ data, ctx }: PageProps<MoneyData>) {
  const { money, payouts, booked, readAgain } = useMoney(data, ctx);
  const isSolo = ctx.config.payouts.kind === 'solo';
  const [said, setSaid] = useState<Said>({ words: '' });
  const outcome = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    // What was pressed is gone.
    if (said.words) outcome.current?.focus();
  }, [said]);
  useEffect(() => {
    if (isOver(said, payouts)) setSaid({ words: '' });
  }, [said, payouts]);

  async function tell(what: string, askedFor?: string) {
    setSaid({ words: what, askedFor });
    await readAgain();
  }

  return (
    <div className="list-page">
      <div>
        <h1 className="text-3xl sm:text-4xl">{say('Your money')}</h1>
        <p className="mt-3">
          <a className="text-link inline-flex min-h-11 items-center" href="/dashboard">
            {say('Back to the dashboard')}
          </a>
        </p>
      </div>
      <p
        className={said.words ? 'font-medium' : 'sr-only'}
        ref={outcome}
        role="status"
        tabIndex={-1}
      >
        {said.words}
      </p>
      {money ? (
        <>
          <BalanceCard config={ctx.config} money={money} />
          <GetPaid
            ctx={ctx}
            isFirst={payouts?.items.length === 0 && !ctx.query.after}
            money={money}
            onAsked={tell}
          />
          <Releases config={ctx.config} money={money} />
        </>
      ) : (
        <ListFailed address={ctx.path} what={say('Your balance')} />
      )}
      {!isSolo && <PayoutList booked={booked} ctx={ctx} onCanceled={tell} payouts={payouts} />}
      <Records ctx={ctx} hasPayouts={!isSolo} />
    </div>
  );
}

interface Said {
  words: string;
  /** The id of a payout that was asked for. */
  askedFor?: string | undefined;
}

/** Once a payout was paid or has failed, the list says what became of it. */
function isOver({ askedFor }: Said, payouts: MoneyData['listPayouts']): boolean {
  const payout = payouts?.items.find(({ id }) => id === askedFor);
  return payout !== undefined && !['requested', 'sent'].includes(payout.state);
}

/** Everything that was booked, sale by sale, and as tables. */
function Records({ ctx, hasPayouts }: { ctx: PageContext; hasPayouts: boolean }) {
  return (
    <section aria-labelledby="records">
      <h2 className="text-2xl" id="records">
        {say('Records')}
      </h2>
      <p className="mt-2">
        <a className="text-link inline-flex min-h-11 items-center" href="/dashboard/sales">
          {say('Show each sale')}
        </a>
      </p>
      <TableExport
        ctx={ctx}
        tables={{
          '/dashboard/sales.csv': say('Export all sales (CSV)'),
          ...(hasPayouts && { '/dashboard/payouts.csv': say('Export all payouts (CSV)') }),
        }}
      />
    </section>
  );
}
