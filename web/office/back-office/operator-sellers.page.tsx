import { say } from '../../languages/say.ts';
import { sayWith } from '../../languages/say-with.ts';
import { formatDay, sayBytes, sayCount } from '../../lib/format.ts';
import { graphql, type ResultOf } from '../../lib/graphql.ts';
import { formatSum } from '../../money/payouts/money-query.ts';
import { definePage, type PageContext, type PageProps } from '../../page.ts';
import { ListFailed, OtherPages } from '../../ui/list-parts.tsx';
import { EmptyList } from '../../ui/message-page.tsx';
import { AccountActs, type AccountActsProps, accountFields } from './account-acts.tsx';
import { Invitations, invitationFields } from './invitations.tsx';
import {
  CardList,
  OperatorFrame,
  RowLink,
  SearchForm,
  Section,
  searchAddress,
  Tabs,
  useActs,
} from './operator-frame.tsx';

const query = graphql(
  `
    query OperatorSellers($search: String!, $operators: Boolean!, $after: String) {
      listAccounts(emailPrefix: $search, operators: $operators, nextToken: $after) {
        items {
          ...AccountFields
          firstName isConfirmed createdAt suspendedBecause links usedBytes sales earned
        }
        nextToken
      }
      listInvitations { items { ...InvitationFields } nextToken }
    }
  `,
  [accountFields, invitationFields],
);

type Data = ResultOf<typeof query>;
type Account = NonNullable<Data['listAccounts']>['items'][number];

export const page = definePage({
  query,
  variables: readVariables,
  fallback: { listAccounts: null, listInvitations: null },
  status: (_, { failed }) => failed?.listAccounts ?? failed?.listInvitations ?? 200,
  hydrate: 'now',
  head: () => ({ title: say('Sellers'), robots: 'noindex' }),
  Component: OperatorSellers,
});

const OPERATORS = 'operators';

function readVariables({ query: { search = '', show, after } }: PageContext) {
  return { search: search.trim(), operators: show === OPERATORS, after: after ?? null };
}

/** Who has an account here, what they may have, and who is invited. */
function OperatorSellers(props: PageProps<Data>) {
  const { ctx } = props;
  const variables = readVariables(ctx);
  const { search, operators } = variables;
  const { shown, done, acting } = useActs(props, query, variables);
  const { listAccounts: accounts, listInvitations: invitations } = shown;
  const show = operators ? OPERATORS : '';
  const address = searchAddress(ctx.path, search, show);
  return (
    <OperatorFrame ctx={ctx} done={done} title={say('Sellers')}>
      <SearchForm
        address={ctx.path}
        hint={say('Every account can sell unless the settings say otherwise. Sorted by email.')}
        label={say('Email starts with')}
        search={search}
        show={show}
      />
      <Tabs
        label={say('Accounts')}
        tabs={['', OPERATORS].map((part) => ({
          href: searchAddress(ctx.path, search, part),
          words: say(part ? 'Operators' : 'All accounts'),
          isCurrent: part === show,
        }))}
      />
      <CardList
        address={address}
        empty={<EmptyList text={say('No accounts found.')} />}
        items={accounts?.items}
        what={say('The accounts')}
      >
        {(account) => (
          <AccountRow account={account} ctx={ctx} key={account.id} onDone={acting.onDone} />
        )}
      </CardList>
      <OtherPages
        address={address}
        after={ctx.query.after}
        first={say('Show the first')}
        next={say('Show more accounts')}
        nextToken={accounts?.nextToken ?? null}
      />
      <Section id="invitations" title={say('Invitations')}>
        {invitations ? (
          <Invitations {...acting} invitations={invitations} />
        ) : (
          <ListFailed address={address} what={say('The invitations')} />
        )}
      </Section>
    </OperatorFrame>
  );
}

function AccountRow({ account, ctx, onDone }: AccountActsProps & { account: Account }) {
  const { email, firstName, createdAt, links, usedBytes, sales, earned } = account;
  const quotas = describeQuotas(account);
  return (
    <li className="dashboard-row">
      <div className="min-w-0 flex-1 basis-64 wrap-anywhere">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
          <RowLink href={searchAddress('/operator/links', email)}>{email}</RowLink>
          {account.isOperator && <span className="badge">{say('Operator')}</span>}
          {account.suspendedAt && <span className="badge">{say('Suspended')}</span>}
          {!account.isConfirmed && <span className="badge">{say('Not confirmed')}</span>}
        </p>
        <p className="text-sm text-muted">
          {sayWith('{name}, since {day}', {
            name: firstName,
            day: <time dateTime={createdAt}>{formatDay(createdAt)}</time>,
          })}
        </p>
        <p className="text-sm text-muted">
          {say('{links}, {size}, {sales}, {sum} earned', {
            links: sayCount(links, '1 link', '{count} links'),
            size: sayBytes(usedBytes),
            sales: sayCount(sales, '1 sale', '{count} sales'),
            sum: formatSum(earned),
          })}
        </p>
        {quotas && <p className="text-sm text-muted">{say('At most {quotas}', { quotas })}</p>}
        {account.suspendedBecause && (
          <p className="mt-1 text-sm">
            {say('Suspended: {reason}', { reason: account.suspendedBecause })}
          </p>
        )}
      </div>
      <AccountActs account={account} ctx={ctx} onDone={onDone} />
    </li>
  );
}

/** Its own ones; '' where the settings hold for all. */
function describeQuotas({ quotaBytes, quotaLinks, quotaUploadsADay }: Account): string {
  return [
    quotaBytes !== null && sayBytes(quotaBytes),
    quotaLinks !== null && sayCount(quotaLinks, '1 link', '{count} links'),
    quotaUploadsADay !== null &&
      sayCount(quotaUploadsADay, '1 upload a day', '{count} uploads a day'),
  ]
    .filter(Boolean)
    .join(', ');
}
