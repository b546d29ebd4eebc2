import { CARDS } from '../factories/payment.ts';
import { type Action, buy, digits, passDays } from './act.ts';
import { HOUR_MS, type Market, refusedWith, type Shop } from './market.ts';
import { HOLD_MS } from './model.ts';
import { TERMS } from './product.ts';

/** Test bank accounts of the sandbox: payouts arrive at the first, and fail at the second. */
const GOOD_BANK = '000123456789';
const BAD_BANK = '000111111116';
const HOLD_DAYS = HOLD_MS / (24 * HOUR_MS);

/** What creators do to be paid, and the operator, the provider and banks to pay them or not. */
export const PAYOUT_ACTIONS: Record<string, Action> = {
  'a payout': async (market, seed) => {
    const shop = await findPayable(market, seed);
    return (await ask(market, shop, seed)) !== undefined;
  },
  'payouts at once': async (market, seed) => {
    const { product } = market;
    const { id } = await findPayable(market, seed);
    const { availableCents } = await product.readMoney(id);
    const asks = [availableCents, availableCents, TERMS.minimumCents].map((cents) =>
      product.askForPayout(id, cents).catch((error) => refusedWith(error, 'PAYOUT_REFUSED')),
    );
    return (await Promise.all(asks)).some((payout) => payout !== undefined);
  },
  'a payout approved': async (market, seed) => {
    const payouts = await market.readPayouts();
    const waiting = payouts.find((one) => one.state === 'requested' && one.approved_at === null);
    const id = waiting?.id ?? (await ask(market, await openPayable(market, seed), seed));
    if (id) await market.product.approvePayout(id);
    return id !== undefined;
  },
  'a payout refused': async (market, seed) => {
    const payout = await findUnsent(market, seed);
    if (payout) await market.product.refusePayout(payout.id);
    return payout !== undefined;
  },
  'a payout taken back': async (market, seed) => {
    const payout = await findUnsent(market, seed);
    if (payout) await market.product.takePayoutBack(payout.owner_id, payout.id);
    return payout !== undefined;
  },
  'a payout paid': (market, seed) => finish(market, seed, GOOD_BANK),
  'a payout failed': (market, seed) => finish(market, seed, BAD_BANK),
  'a payout that no bank takes': async (market, seed) => {
    const { account } = (await send(market, seed, BAD_BANK)) ?? {};
    if (!account) return false;
    // It is tried again a day later, and then another one.
    for (let tries = 0; tries < 3; tries += 1) {
      await passDays(market, 1);
      await passDays(market, 0);
    }
    const payouts = await market.readPayouts();
    return payouts.some((one) => one.account_id === account && one.failures === 3);
  },
  'a payout that the provider cannot pay': async (market, seed) => {
    const { product, world } = market;
    const id = await ask(market, await findPayable(market, seed), seed);
    if (!id) return false;
    const { amount_cents } = await approve(market, id);
    fund(market, amount_cents);
    const takeAll = () => world.provider.withdraw(world.provider.balance());
    // Before it is looked whether there is enough, or between that and the transfer.
    if (seed % 2) takeAll();
    await product.followPayoutWhile(id, seed % 2 ? () => {} : takeAll);
    const payout = (await market.readPayouts()).find((one) => one.id === id);
    return payout?.state === 'requested' && payout.transfer_id === null;
  },
  'money that the operator moves': ({ world: { provider } }, seed) => {
    const held = provider.balance();
    provider.withdraw(seed % 2 ? -1 - (seed % 50_000) : (seed >> 1) % Math.max(1, held));
    return true;
  },
  'another bank account': async (market, seed) => {
    const { provider } = market.world;
    const { account = '' } = await findPayable(market, seed);
    provider.nameBank(account, provider.isBankOf(account, BAD_BANK) ? GOOD_BANK : BAD_BANK);
    return true;
  },
  'a transfer taken back': async (market, seed) => {
    // Its money is in the creator's account again.
    await finish(market, seed, BAD_BANK);
    await market.arrive('in order', 0);
    return takeTransferBack(market);
  },
};

