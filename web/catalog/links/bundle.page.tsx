import { type FormEvent, useId, useState } from 'react';
import type { Said } from '../../../contract/fact.ts';
import { collectErrors, type FormErrors } from '../../../contract/form-errors.ts';
import { MAX_PARTS, MIN_PARTS } from '../../../contract/limits.ts';
import {
  checkDescription,
  checkTitle,
  checkTypedPrice,
  tidyDescription,
  tidyTitle,
} from '../../../contract/link-rules.ts';
import { priceOf } from '../../../contract/links.ts';
import { dollarsToCents, formatCents } from '../../../contract/money.ts';
import type { RuntimeConfig } from '../../../contract/runtime-config.ts';
import { type Sentence, say, tell } from '../../languages/say.ts';
import { formatPrice, nameLink, sayCount } from '../../lib/format.ts';
import { graphql, type ResultOf } from '../../lib/graphql.ts';
import { RequestError } from '../../lib/request-error.ts';
import { requestGraphql } from '../../lib/request-graphql.ts';
import { needSession } from '../../lib/sign-in-again.ts';
import { useForm } from '../../lib/use-form.ts';
import { useHydrated } from '../../lib/use-hydrated.ts';
import { definePage, type PageContext, type PageProps } from '../../page.ts';
import { FieldError, FormError } from '../../ui/alert.tsx';
import { Field, TextArea } from '../../ui/field.tsx';
import { ListFailed } from '../../ui/list-parts.tsx';
import { EmptyList } from '../../ui/message-page.tsx';
import { PriceField } from '../../ui/price-field.tsx';
import { priceSingly } from './price-singly.ts';

const query = graphql(`
  query Bundle($id: ID!, $after: String) {
    listPaywallLinks(
      mine: true, filter: { type: { ne: "bundle" } }, limit: 100, nextToken: $after
    ) {
      items { id title price least free }
      nextToken
    }
    getPaywallLink(id: $id) {
      id type mine title description price
      parts { id title price least free }
    }
  }
`);

const variables = (ctx: PageContext, after: string | null = null) => ({
  id: ctx.query.edit ?? '',
  after,
});

export const page = definePage({
  query,
  variables: (ctx) => variables(ctx),
  fallback: { listPaywallLinks: null, getPaywallLink: null },
  status: (data, ctx) =>
    ctx.failed?.listPaywallLinks ?? (ctx.query.edit && !ownBundle(data) ? 404 : 200),
  hydrate: 'now',
  head: (_, ctx) => ({
    title: say(titleOf(ctx)),
    robots: 'noindex',
  }),
  Component: BundlePage,
});

const titleOf = ({ query: { edit } }: PageContext): Sentence =>
  edit === undefined ? 'New bundle' : 'Edit bundle';

type Answer = ResultOf<typeof query>;
type Choice = NonNullable<Answer['listPaywallLinks']>['items'][number];

function ownBundle({ getPaywallLink: link }: Answer) {
  return link?.mine && link.type === 'bundle' ? link : null;
}

function BundlePage({ data, ctx }: PageProps<Answer>) {
  const bundle = ownBundle(data);

  const list = data.listPaywallLinks;
  return (
    <div className="mx-auto w-full max-w-xl px-5 py-12 sm:py-16">
      <h1 className="text-3xl sm:text-4xl">{say(titleOf(ctx))}</h1>
      <p className="mt-3 text-lg text-muted">{say('Sell several of your links as one.')}</p>
      <p className="mt-3 mb-6">
        <a className="text-link inline-flex min-h-11 items-center" href="/dashboard">
          {say('Back to the dashboard')}
        </a>
      </p>
      <noscript>
        <p className="mb-6">
          {say('Creating a bundle requires JavaScript, which is turned off in this browser.')}
        </p>
      </noscript>
      {ctx.query.edit && !bundle && list ? (
        <EmptyList text={say('You have no such bundle.')} />
      ) : (
        <BundleForm bundle={bundle} ctx={ctx} list={list} />
      )}
    </div>
  );
}

interface BundleFormProps {
  bundle: ReturnType<typeof ownBundle>;
  list: Answer['listPaywallLinks'];
  ctx: PageContext;
}

const create = graphql(
  'mutation CreateBundle($input: CreatePaywallLinkInput!) { createPaywallLink(input: $input) { id } }',
);
const update = graphql(
  'mutation UpdateBundle($input: UpdatePaywallLinkInput!) { updatePaywallLink(input: $input) { id } }',
);

const FIELDS: Record<string, string> = {
  INVALID_TITLE: 'title',
  INVALID_PRICE: 'price',
  INVALID_DESCRIPTION: 'description',
  INVALID_PARTS: 'parts',
};

