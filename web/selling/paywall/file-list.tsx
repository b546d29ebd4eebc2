import type { MouseEvent, ReactNode } from 'react';
import { isShownByBrowsers } from '../../../contract/links.ts';
import { say } from '../../languages/say.ts';
import { archiveAddress, contentAddress, openAddress } from '../../lib/addresses.ts';
import { sayBytes } from '../../lib/format.ts';
import { DownloadIcon } from '../../ui/icons.tsx';
import { openContent, useOpening } from './open-content.ts';

interface FileListProps {
  linkId: string;
  files: { name: string; size: number; mediaType: string; sha256?: string | null }[];
  /** Another than what the viewer gets unasked. */
  version?: number;
}

/** The files of an unlocked link, each with a download button, and all of them together. */
export function FileList({ linkId, files, version }: FileListProps) {
  const opening = useOpening();
  const archive = archiveAddress(linkId, version);
  const starting =
    opening === archive
      ? say('all files')
      : files.find((_file, index) => contentAddress(linkId, index, version) === opening)?.name;
  return (
    <>
      <ul className="w-full divide-y divide-line text-start text-base">
        {files.map(({ name, size, mediaType }, index) => {
          const address = contentAddress(linkId, index, version);
          const isPlayed = /^(audio|video)/.test(mediaType);
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: the order of the files is their address.
            <li className="flex flex-wrap items-center gap-3" key={index}>
              <FileRow address={address} name={name} size={size} />
              {isShownByBrowsers(mediaType) && (
                <a
                  aria-label={say(isPlayed ? 'Play {name}' : 'Open {name}', { name })}
                  className="text-link inline-flex min-h-11 min-w-11 items-center justify-end text-sm"
                  href={openAddress(address)}
                  onClick={(event) => isPlayed && play(event, name)}
                  rel="noopener"
                  target="_blank"
                  type={mediaType}
                >
                  {say(isPlayed ? 'Play' : 'Open')}
                </a>
              )}
            </li>
          );
        })}
        {files.length > 1 && (
          <li>
            <FileRow address={archive} name={say('Download all (ZIP)')} size={sumSizes(files)} />
          </li>
        )}
      </ul>
      {files.some(({ sha256 }) => sha256) && (
        <details className="mt-2 w-full text-start text-sm">
          <summary className="disclosure">{say('Check your download (SHA-256)')}</summary>
          {/* As sha256sum writes and reads it. */}
          <pre className="whitespace-pre-wrap wrap-anywhere">
            {files.map(({ name, sha256 }) => sha256 && `${sha256}  ${name}\n`)}
          </pre>
        </details>
      )}
      <p className="sr-only" role="status">
        {starting && say('The download of {name} is starting.', { name: starting })}
      </p>
    </>
  );
}

/** In the page. Without what it takes, the browser's own player opens in its place. */
function play(event: MouseEvent<HTMLAnchorElement>, name: string) {
  if (isForAnotherTab(event)) return;
  event.preventDefault();
  const link = event.currentTarget;
  import('./player.ts').then(
    ({ playBelow }) => playBelow(link, name),
    () => location.assign(link.href),
  );
}

const isForAnotherTab = ({ metaKey, ctrlKey, shiftKey, altKey }: MouseEvent) =>
  metaKey || ctrlKey || shiftKey || altKey;

const sumSizes = (files: { size: number }[]) => files.reduce((sum, { size }) => sum + size, 0);

function FileRow({ address, name, size }: { address: string; name: string; size: number }) {
  const begin = name.lastIndexOf('/') + 1;
  const label = (state: string) => (
    <span className="min-w-0 flex-1">
      <span className="block break-words font-medium group-hover:underline">
        <bdi className="font-normal text-muted">{name.slice(0, begin)}</bdi>
        <bdi>{name.slice(begin)}</bdi>
      </span>
      <span className="text-sm text-muted tabular-nums">{state}</span>
    </span>
  );
  return (
    <ContentLink
      address={address}
      className="group flex min-h-14 min-w-0 flex-1 items-center gap-3 py-2"
      opening={
        <>
          <span className="spinner size-5 shrink-0" />
          {label(say('Starting...'))}
        </>
      }
    >
      <DownloadIcon className="size-5 shrink-0" />
      {label(sayBytes(size))}
    </ContentLink>
  );
}

interface ContentLinkProps {
  /** A `contentAddress`. */
  address: string;
  className: string;
  /** What it shows, and what it shows instead until the content starts to arrive. */
  children: ReactNode;
  opening: ReactNode;
}

/** Leads to unlocked content, and says so until it starts to arrive. */
export function ContentLink({ address, className, children, opening }: ContentLinkProps) {
  const isOpening = useOpening() === address;
  return (
    <a
      aria-busy={isOpening}
      aria-disabled={isOpening}
      className={className}
      href={address}
      onClick={(event) => {
        if (isForAnotherTab(event)) return;
        event.preventDefault();
        openContent(address);
      }}
    >
      {isOpening ? opening : children}
    </a>
  );
}
