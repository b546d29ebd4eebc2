import { useId } from 'react';
import { checkChoice } from '../../../contract/choice-rules.ts';
import type { Said } from '../../../contract/fact.ts';
import { collectErrors } from '../../../contract/form-errors.ts';
import { MAX_CHOICES, MIN_CHOICES } from '../../../contract/limits.ts';
import { tidyTitle } from '../../../contract/link-rules.ts';
import { say } from '../../languages/say.ts';
import { nameLink } from '../../lib/format.ts';
import { graphql, type ResultOf } from '../../lib/graphql.ts';
import { messageOf, RequestError } from '../../lib/request-error.ts';
import { requestGraphql } from '../../lib/request-graphql.ts';
import { needSession } from '../../lib/sign-in-again.ts';
import { useForm } from '../../lib/use-form.ts';
import { useHydrated } from '../../lib/use-hydrated.ts';
import { definePage, type PageContext, type PageProps } from '../../page.ts';
import { FieldError, FormError } from '../../ui/alert.tsx';
import { ListFailed } from '../../ui/list-parts.tsx';
import { EmptyList } from '../../ui/message-page.tsx';
import { LinkPicker, type PickedLink, usePickedLinks } from './link-picker.tsx';

const query = graphql(`
  query Choices($id: ID!, $after: String) {
    listPaywallLinks(mine: true, limit: 100, nextToken: $after) {
      items { id title price least free choice }
      nextToken
    }
    getPaywallLink(id: $id) {
      id mine title price least free choice
      choices { id title price least free choice }
    }
  }
`);

const variables = (ctx: PageContext, after: string | null = null) => ({
  id: ctx.query.link ?? '',
  after,
});

export const page = definePage({
  query,
  variables: (ctx) => variables(ctx),
  fallback: { listPaywallLinks: null, getPaywallLink: null },
  status: (data, ctx) => ctx.failed?.listPaywallLinks ?? (ownLink(data) ? 200 : 404),
  hydrate: 'now',
  head: () => ({ title: say('Choices'), robots: 'noindex' }),
  Component: ChoicesPage,
});

type Answer = ResultOf<typeof query>;

const ownLink = ({ getPaywallLink: link }: Answer) => (link?.mine ? link : null);

function ChoicesPage({ data, ctx }: PageProps<Answer>) {
  const link = ownLink(data);
  const { listPaywallLinks: list } = data;
  return (
    <div className="mx-auto w-full max-w-xl px-5 py-12 sm:py-16">
      <h1 className="text-3xl sm:text-4xl">{say('Choices')}</h1>
      <p className="mt-3 text-lg text-muted">
        {say('Offer several of your links as choices of one thing. Each page leads to the others.')}
      </p>
      <p className="mt-3 mb-6">
        <a className="text-link inline-flex min-h-11 items-center" href="/dashboard">
          {say('Back to the dashboard')}
        </a>
      </p>
      <noscript>
        <p className="mb-6">
          {say('Setting choices requires JavaScript, which is turned off in this browser.')}
        </p>
      </noscript>
      {!list && <ListFailed address={ctx.path} what={say('Your links')} />}
      {list && !link && <EmptyList text={say('You have no such link.')} />}
      {list && link && <ChoicesForm ctx={ctx} link={link} list={list} />}
    </div>
  );
}

const setChoices = graphql(
  'mutation SetChoices($id: ID!, $choices: [ChoiceInput!]!) { setChoices(id: $id, choices: $choices) { id } }',
);

interface ChoicesFormProps {
  ctx: PageContext;
  link: NonNullable<Answer['getPaywallLink']>;
  list: NonNullable<Answer['listPaywallLinks']>;
}

function ChoicesForm({ ctx, link, list }: ChoicesFormProps) {
  const { config } = ctx;
  const hydrated = useHydrated();
  const first = link.choices ?? [link];
  const picked = usePickedLinks(first, list, async (after) => {
    const more = await requestGraphql(config, query, variables(ctx, after));
    return more.listPaywallLinks;
  });
  const { chosen, shown } = picked;
  const { errors, busy, formProps } = useForm({
    check: (values) =>
      collectErrors({
        choices: checkCount(chosen, link.choices !== null),
        ...Object.fromEntries(
          chosen.map((id) => [fieldOf(id), checkChoice(tidyTitle(values[fieldOf(id)] ?? ''))]),
        ),
      }),
    async send(values) {
      const choices = chosen.map((id) => ({ id, name: tidyTitle(values[fieldOf(id)] ?? '') }));
      await needSession(requestGraphql(config, setChoices, { id: link.id, choices }));
      location.assign(`/p/${link.id}`);
    },
    place: (error) =>
      error instanceof RequestError && error.code === 'INVALID_CHOICES'
        ? { choices: messageOf(error) }
        : undefined,
  });

  const disabled = !hydrated || busy;
  const ofOthers = (other: (typeof shown)[number]) =>
    other.choice !== null && !first.some(({ id }) => id === other.id);
  return (
    <form {...formProps} className="card space-y-6 p-6 shadow-card sm:p-8" method="post">
      <LinkPicker
        {...picked}
        ask={(one) => (
          <NameField
            disabled={disabled}
            error={errors[fieldOf(one.id)]}
            link={one}
            name={first.find(({ id }) => id === one.id)?.choice ?? ''}
          />
        )}
        disabled={disabled}
        error={errors.choices}
        legend={say('Links to choose from')}
        links={shown.filter((one) => !ofOthers(one))}
        name="choices"
      >
        {say(
          link.choices
            ? 'Choose none to sell each by itself again.'
            : 'Buyers see them in the order in which you choose them, unlisted links too.',
        )}
      </LinkPicker>
      {errors[''] && <FormError>{errors['']}</FormError>}
      <button
        aria-busy={busy}
        className="button button-primary w-full text-lg"
        disabled={disabled}
        type="submit"
      >
        {say(busy ? 'Saving...' : 'Save')}
      </button>
    </form>
  );
}

const fieldOf = (id: string) => `name-${id}`;

function checkCount(chosen: string[], wereThere: boolean): string | undefined {
  if (chosen.length < MIN_CHOICES && !(wereThere && chosen.length === 0)) {
    return say('Choose at least two links.');
  }
  return chosen.length > MAX_CHOICES
    ? say('Choose at most {count} links.', { count: MAX_CHOICES })
    : undefined;
}

interface NameFieldProps {
  link: PickedLink;
  /** As it was set before. */
  name: string;
  error: Said | undefined;
  disabled: boolean;
}

/** What buyers choose it by. */
function NameField({ link, name, error, disabled }: NameFieldProps) {
  const id = useId();
  return (
    <div className="pb-3 ps-8">
      <input
        aria-describedby={`${id}-error`}
        aria-invalid={error ? true : undefined}
        aria-label={say('Name of the choice {link}', { link: nameLink(link) })}
        className="input"
        defaultValue={name}
        dir="auto"
        disabled={disabled}
        name={fieldOf(link.id)}
        placeholder={say('Name, such as PDF')}
        type="text"
      />
      <FieldError id={`${id}-error`}>{error}</FieldError>
    </div>
  );
}
