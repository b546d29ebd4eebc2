import { collectErrors, type FormErrors } from '../../../contract/form-errors.ts';
import { MAX_PARTS, MIN_PARTS } from '../../../contract/limits.ts';
import {
  checkDescription,
  checkTitle,
  checkTypedPrice,
  tidyDescription,
  tidyTitle,
} from '../../../contract/link-rules.ts';
import { dollarsToCents, formatCents } from '../../../contract/money.ts';
import type { RuntimeConfig } from '../../../contract/runtime-config.ts';
import { type Sentence, say } from '../../languages/say.ts';
import { formatPrice, sayCount } from '../../lib/format.ts';
import { graphql, type ResultOf } from '../../lib/graphql.ts';
import { RequestError } from '../../lib/request-error.ts';
import { requestGraphql } from '../../lib/request-graphql.ts';
import { needSession } from '../../lib/sign-in-again.ts';
import { useForm } from '../../lib/use-form.ts';
import { useHydrated } from '../../lib/use-hydrated.ts';
import { definePage, type PageContext, type PageProps } from '../../page.ts';
import { FormError } from '../../ui/alert.tsx';
import { Field, TextArea } from '../../ui/field.tsx';
import { ListFailed } from '../../ui/list-parts.tsx';
import { EmptyList } from '../../ui/message-page.tsx';
import { PriceField } from '../../ui/price-field.tsx';
import { LinkPicker, type PickedLink, usePickedLinks } from './link-picker.tsx';
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
  const picked = usePickedLinks(bundle?.parts ?? [], list, async (after) => {
    const more = await requestGraphql(config, query, variables(ctx, after));
    return more.listPaywallLinks;
  });
  const { chosen, shown } = picked;
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

  const disabled = !hydrated || busy;
  return (
    <form {...formProps} className="card space-y-6 p-6 shadow-card sm:p-8" method="post">
      <LinkPicker
        {...picked}
        disabled={disabled}
        error={errors.parts}
        legend={say('Links in this bundle')}
        links={shown}
        name="parts"
      >
        {chosen.length > 0 && describeSum(shown.filter(({ id }) => chosen.includes(id)))}
      </LinkPicker>
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

/** "3 links, $9.00 if bought separately." */
function describeSum(parts: PickedLink[]): string {
  const singly = say('{price} if bought separately.', { price: formatPrice(priceSingly(parts)) });
  return `${sayCount(parts.length, '1 link', '{count} links')}, ${singly}`;
}

function checkParts(chosen: string[]): string | undefined {
  if (chosen.length < MIN_PARTS) return say('Choose at least two links.');
  return chosen.length > MAX_PARTS
    ? say('Choose at most {count} links.', { count: MAX_PARTS })
    : undefined;
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
