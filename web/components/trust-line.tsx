import { CheckIcon } from './icons.tsx';

const PROMISES = ['Secure checkout by Stripe', 'No account needed', 'All sales final'];

/** What a buyer wants to know before paying. */
export function TrustLine() {
  return (
    <ul className="mt-5 flex flex-wrap justify-center gap-x-4 gap-y-1 text-sm text-muted">
      {PROMISES.map((promise) => (
        <li className="flex items-center gap-1.5" key={promise}>
          <CheckIcon className="size-4" />
          {promise}
        </li>
      ))}
    </ul>
  );
}
