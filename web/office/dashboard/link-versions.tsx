import { useState } from 'react';
import { isolate } from '../../../contract/isolate.ts';
import type { RuntimeConfig } from '../../../contract/runtime-config.ts';
import { say } from '../../languages/say.ts';
import { formatDay, sayCount } from '../../lib/format.ts';
import { graphql, type ResultOf } from '../../lib/graphql.ts';
import { requestGraphql } from '../../lib/request-graphql.ts';
import { Alert } from '../../ui/alert.tsx';
import type { OwnLink } from './link-pages.ts';
import { editLink, useAttempt } from './use-own-link.ts';

const versionsQuery = graphql(`
  query LinkVersions($id: ID!) {
    getPaywallLink(id: $id) {
      version
      versions { number createdAt buyers whole url files { name } }
    }
  }
`);

type Versioned = NonNullable<ResultOf<typeof versionsQuery>['getPaywallLink']>;

interface LinkVersionsProps {
  config: RuntimeConfig;
  link: OwnLink;
  onSold(link: OwnLink, said: string): void;
}

/** What a link sells and sold, loaded when it is opened, and the way back to an earlier version. */
export function LinkVersions({ config, link, onSold }: LinkVersionsProps) {
  const [shown, setShown] = useState<Versioned | null>(null);
  const [said, setSaid] = useState('');
  const { busy, error, attempt } = useAttempt();

  async function load() {
    const answer = await requestGraphql(config, versionsQuery, { id: link.id });
    setShown(answer.getPaywallLink);
  }

  const sellAgain = (number: number) =>
    attempt(async () => {
      const changed = await editLink(config, { id: link.id, version: number });
      const now = changed.version;
      const what = say('Version {number} is on sale again, as version {now}.', { number, now });
      setSaid(what);
      onSold(changed, what);
      await load();
    });

  return (
    <details
      onToggle={({ currentTarget }) => {
        if (currentTarget.open) void attempt(load);
      }}
    >
      <summary className="disclosure">{say('Versions ({count})', { count: link.version })}</summary>
      <p className="text-sm text-muted">
        {say('Buyers keep the version they bought, and get the one on sale as well.')}
      </p>
      <ul className="mt-2 divide-y divide-line">
        {shown?.versions?.map((version) => (
          <li className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2" key={version.number}>
            <div className="min-w-0 flex-1 basis-48">
              <p className="font-medium">{say('Version {number}', { number: version.number })}</p>
              <p className="text-sm text-muted wrap-anywhere">
                {version.url ?? version.files.map(({ name }) => isolate(name)).join(', ')}
              </p>
              <p className="text-sm text-muted">
                {`${formatDay(version.createdAt)}, ${sayCount(version.buyers ?? 0, '1 buyer', '{count} buyers')}`}
                {!version.whole && `, ${say('files deleted')}`}
              </p>
            </div>
            {version.number === shown.version ? (
              <span className="badge">{say('On sale')}</span>
            ) : (
              version.whole && (
                <button
                  aria-busy={busy}
                  aria-disabled={busy}
                  aria-label={say('Sell again: version {number}', { number: version.number })}
                  className="button button-secondary button-small"
                  onClick={() => sellAgain(version.number)}
                  type="button"
                >
                  {say('Sell again')}
                </button>
              )
            )}
          </li>
        ))}
      </ul>
      <p className="text-sm" role="status">
        {said}
      </p>
      {error && <Alert>{error}</Alert>}
    </details>
  );
}
