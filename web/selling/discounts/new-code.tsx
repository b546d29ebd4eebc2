import { dollarsToCents } from '../../../contract/money.ts';
import type { RuntimeConfig } from '../../../contract/runtime-config.ts';
import { say } from '../../languages/say.ts';
import { takeDecimals } from '../../lib/decimals.ts';
import { graphql } from '../../lib/graphql.ts';
import { requestGraphql } from '../../lib/request-graphql.ts';
import { needSession } from '../../lib/sign-in-again.ts';
import { useForm } from '../../lib/use-form.ts';
import { useHydrated } from '../../lib/use-hydrated.ts';
import { FormError } from '../../ui/alert.tsx';
import { Field, TextArea } from '../../ui/field.tsx';
import { SelectField } from '../../ui/select-field.tsx';

const create = graphql(
  'mutation CreateCode($input: CreateDiscountInput!) { createDiscount(input: $input) }',
);

const DAY_MS = 24 * 60 * 60 * 1000;

interface NewCodeProps {
  config: RuntimeConfig;
  onMade(words: string): Promise<void>;
}

/** A form for one more code. What is wrong with it is said by the server. */
export function NewCode({ config, onMade }: NewCodeProps) {
  const hydrated = useHydrated();
  const { errors, busy, formProps } = useForm({
    check: (): Record<string, string> => ({}),
    async send(values) {
      const input = readInput(values);
      await needSession(requestGraphql(config, create, { input }));
      formProps.ref.current?.reset();
      const code = input.code.trim().toUpperCase();
      await onMade(say('The code {code} can be used.', { code }));
    },
  });
  const field = { disabled: !hydrated || busy };
  return (
    <details className="card px-6 py-3">
      <summary className="disclosure">{say('New code')}</summary>
      <form className="space-y-5 py-3" {...formProps}>
        <div className="grid gap-5 sm:grid-cols-3">
          <Field
            {...field}
            autoCapitalize="characters"
            autoComplete="off"
            label={say('Code')}
            maxLength={32}
            name="code"
            placeholder="SPRING"
          />
          <SelectField
            {...field}
            label={say('Discount')}
            name="kind"
            options={{ percent: say('Percent off'), amount: say('Dollars off') }}
          />
          <Field
            {...money}
            {...field}
            hint={say('At 100 percent, buyers pay nothing.')}
            label={say('How much')}
            name="off"
          />
        </div>
        <div className="grid gap-5 sm:grid-cols-2">
          <Field
            {...field}
            hint={say('UTC. Leave blank to start now.')}
            label={say('First day')}
            name="from"
            type="date"
          />
          <Field
            {...field}
            hint={say('UTC. Leave blank for no end date.')}
            label={say('Last day')}
            name="until"
            type="date"
          />
          <Field
            {...count}
            {...field}
            hint={say('Leave blank for unlimited.')}
            label={say('Total uses')}
            name="uses"
          />
          <Field
            {...count}
            {...field}
            hint={say('Each browser or account counts as a buyer.')}
            label={say('Uses per buyer')}
            name="usesOfBuyer"
          />
        </div>
        <Field
          {...money}
          {...field}
          hint={say('It does not apply to links that cost less.')}
          label={say('Minimum price (USD)')}
          name="minimum"
        />
        <TextArea
          {...field}
          hint={say(
            'Addresses or IDs, separated by spaces or lines. Leave blank for all your links, including future ones.',
          )}
          label={say('Links')}
          name="links"
          rows={2}
        />
        {errors[''] && <FormError>{errors['']}</FormError>}
        <button aria-busy={busy} className="button button-primary" {...field} type="submit">
          {say(busy ? 'Creating...' : 'Create code')}
        </button>
      </form>
    </details>
  );
}

const count = { inputMode: 'numeric', min: 1, step: 1, type: 'number' } as const;
const money = {
  ...({ inputMode: 'decimal', min: 0, step: 0.01, type: 'number', ref: takeDecimals } as const),
};

/** Empty fields are left out. */
function readInput(values: Record<string, string>) {
  const { code = '', kind, off, from, until, links } = values;
  const day = (text: string | undefined, after = 0) =>
    text ? new Date(Date.parse(text) + after).toISOString() : null;
  const cents = (text: string | undefined) => (text ? dollarsToCents(Number(text)) : null);
  return {
    code,
    percent: kind === 'percent' ? wholeNumber(off) : null,
    amount: kind === 'amount' ? cents(off) : null,
    minimum: cents(values.minimum),
    from: day(from),
    // The last day is part of it.
    until: day(until, DAY_MS),
    uses: wholeNumber(values.uses),
    usesOfBuyer: wholeNumber(values.usesOfBuyer),
    // What is no link is refused: a code for one is never one for all.
    links: links?.trim() ? links.split(/[\s,;]+/).filter(Boolean) : null,
  };
}

/** -1, which no field takes, for what is not one. */
function wholeNumber(text: string | undefined): number | null {
  if (!text) return null;
  const number = Number(text);
  return Number.isInteger(number) ? number : -1;
}
