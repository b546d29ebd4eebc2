import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { lastPart } from '../../../contract/links.ts';
import type { PageData } from '../../../contract/page-context.ts';
import {
  opensslLines,
  type ReceiptKey,
  type ReceiptStatement,
} from '../../../contract/signed-receipt.ts';
import { type Sentence, say } from '../../languages/say.ts';
import { formatDay, formatTime, sayBytes } from '../../lib/format.ts';
import { definePage, type PageProps } from '../../page.ts';
import { Alert } from '../../ui/alert.tsx';
import { CheckIcon, FileIcon } from '../../ui/icons.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { hashFile, type Verdict, verifyReceipt } from './verify-receipt.ts';

export const page = definePage({
  hydrate: 'now',
  head: (_data: PageData['verify'], ctx) => ({
    title: say('Verify a signed receipt'),
    description: say(
      'Find out whether a signed receipt is genuine, and whether a file is the one it names.',
    ),
    canonical: `${ctx.config.origin}/verify`,
  }),
  Component: Verify,
});

/** Works without a connection once it was opened, and sends nothing of what is chosen. */
function Verify({ data: { keys }, ctx }: PageProps<PageData['verify']>) {
  const [receipt, setReceipt] = useState<{ name: string; verdict: Verdict | null } | null>(null);
  const newest = useRef<File | null>(null);
  useEffect(() => {
    keepPage().catch((error: unknown) => console.warn('The page could not be kept', error));
  }, []);

  async function verify(files: File[]) {
    const [file] = files;
    if (!file) return;
    newest.current = file;
    setReceipt({ name: file.name, verdict: null });
    const verdict = await verifyReceipt(file, keys);
    if (newest.current === file) setReceipt({ name: file.name, verdict });
  }

  const verdict = receipt?.verdict;
  return (
    <div className="list-page">
      <div>
        <h1 className="text-3xl sm:text-4xl">{say('Verify a signed receipt')}</h1>
        <p className="mt-3 text-lg text-muted">
          {say(
            'A signed receipt proves what was bought here, from whom, when and for how much. Nothing that you choose on this page leaves your browser.',
          )}
        </p>
      </div>
      <Chooser button={say('Choose the receipt')} onChoice={verify}>
        {receipt?.name ?? say('Drop a signed receipt here, or')}
      </Chooser>
      <div aria-live="polite">
        {receipt && !verdict && <Spinner text={say('Verifying...')} />}
        {verdict && verdict.kind !== 'right' && <Alert>{say(FAULTS[verdict.kind])}</Alert>}
        {verdict?.kind === 'right' && (
          <Genuine signedBy={verdict.key} statement={verdict.statement} />
        )}
      </div>
      {verdict?.kind === 'right' && <FileCheck stated={verdict.statement.files} />}
      <details open={verdict?.kind === 'unsupported'}>
        <summary className="disclosure">{say('Verify it with OpenSSL instead')}</summary>
        <p className="mt-2 text-sm text-muted">
          {say('With OpenSSL 3. KEY is the key that the receipt names, and FILE what was bought.')}
        </p>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
        <pre className="mt-2 overflow-x-auto rounded bg-well p-4 text-sm" tabIndex={0}>
          {opensslLines(ctx.config.origin, 'KEY').join('\n')}
        </pre>
      </details>
    </div>
  );
}

/** Puts the page, as a guest sees it, where the service worker finds it without a connection. */
async function keepPage(): Promise<void> {
  if (!navigator.onLine || !navigator.serviceWorker) return;
  await navigator.serviceWorker.ready;
  const parts = document.querySelectorAll<HTMLElement>('[href^="/assets/"], [src^="/assets/"]');
  const paths = [...parts].map(
    (part) => part.getAttribute('href') ?? part.getAttribute('src') ?? '',
  );
  const cache = await caches.open('verify');
  await cache.addAll([new Request('/verify', { credentials: 'omit' }), ...paths]);
  // Those of earlier builds.
  for (const part of await cache.keys()) {
    if (!['/verify', ...paths].includes(new URL(part.url).pathname)) await cache.delete(part);
  }
}

const FAULTS: Record<Exclude<Verdict['kind'], 'right'>, Sentence> = {
  wrong:
    'The signature is wrong. The receipt was changed after it was signed, or this site never signed it.',
  'unknown-key':
    'This receipt names a key that this site did not have when the page was loaded. Reload the page, or verify the receipt on the site that it names.',
  unreadable: 'This file is not a signed receipt, or it is incomplete.',
  unsupported:
    'This browser cannot verify signatures of this kind here. Use a current browser over HTTPS, or OpenSSL.',
};

interface ChooserProps {
  button: string;
  multiple?: true;
  children: ReactNode;
  onChoice(files: File[]): void;
}

/** A drop zone that is a file chooser as a whole. */
function Chooser({ button, multiple, children, onChoice }: ChooserProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const takeChosen = () => {
    onChoice(Array.from(input.current?.files ?? []));
  };
  // What was chosen before React took the page over was told to nobody.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what is there at first is news
  useEffect(takeChosen, []);
  return (
    <div className="file-picker file-input">
      <FileIcon className="size-8" />
      <p className="max-w-full text-muted wrap-anywhere">{children}</p>
      <label className="button button-secondary button-small" htmlFor={id}>
        {button}
      </label>
      <input
        id={id}
        multiple={multiple}
        onChange={takeChosen}
        // Otherwise a browser would not report that the same file was chosen again.
        onClick={(event) => {
          event.currentTarget.value = '';
        }}
        ref={input}
        type="file"
      />
    </div>
  );
}

