import { countOf, formatPrice, formatShare } from '../../../data/format.ts';
import { type SalesDay, sumDays } from '../../../data/sales-days.ts';

/** All days together. */
export function SalesTotals({ days }: { days: SalesDay[] }) {
  const { sales, earned, returned, views } = sumDays(days);
  return (
    <dl className="sales-totals">
      <Total name="Sales">{sales}</Total>
      <Total
        hint={returned > 0 ? `after ${formatPrice(returned)} taken back` : undefined}
        name="Earned"
      >
        {formatPrice(earned)}
      </Total>
      <Total hint={`of ${countOf(views, 'view')}`} name="Conversion">
        {/* Views are counted since later, or not where images are blocked: then there is no share. */}
        {views > 0 && sales <= views ? formatShare(sales / views) : '–'}
      </Total>
    </dl>
  );
}

interface TotalProps {
  name: string;
  hint?: string | undefined;
  children: string | number;
}

function Total({ name, hint, children }: TotalProps) {
  return (
    <div>
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="text-2xl font-semibold tracking-tight tabular-nums">{children}</dd>
      {hint && <dd className="text-sm text-muted tabular-nums">{hint}</dd>}
    </div>
  );
}
