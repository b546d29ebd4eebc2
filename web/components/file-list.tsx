import { contentAddress } from '../data/addresses.ts';
import { formatBytes } from '../data/format.ts';
import { DownloadIcon } from './icons.tsx';

interface FileListProps {
  linkId: string;
  files: { name: string; size: number }[];
}

/** Every file of an unlocked link, each to be downloaded. */
export function FileList({ linkId, files }: FileListProps) {
  return (
    <ul className="mt-6 w-full divide-y divide-line text-start text-base">
      {files.map((file, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the order of the files is their address.
        <li key={index}>
          <a
            className="group flex min-h-14 items-center gap-3 py-2"
            href={contentAddress(linkId, index)}
          >
            <DownloadIcon className="size-5 shrink-0" />
            <span className="min-w-0 flex-1 break-words font-medium group-hover:underline">
              {file.name}
            </span>
            <span className="text-sm text-muted tabular-nums">{formatBytes(file.size)}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}