interface GenuineProps {
  statement: ReceiptStatement;
  signedBy: ReceiptKey;
}

function Genuine({ statement, signedBy }: GenuineProps) {
  const { title, seller, price, tax, total, currency, operator, paidAt } = statement;
  const { address, files, version } = statement;
  const since = formatDay(signedBy.created);
  return (
    <section aria-labelledby="genuine" className="card px-6 py-5">
      <h2 className="flex items-center gap-2 text-xl" id="genuine">
        <CheckIcon className="size-6" />
        {say('This receipt is genuine')}
      </h2>
      {statement.mode === 'test' && (
        <p className="mt-2 font-medium">{say('It is for a test payment: no real money moved.')}</p>
      )}
      <dl className="mt-4 grid gap-x-6 gap-y-3 sm:grid-cols-[max-content_1fr]">
        <Fact name={say('Bought')}>
          <bdi>{title ?? say('Paid link {id}', { id: statement.link })}</bdi>
        </Fact>
        {version > 1 && <Fact name={say('Version')}>{version}</Fact>}
        {seller && (
          <Fact name={say('Sold by')}>
            <bdi>{seller}</bdi>
          </Fact>
        )}
        <Fact name={say('Price')}>{`${price} ${currency}`}</Fact>
        {tax && tax !== '0.00' && <Fact name={say('Tax')}>{`${tax} ${currency}`}</Fact>}
        {total && total !== price && <Fact name={say('Total')}>{`${total} ${currency}`}</Fact>}
        {operator?.name && (
          <Fact name={say('Paid to')}>
            <bdi>{operator.name}</bdi>
            {operator.address && (
              <span className="block whitespace-pre-line text-muted">{operator.address}</span>
            )}
          </Fact>
        )}
        <Fact name={say('Paid')}>{formatTime(paidAt)}</Fact>
        <Fact name={say('Purchase')}>{statement.purchase}</Fact>
        {address && (
          <Fact name={say('Web address')}>
            <bdi>{address}</bdi>
          </Fact>
        )}
        {files.length > 0 && (
          <Fact name={say(files.length === 1 ? 'File' : 'Files')}>
            <ul className="space-y-2">
              {files.map(({ name, bytes, sha256 }) => (
                <li key={name}>
                  <bdi>{name}</bdi>, {sayBytes(bytes)}
                  <code className="block text-sm text-muted wrap-anywhere">SHA-256 {sha256}</code>
                </li>
              ))}
            </ul>
          </Fact>
        )}
        <Fact name={say('Signed by')}>
          {signedBy.retired
            ? say('A key that this site has used since {since} until {until}', {
                since,
                until: formatDay(signedBy.retired),
              })
            : say('A key that this site has used since {since}', { since })}
          <code className="block text-sm text-muted">{signedBy.kid}</code>
        </Fact>
      </dl>
    </section>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="sm:contents">
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 wrap-anywhere">{children}</dd>
    </div>
  );
}

type HashedFile = { file: File } & (
  | { state: 'reading'; percent: number }
  | { state: 'read'; sha256: string }
  | { state: 'unreadable' }
);

function FileCheck({ stated }: { stated: ReceiptStatement['files'] }) {
  const [hashed, setHashed] = useState<HashedFile[]>([]);
  const put = (one: HashedFile) =>
    setHashed((all) => all.map((known) => (known.file === one.file ? one : known)));

  async function hash(files: File[]) {
    setHashed(files.map((file) => ({ file, state: 'reading', percent: 0 })));
    for (const file of files) {
      await hashFile(file, (percent) => put({ file, state: 'reading', percent })).then(
        (sha256) => put({ file, state: 'read', sha256 }),
        () => put({ file, state: 'unreadable' }),
      );
    }
  }

  if (stated.length === 0) return null;
  return (
    <section aria-labelledby="files" className="flex flex-col gap-4">
      <h2 className="text-xl" id="files">
        {say('Is this the file that was bought?')}
      </h2>
      <Chooser button={say('Choose files')} multiple onChoice={hash}>
        {say('Drop the files that you received here, or')}
      </Chooser>
      <div className="flex flex-col gap-2" role="status">
        {hashed.map((one, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they stay in their order
          <FileVerdict hashed={one} key={index} stated={stated} />
        ))}
      </div>
    </section>
  );
}

interface FileVerdictProps {
  hashed: HashedFile;
  stated: ReceiptStatement['files'];
}

function FileVerdict({ hashed, stated }: FileVerdictProps) {
  const { name } = hashed.file;
  if (hashed.state === 'reading') {
    return (
      <p>
        {`${say('Reading {name}...', { name })} `}
        <span aria-hidden="true">{hashed.percent}%</span>
      </p>
    );
  }
  if (hashed.state === 'unreadable')
    return <Alert>{say('{name} could not be read.', { name })}</Alert>;
  const match = stated.find(({ sha256 }) => sha256 === hashed.sha256);
  if (!match) {
    const isPdf = name.toLowerCase().endsWith('.pdf');
    return (
      <Alert>
        {say('{name} is not one of the files in this receipt.', { name })}
        {isPdf && ` ${say('A PDF that was stamped for its buyer is a copy of what is stated.')}`}
      </Alert>
    );
  }
  return (
    <p className="flex gap-2">
      <CheckIcon className="mt-0.5 size-5 shrink-0" />
      <span className="min-w-0 wrap-anywhere">
        {lastPart(match.name) === name
          ? say('{name} is, byte for byte, a file in this receipt.', { name })
          : say('{name} is, byte for byte, a file in this receipt, where it is called {stated}.', {
              name,
              stated: match.name,
            })}
      </span>
    </p>
  );
}