/** A creator who can ask for a payout now, to this bank account. */
async function findPayable(market: Market, seed: number, bank?: string): Promise<Shop> {
  const wanted = bank ?? (seed % 3 ? GOOD_BANK : BAD_BANK);
  for (const shop of market.openShops()) {
    if (!shop.account || !market.world.provider.isBankOf(shop.account, wanted)) continue;
    if ((await market.product.readMoney(shop.id)).obstacle === null) return shop;
  }
  return openPayable(market, seed, wanted);
}

/** Another creator, whose money is available and who was never paid. */
async function openPayable(market: Market, seed: number, bank = GOOD_BANK): Promise<Shop> {
  const shop = await market.openShop(seed % 7);
  shop.account = await market.product.openPayoutAccount(shop.id);
  market.world.provider.nameBank(shop.account, bank);
  for (const link of [0, 2]) await buy(market, link, digits(CARDS.pays), shop);
  await market.arrive('in order', 0);
  await passDays(market, HOLD_DAYS);
  return shop;
}

/** Too much is refused before. @returns the id of the payout */
async function ask(market: Market, shop: Shop, seed: number): Promise<string | undefined> {
  const { availableCents } = await market.product.readMoney(shop.id);
  if (seed % 3 === 0) await market.askForPayout(shop, availableCents + 1);
  const part = Math.max(TERMS.minimumCents, (seed >> 3) % availableCents);
  return market.askForPayout(shop, seed % 2 ? availableCents : part);
}

async function findUnsent(market: Market, seed: number) {
  const isUnsent = ({ state, asked_at, returning_because }: Payout) =>
    state === 'requested' && asked_at === null && returning_because === null;
  const waiting = (await market.readPayouts()).find(isUnsent);
  if (waiting) return waiting;
  await ask(market, await findPayable(market, seed), seed);
  return (await market.readPayouts()).find(isUnsent);
}

type Payout = Awaited<ReturnType<Market['readPayouts']>>[number];

/** Lets a payout be sent, if that has not been decided before. */
async function approve(market: Market, id: string): Promise<Payout> {
  const payout = (await market.readPayouts()).find((one) => one.id === id) as Payout;
  if (payout.approved_at === null) await market.product.approvePayout(id);
  return payout;
}

/** The platform has as much as a payout takes, whatever the operator moved and disputes cost. */
function fund({ world: { provider } }: Market, cents: number): void {
  if (provider.balance() < cents) provider.withdraw(provider.balance() - cents);
}

/** A payout that a bank has been sent and has not answered. @returns what lets it answer */
async function send(market: Market, seed: number, bank: string) {
  const { provider } = market.world;
  const find = () =>
    provider
      .tasks()
      .find(({ task, account }) => task === 'finish_payout' && provider.isBankOf(account, bank));
  const sent = find();
  if (sent) return sent;
  const id = await ask(market, await findPayable(market, seed, bank), seed);
  if (!id) return undefined;
  const { amount_cents } = await approve(market, id);
  fund(market, amount_cents);
  await market.arrive('in order', 0);
  return find();
}

async function finish(market: Market, seed: number, bank: string): Promise<boolean> {
  const task = await send(market, seed, bank);
  if (task) market.world.provider.perform(task);
  return task !== undefined;
}

/** Of a payout that no bank has: what a bank has cannot be taken back. */
function takeTransferBack({ world: { provider } }: Market): boolean {
  return provider.transfers().some((transfer) => {
    const sent = provider.payoutsOf(transfer.destination as string);
    const isAtBank = sent.some(
      ({ metadata, status }) =>
        metadata?.payout_id === transfer.transfer_group && status !== 'failed',
    );
    return !isAtBank && provider.takeBack(transfer);
  });
}
