import { COUNTER_LABELS } from '../../contract/landing.ts';
import { useCountUp } from '../data/use-count-up.ts';
import { useInView } from '../data/use-in-view.ts';

export function Counters({ targets }: { targets: number[] }) {
  return (
    <section aria-label="Padlink in numbers" className="border-y border-line bg-card">
      <dl className="mx-auto grid w-full max-w-6xl gap-y-8 px-5 py-12 sm:grid-cols-3 sm:divide-x sm:divide-line sm:px-8">
        {COUNTER_LABELS.map((label, position) => (
          <Counter key={label} label={label} target={targets[position] ?? 0} />
        ))}
      </dl>
    </section>
  );
}

function Counter({ label, target }: { label: string; target: number }) {
  const { ref, inView } = useInView<HTMLElement>();
  const value = useCountUp(target, inView);
  return (
    <div className="flex flex-col-reverse justify-end sm:px-8 sm:first:pl-0">
      <dt className="mt-1 text-muted">{label}</dt>
      <dd
        className="awaits-script text-5xl font-semibold tracking-tight tabular-nums"
        data-in-view={inView}
        ref={ref}
      >
        {value}
        {value === target && '+'}
      </dd>
    </div>
  );
}
