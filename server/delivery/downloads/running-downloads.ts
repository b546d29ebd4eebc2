import type { DatabaseContext } from '../../ground/database/tables.ts';
import type { Changes } from '../../ground/lib/changes.ts';
import { type DownloadTicket, redeemDownload } from './download-url.ts';

/** A download whose bytes may be on their way. */
export interface RunningDownload {
  ticket: DownloadTicket;
  /** Ends it in the middle. */
  cut(): void;
}

interface Context extends DatabaseContext {
  changes: Changes;
  /** Told why the rights of running downloads could not be read. */
  notRead(error: unknown): void;
}

/**
 * Cuts running downloads as soon as what they bring is taken down, in whatever process that was.
 * @returns ends it
 */
export function cutByTakeDowns(
  { db, changes, now, notRead }: Context,
  running: ReadonlySet<RunningDownload>,
): () => void {
  async function cutWhatEnded(downloads: RunningDownload[]): Promise<void> {
    for (const download of downloads) {
      const { kind } = await redeemDownload({ db, now }, download.ticket);
      if (kind === 'refused') download.cut();
    }
  }

  return changes.subscribe({
    changed({ kind, id }) {
      if (kind !== 'link-taken-down') return;
      // An upload that its owner downloads without a link may be one of this link's files.
      const concerned = [...running].filter(
        ({ ticket }) => ticket.linkId === id || ticket.linkId === null,
      );
      cutWhatEnded(concerned).catch((error: unknown) => {
        for (const { cut } of concerned) cut();
        notRead(error);
      });
    },
    missed() {
      cutWhatEnded([...running]).catch(notRead);
    },
  });
}
