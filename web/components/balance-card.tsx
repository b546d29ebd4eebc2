import { formatCents } from '../../contract/money.ts';
import { formatPrice } from '../data/format.ts';

interface Balance {
  balance: number;
  pending: number;
  available: number;
}

const NOTHING: Balance = { balance: 0, pending: 0, available: 0 };

/** What is owed to the creator. A missing record is a balance of 0. */
export function BalanceCard({ balance }: { balance: Balance | null }) {
  const { balance: owed, pending, available } = balance ?? NOTHING;
  return (
    <section aria-label="Balance" className="card px-6 py-5">
      <p className="text-2xl font-semibold tracking-tight tabular-nums">
        Balance: ${formatCents(owed)}
      </p>
      <dl className="mt-2 flex flex-wrap gap-x-8 gap-y-1 text-sm text-muted tabular-nums">
        <div className="flex gap-2">
          <dt>Available</dt>
          <dd className="font-medium text-ink">{formatPrice(available)}</dd>
        </div>
        <div className="flex gap-2">
          <dt>Pending</dt>
          <dd className="font-medium text-ink">{formatPrice(pending)}</dd>
        </div>
      </dl>
    </section>
  );
}
