import { useCountUp } from '../data/use-count-up.ts';

const COUNTERS = [
  { label: 'Users Signed Up', target: 1000 },
  { label: 'Links Monetized', target: 2500 },
  { label: 'Payouts Made', target: 500 },
];

export function Counters() {
  return (
    <section aria-label="Padlink in numbers" className="border-y border-line bg-card">
      <dl className="mx-auto grid w-full max-w-6xl gap-y-8 px-5 py-12 text-center sm:grid-cols-3 sm:px-8">
        {COUNTERS.map((counter) => (
          <Counter key={counter.label} {...counter} />
        ))}
      </dl>
    </section>
  );
}

function Counter({ label, target }: { label: string; target: number }) {
  const { ref, value, finished } = useCountUp(target);
  return (
    <div className="flex flex-col-reverse">
      <dt className="mt-1 text-muted">{label}</dt>
      <dd className="counter text-4xl font-semibold tracking-tight tabular-nums" ref={ref}>
        {value}
        {finished && '+'}
      </dd>
    </div>
  );
}
