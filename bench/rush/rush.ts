import { chmodSync } from 'node:fs';
import { openFolder } from '../open-folder.ts';
import { describeMedusa } from '../peers/measure-medusa.ts';
import { describeMachine } from '../report.ts';
import { type DatabaseKind, type Shop, startShop } from '../shop/start-shop.ts';
import { CHECKOUT_WITHIN, isKept, PAGES_WITHIN, type Step, sell } from './arrivals.ts';

/** Sales a second that each database is to keep up with. */
const TARGETS: Record<DatabaseKind, number> = { SQLite: 100, PostgreSQL: 60 };
/** As far away as Stripe is, in milliseconds. */
const FAR_AWAY = 80;
/** As long as a shop may be the talk of the world. */
const HELD_SECONDS = 300;
/** What a shop has that did not open this minute: compiled code, and on PostgreSQL statistics of its tables. */
const WARM_UP = { rate: 20, seconds: 75 };
const STEP = { by: 10, first: 20, seconds: 15, most: 500 };

interface Rush {
  kind: DatabaseKind;
  /** The last step at which nobody waited for too long. */
  most: Step | null;
  held: Step;
  /** Milliseconds of processor time that a sale takes, by whose they are. */
  cpu: [name: string, ms: number][];
  isLedgerRight: boolean;
}

/** How many sales a second are begun and settled, as a part of the page. */
export async function reportRush(): Promise<string> {
  const rushes = [await rush('SQLite'), await rush('PostgreSQL')];
  const peer = await describeMedusa();
  return `## A rush

Buyers come at a rising rate, independently of each other. Each opens the page, begins a checkout, pays, comes back, and fetches 1 MiB, which is compared with what is sold. The provider is a process of its own that answers in ${FAR_AWAY} ms and may be asked 125 times a second, a quarter more than Stripe lets a live account unasked; it, the database, all buyers and Padlink share this machine, and Padlink asks the database through its socket. A rate is kept while 99 of 100 pages are there within ${PAGES_WITHIN} ms, 99 of 100 checkouts begin within ${CHECKOUT_WITHIN} ms and every sale is settled and delivered; then the target, or what was kept of it, is held for ${HELD_SECONDS / 60} minutes, and \`ledger check\` looks at the books.

| Database | Kept up to | Held, of a target of 100 and 60 | Sold | Pages, 99 of 100 | Checkout, 99 of 100 | Payment to content, half | CPU of a sale | Books | |
|---|---|---|---|---|---|---|---|---|---|
${rushes.map(line).join('\n')}

${peer}

${describeMachine()}
`;
}

function line({ kind, most, held, cpu, isLedgerRight }: Rush): string {
  const isMet = held.rate >= TARGETS[kind] && isKept(held) && isLedgerRight;
  const cells = [
    kind,
    most ? `${Math.round(most.rate)} sales/s` : 'none',
    `${Math.round(held.rate)} sales/s`,
    `${held.sold.toFixed(1)}/s, ${held.failures.length} failed`,
    `${held.pages} ms`,
    `${held.checkout} ms`,
    `${held.unlocked} ms`,
    cpu.map(([name, ms]) => `${name} ${ms.toFixed(1)} ms`).join(', '),
    isLedgerRight ? 'right' : 'wrong',
    isMet ? 'met' : 'missed',
  ];
  return `| ${cells.join(' | ')} |`;
}

async function rush(kind: DatabaseKind): Promise<Rush> {
  using folder = openFolder();
  // PostgreSQL, which runs under another account, has its data inside.
  chmodSync(folder.path, 0o711);
  await using shop = await startShop(kind, folder.path, FAR_AWAY);
  await sell(shop, WARM_UP.rate, WARM_UP.seconds);
  const most = await climb(kind, shop);
  const rate = Math.min(TARGETS[kind], most?.rate ?? STEP.first);
  const before = shop.readCpu();
  const held = tell(kind, await sell(shop, rate, HELD_SECONDS));
  const sales = held.sold * HELD_SECONDS;
  const cpu = Object.entries(shop.readCpu()).map(([name, seconds]): [string, number] => [
    name,
    ((seconds - (before[name] ?? 0)) * 1000) / sales,
  ]);
  return { kind, most, held, cpu, isLedgerRight: await shop.checkLedger() };
}

async function climb(kind: DatabaseKind, shop: Shop): Promise<Step | null> {
  let most: Step | null = null;
  for (let { first: rate } = STEP; rate < STEP.most; rate += STEP.by) {
    let step = tell(kind, await sell(shop, rate, STEP.seconds));
    // Half a second in which something else kept the machine busy is one page of a hundred.
    if (!isKept(step)) step = tell(kind, await sell(shop, rate, STEP.seconds));
    if (!isKept(step)) break;
    most = step;
  }
  return most;
}

function tell(kind: DatabaseKind, step: Step): Step {
  const { rate, sold, pages, checkout, failures } = step;
  console.log(
    `${kind}, ${rate.toFixed(0)} sales/s: ${sold.toFixed(1)}/s, pages ${pages} ms, checkout ${checkout} ms, ${failures.length} failed`,
  );
  for (const failure of new Set(failures.slice(0, 5))) console.log(`  ${failure}`);
  return step;
}