function BundleForm({ bundle, list, ctx }: BundleFormProps) {
  const { config } = ctx;
  const hydrated = useHydrated();
  const [shown, setShown] = useState(() => withParts(bundle?.parts ?? [], list?.items ?? []));
  const [nextToken, setNextToken] = useState(list?.nextToken ?? null);
  const [chosen, setChosen] = useState(() => (bundle?.parts ?? []).map(({ id }) => id));
  const { errors, busy, formProps } = useForm({
    check: ({ price = '', title = '', description = '' }) =>
      collectErrors({
        parts: checkParts(chosen),
        title: checkTitle(tidyTitle(title)),
        price: checkTypedPrice(price, config),
        description: checkDescription(tidyDescription(description)),
      }),
    async send({ price, title = '', description = '' }) {
      const input = {
        title,
        description,
        parts: chosen,
        price: dollarsToCents(Number(price)),
      };
      location.assign(`/p/${await needSession(save(config, bundle?.id, input))}`);
    },
    place: placeError,
  });
  if (!list) return <ListFailed address={ctx.path} what={say('Your links')} />;
  if (shown.length < MIN_PARTS) {
    return <EmptyList text={say('A bundle needs at least two links. Create those first.')} />;
  }

  function choose({ currentTarget: { checked, value } }: FormEvent<HTMLInputElement>) {
    setChosen((ids) => (checked ? [...ids, value] : ids.filter((id) => id !== value)));
  }

  async function showMore() {
    const more = await requestGraphql(config, query, variables(ctx, nextToken));
    setShown((links) => withParts(links, more.listPaywallLinks?.items ?? []));
    setNextToken(more.listPaywallLinks?.nextToken ?? null);
  }

  const disabled = !hydrated || busy;
  return (
    <form {...formProps} className="card space-y-6 p-6 shadow-card sm:p-8" method="post">
      <PartsField
        chosen={chosen}
        disabled={disabled}
        error={errors.parts}
        links={shown}
        onChoose={choose}
        onMore={nextToken === null ? null : showMore}
      />
      <PriceField
        config={config}
        disabled={disabled}
        error={errors.price}
        typed={bundle ? formatCents(bundle.price) : undefined}
      />
      <Field
        defaultValue={bundle?.title ?? ''}
        disabled={disabled}
        error={errors.title}
        hint={say('Shown to buyers, in lists of links and on receipts.')}
        label={say('Title (optional)')}
        name="title"
      />
      <TextArea
        defaultValue={bundle?.description ?? ''}
        disabled={disabled}
        error={errors.description}
        label={say('Description (optional)')}
        name="description"
      />
      {bundle && (
        <p className="text-sm text-muted">
          {say('Anyone who bought this bundle keeps what was in it at the time.')}
        </p>
      )}
      {errors[''] && <FormError>{errors['']}</FormError>}
      <button
        aria-busy={busy}
        className="button button-primary w-full text-lg"
        disabled={disabled}
        type="submit"
      >
        {say(labelOf(bundle !== null, busy))}
      </button>
    </form>
  );
}

function labelOf(isThere: boolean, busy: boolean): Sentence {
  if (isThere) return busy ? 'Saving...' : 'Save';
  return busy ? 'Creating...' : 'Create bundle';
}

/** Those that are chosen already first, each once. */
function withParts(first: Choice[], others: Choice[]): Choice[] {
  const ids = new Set(first.map(({ id }) => id));
  return [...first, ...others.filter(({ id }) => !ids.has(id))];
}

function checkParts(chosen: string[]): string | undefined {
  if (chosen.length < MIN_PARTS) return say('Choose at least two links.');
  return chosen.length > MAX_PARTS
    ? say('Choose at most {count} links.', { count: MAX_PARTS })
    : undefined;
}

interface PartsFieldProps {
  links: Choice[];
  /** Ids, in the order in which buyers see them. */
  chosen: string[];
  error: Said | undefined;
  disabled: boolean;
  onChoose(event: FormEvent<HTMLInputElement>): void;
  /** Null where all are shown. */
  onMore: (() => void) | null;
}

/** The creator's links, and what the chosen ones cost when each is bought by itself. */
function PartsField({ links, chosen, error, disabled, onChoose, onMore }: PartsFieldProps) {
  const id = useId();
  const parts = links.filter((link) => chosen.includes(link.id));
  return (
    <fieldset aria-describedby={`${id}-sum ${id}-error`}>
      <legend className="mb-1.5 font-medium">{say('Links in this bundle')}</legend>
      <ul className="max-h-80 overflow-y-auto rounded-control border border-line px-3">
        {links.map((link) => (
          <li key={link.id}>
            <label className="flex min-h-11 cursor-pointer items-center gap-3 py-1.5">
              <input
                checked={chosen.includes(link.id)}
                className="size-5 shrink-0 accent-ink"
                disabled={disabled}
                name="parts"
                onChange={onChoose}
                type="checkbox"
                value={link.id}
              />
              <span className="min-w-0 flex-1 wrap-anywhere">
                <bdi>{nameLink(link)}</bdi>
              </span>
              <span className="text-sm text-muted tabular-nums">{tell(priceOf(link))}</span>
            </label>
          </li>
        ))}
        {onMore && (
          <li>
            <button
              className="text-link min-h-11 text-sm"
              disabled={disabled}
              onClick={onMore}
              type="button"
            >
              {say('Show older links')}
            </button>
          </li>
        )}
      </ul>
      <p className="mt-1.5 text-sm text-muted tabular-nums" id={`${id}-sum`} role="status">
        {parts.length > 0 &&
          `${sayCount(parts.length, '1 link', '{count} links')}, ${say(
            '{price} if bought separately.',
            { price: formatPrice(priceSingly(parts)) },
          )}`}
      </p>
      <FieldError id={`${id}-error`}>{error}</FieldError>
    </fieldset>
  );
}

interface BundleInput {
  title: string;
  description: string;
  /** Cents. */
  price: number;
  parts: string[];
}

/** @returns the bundle's id */
async function save(
  config: RuntimeConfig,
  id: string | undefined,
  input: BundleInput,
): Promise<string> {
  if (id !== undefined) {
    await requestGraphql(config, update, { input: { id, ...input } });
    return id;
  }
  const { createPaywallLink: made } = await requestGraphql(config, create, {
    input: { type: 'bundle', ...input },
  });
  if (!made) throw new Error('The server created no link');
  return made.id;
}

function placeError(error: unknown): FormErrors | undefined {
  const field = error instanceof RequestError && FIELDS[error.code];
  return field ? { [field]: error.message } : undefined;
}
