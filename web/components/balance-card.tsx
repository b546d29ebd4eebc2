import { formatCents } from '../../contract/money.ts';
import { formatPrice } from '../data/format.ts';
import { Alert } from './alert.tsx';

interface Balance {
  balance: number;
  pending: number;
  available: number;
}

const NOTHING: Balance = { balance: 0, pending: 0, available: 0 };

interface BalanceCardProps {
  /** A missing record, or one that could not be loaded, is a balance of 0; undefined is unknown. */
  balance: Balance | null | undefined;
  failed: boolean;
}

/** What is owed to the creator. */
export function BalanceCard({ balance, failed }: BalanceCardProps) {
  const known = balance === null ? NOTHING : balance;
  return (
    <section aria-label="Balance" className="card px-6 py-5">
      <p
        aria-live="polite"
        className="text-2xl font-semibold tracking-tight tabular-nums sm:text-3xl"
      >
        Balance: ${known ? formatCents(known.balance) : '...'}
      </p>
      <dl className="mt-2 flex flex-wrap gap-x-8 gap-y-1 text-muted tabular-nums">
        <Part amount={known?.available} name="Available" />
        <Part amount={known?.pending} name="Pending" />
      </dl>
      {failed && (
        <div className="mt-4 flex flex-wrap items-center gap-3">
          <Alert>Your balance could not be loaded.</Alert>
          <a className="button button-secondary button-small" href="?">
            Try again
          </a>
        </div>
      )}
    </section>
  );
}

function Part({ name, amount }: { name: string; amount: number | undefined }) {
  return (
    <div className="flex gap-2">
      <dt>{name}</dt>
      <dd className="font-medium text-ink">{amount === undefined ? '...' : formatPrice(amount)}</dd>
    </div>
  );
}
