import { type InTransit, listInTransit, readBookedBalance } from './check-provider-books.ts';
import { type ImportContext, importBooks } from './import-books.ts';

/** A shop whose balance never rests for as long as a comparison takes is told what differs. */
const TRIES = 5;

interface ComparedBalance {
  currency: string;
  /** What the provider holds, and what it should by our books, in the cents of the currency. */
  heldCents: number;
  bookedCents: number;
}

/**
 * Imports the provider's books and compares its balance with them. What moves between the two would
 * be held against the books: where they differ, both are read again until they do not, or neither
 * has moved.
 */
export async function compareBalances(context: ImportContext): Promise<{
  /** Transactions that are new. */
  imported: number;
  /** What the provider has not told of yet, and is not compared. */
  onTheWay: InTransit[];
  balances: ComparedBalance[];
}> {
  let imported = 0;
  let before = '';
  for (let tries = 1; ; tries += 1) {
    imported += await importBooks(context);
    const compared = await compare(context);
    const found = JSON.stringify(compared.balances);
    const isSettled = compared.balances.every(isEqual) || found === before;
    if (isSettled || tries === TRIES) return { imported, ...compared };
    before = found;
  }
}

export const isEqual = ({ heldCents, bookedCents }: ComparedBalance) => heldCents === bookedCents;

async function compare({ db, provider }: ImportContext) {
  const books = { mode: provider.mode, account: await provider.account() };
  const onTheWay = (await listInTransit(db)).filter(
    ({ mode, provider_account }) => mode === books.mode && provider_account === books.account,
  );
  const held = await provider.readBalance();
  const booked = await readBookedBalance(db, books);
  const currencies = [...new Set([...held.keys(), ...booked.keys()])].sort();
  const balances = currencies.map((currency): ComparedBalance => {
    const underWay = onTheWay.reduce(
      (sum, entry) => sum + (entry.currency === currency ? entry.cents : 0),
      0,
    );
    return {
      currency,
      heldCents: held.get(currency) ?? 0,
      bookedCents: (booked.get(currency) ?? 0) - underWay,
    };
  });
  return { onTheWay, balances };
}
