import { useState } from 'react';
import type { RuntimeConfig } from '../../../contract/runtime-config.ts';
import { type Sentence, say } from '../../languages/say.ts';
import { formatDay, nameLink, sayCount } from '../../lib/format.ts';
import { graphql, type ResultOf } from '../../lib/graphql.ts';
import { requestGraphql } from '../../lib/request-graphql.ts';
import { definePage, type PageContext, type PageProps } from '../../page.ts';
import { ActButton } from '../../ui/act-button.tsx';
import { ListPage } from '../../ui/list-page.tsx';
import { ListFailed, OtherPages } from '../../ui/list-parts.tsx';
import { EmptyList } from '../../ui/message-page.tsx';
import { AddKeys, KeySettings } from './key-forms.tsx';

const query = graphql(`
  query Licenses($id: ID!, $free: Boolean!, $after: String) {
    getPaywallLink(id: $id) { id title licenses devices }
    listLicenseKeys(linkId: $id, free: $free, nextToken: $after) {
      items { id key purchaseId state at devices }
      nextToken free owed
    }
  }
`);

const variablesOf = ({ query }: PageContext) => ({
  id: query.link ?? '',
  free: query.show === 'unsold',
  after: query.after ?? null,
});

export const page = definePage({
  query,
  variables: variablesOf,
  fallback: { getPaywallLink: null, listLicenseKeys: null },
  status: (_, ctx) => ctx.failed?.listLicenseKeys ?? 200,
  hydrate: 'now',
  head: () => ({ title: say('License keys'), robots: 'noindex' }),
  Component: Licenses,
});

type Answer = ResultOf<typeof query>;
type List = NonNullable<Answer['listLicenseKeys']>;

/** The license keys of one link: which ones buyers get, and who has which. */
function Licenses({ data, ctx }: PageProps<Answer>) {
  const [{ getPaywallLink: link, listLicenseKeys: list }, show] = useState(data);
  const [said, setSaid] = useState('');
  const { id, free: isUnsold } = variablesOf(ctx);
  const addressOf = (unsold: boolean) => `${ctx.path}?link=${id}${unsold ? '&show=unsold' : ''}`;

  async function tell(words: string) {
    show(await requestGraphql(ctx.config, query, variablesOf(ctx)));
    setSaid(words);
  }

  return (
    <ListPage
      back={{ href: '/dashboard', words: say('Back to the dashboard') }}
      explanation={say(
        'Each buyer of {name} can get a key, which your program verifies with POST {address}.',
        {
          name: nameLink(link ?? { id, title: null }),
          address: `${ctx.config.origin}/licenses/verify`,
        },
      )}
      said={said}
      scriptless={say('Changes require JavaScript, which is turned off in this browser.')}
      title={say('License keys')}
    >
      {list ? (
        <>
          {/* None of a deleted link, which sells nothing. */}
          {link && (
            <KeySettings config={ctx.config} key={link.licenses} link={link} onSaved={tell} />
          )}
          {link && (link.licenses === 'list' || list.owed > 0) && (
            <AddKeys config={ctx.config} linkId={id} onAdded={tell} />
          )}
          {(link?.licenses === 'list' || list.free > 0 || list.owed > 0) && (
            <div className="flex flex-wrap items-center justify-between gap-x-6">
              <p className="font-medium">{describeCounts(list)}</p>
              <a
                className="text-link inline-flex min-h-11 items-center"
                href={addressOf(!isUnsold)}
              >
                {say(isUnsold ? 'Show sold keys' : 'Show unsold keys')}
              </a>
            </div>
          )}
          {list.items.length === 0 ? (
            <EmptyList text={say(isUnsold ? 'No unsold keys.' : 'No keys sold yet.')} />
          ) : (
            <ul className="card divide-y divide-line">
              {list.items.map((item) => (
                <KeyRow config={ctx.config} item={item} key={item.id} linkId={id} onDone={tell} />
              ))}
            </ul>
          )}
        </>
      ) : (
        <ListFailed address={addressOf(isUnsold)} what={say('Your license keys')} />
      )}
      <OtherPages
        address={addressOf(isUnsold)}
        after={ctx.query.after}
        first={say('Show the newest')}
        next={say('Show older keys')}
        nextToken={list?.nextToken ?? null}
      />
    </ListPage>
  );
}

/** "12 unsold keys, 1 buyer is waiting for a key" */
function describeCounts({ free, owed }: List): string {
  return [
    sayCount(free, '1 unsold key', '{count} unsold keys'),
    owed > 0 &&
      sayCount(owed, '1 buyer is waiting for a key', '{count} buyers are waiting for a key'),
  ]
    .filter(Boolean)
    .join(', ');
}

const STATES: Record<string, Sentence | undefined> = {
  free: 'Unsold',
  valid: 'Valid',
  suspended: 'On hold',
  ended: 'No longer valid',
};

const remove = graphql(`
  mutation RemoveKeys($linkId: ID!, $ids: [ID!]!) { removeLicenseKeys(linkId: $linkId, ids: $ids) }
`);
const clear = graphql('mutation ClearDevices($id: ID!) { clearLicenseActivations(id: $id) }');

interface KeyRowProps {
  item: List['items'][number];
  config: RuntimeConfig;
  linkId: string;
  onDone(words: string): Promise<void>;
}

function KeyRow({ item, config, linkId, onDone }: KeyRowProps) {
  const { id, purchaseId, state, devices } = item;
  const badge = STATES[state];
  const key = item.key ?? say(state === 'owed' ? 'Still to be added' : 'No key was given');
  const day = formatDay(item.at);
  return (
    <li className="dashboard-row">
      <div className="min-w-0 flex-1 basis-64 wrap-anywhere">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
          {key}
          {badge && <span className="badge">{say(badge)}</span>}
        </p>
        <p className="text-sm text-muted">
          {purchaseId === null
            ? say('Added on {day}', { day })
            : `${say('Sold on {day}', { day })}, ${say('Order number: {number}', { number: purchaseId })}`}
        </p>
        {devices.length > 0 && (
          <p className="text-sm">{say('Active on: {devices}', { devices: devices.join(', ') })}</p>
        )}
      </div>
      {state === 'free' && (
        <div className="ms-auto">
          <ActButton
            act={() => requestGraphql(config, remove, { linkId, ids: [id] })}
            busyWords={say('Removing...')}
            label={say('Remove: {key}', { key })}
            onDone={() => onDone(say('{key} was removed.', { key }))}
            question={{
              title: say('Remove this key?'),
              text: say('Nobody has bought it, and nobody can then.'),
            }}
            tone="danger"
            words={say('Remove')}
          />
        </div>
      )}
      {devices.length > 0 && (
        <div className="ms-auto">
          <ActButton
            act={() => requestGraphql(config, clear, { id })}
            busyWords={say('Clearing...')}
            label={say('Clear devices: {key}', { key })}
            onDone={() => onDone(say('The devices of {key} were cleared.', { key }))}
            question={{
              title: say('Clear the devices of this key?'),
              text: say(
                'The key can then be activated on other devices. Programs that still use it will activate it again.',
              ),
            }}
            tone="secondary"
            words={say('Clear devices')}
          />
        </div>
      )}
    </li>
  );
}
