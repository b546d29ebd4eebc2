import type { Logger } from 'pino';
import type { JobHandlers } from '../ground/outbox/worker.ts';
import { type CheckContext, checkFile, checkOldFiles } from './check-file.ts';
import { ScannerDownError } from './malware-scan.ts';

/** How soon a scanner that gave no answer is asked again. */
const ASKED_AGAIN_MS = 30_000;

/** What follows the arrival of files. While the scanner is down, they stay pending. */
export function createFileJobs(
  context: CheckContext,
  log: Pick<Logger, 'warn' | 'error'>,
): Pick<JobHandlers, 'check-file' | 'check-old-files'> {
  const attempt = async (work: Promise<void>, again: (at: number) => void) => {
    try {
      await work;
    } catch (error) {
      if (!(error instanceof ScannerDownError)) throw error;
      const advice = 'the malware scanner gave no answer, so files stay pending; see CLAMD_SOCKET';
      log.warn({ err: error }, advice);
      again(context.now() + ASKED_AGAIN_MS);
    }
  };
  return {
    'check-file': ({ blob }, again) => attempt(checkFile(context, blob), again),
    'check-old-files': (_payload, again) =>
      attempt(
        checkOldFiles(context, (error, { key, blob }) =>
          log.error({ err: error, key, blob }, 'a file could not be checked'),
        ),
        again,
      ),
  };
}
