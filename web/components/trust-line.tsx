import type { RuntimeConfig } from '../../contract/runtime-config.ts';
import { describeCheckout } from '../data/describe-checkout.ts';
import { CheckIcon } from './icons.tsx';

/** What a buyer wants to know before paying. */
export function TrustLine({ payments }: Pick<RuntimeConfig, 'payments'>) {
  const promises = [describeCheckout(payments), 'No account needed', 'All sales final'];
  return (
    <ul className="mt-4 flex flex-wrap gap-x-4 gap-y-1 text-sm text-muted">
      {promises.map((promise) => (
        <li className="flex items-center gap-1.5" key={promise}>
          <CheckIcon className="size-4" />
          {promise}
        </li>
      ))}
    </ul>
  );
}
