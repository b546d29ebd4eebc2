import { useSyncExternalStore } from 'react';
import { formatBytes } from '../../contract/format-bytes.ts';
import { formatTimeLeft } from '../lib/format.ts';
import type { UploadProgress } from './use-new-link.ts';

const OFFLINE = 'You are offline. The upload continues when you are back online.';
const INTERRUPTED = 'The connection was interrupted. Trying again...';
const PAUSED = 'Paused. What has been uploaded is kept.';

interface UploadMeterProps {
  progress: UploadProgress | null;
  pause(): void;
  resume(): void;
  cancel(): void;
}

/** The upload's progress, speed and remaining time, with pause and cancel. */
export function UploadMeter({ progress, pause, resume, cancel }: UploadMeterProps) {
  const online = useOnline();
  if (!progress) return null;
  const { sentBytes, totalBytes, bytesPerSecond, paused } = progress;
  const trouble = describeTrouble(progress, online);
  const percent = Math.floor((sentBytes / totalBytes) * 100);
  const left = bytesPerSecond ? (totalBytes - sentBytes) / bytesPerSecond : null;
  return (
    <div className="rounded-control bg-well p-4">
      <div className="flex items-baseline justify-between gap-4 tabular-nums">
        <p className="text-2xl font-semibold tracking-tight">{percent}%</p>
        <p className="text-sm text-muted">
          {formatBytes(sentBytes)} of {formatBytes(totalBytes)}
        </p>
      </div>
      <progress aria-label="Upload" className="meter" max={totalBytes} value={sentBytes} />
      <div className="mt-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="text-sm text-muted tabular-nums">
          <p role="status">{trouble}</p>
          {!trouble && (
            <p>
              {bytesPerSecond ? `${formatBytes(bytesPerSecond)}/s` : 'Starting...'}
              {left !== null && `, ${formatTimeLeft(left)} left`}
            </p>
          )}
        </div>
        <div className="flex gap-2">
          <button
            className="button button-secondary button-small"
            onClick={paused ? resume : pause}
            type="button"
          >
            {paused ? 'Resume' : 'Pause'}
          </button>
          <button className="button button-secondary button-small" onClick={cancel} type="button">
            Cancel
          </button>
        </div>
      </div>
    </div>
  );
}

function describeTrouble({ paused, interrupted }: UploadProgress, online: boolean) {
  if (paused) return PAUSED;
  if (!online) return OFFLINE;
  return interrupted && INTERRUPTED;
}

/** Whether the browser has a network. */
function useOnline(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  );
}

function subscribe(onChange: () => void) {
  addEventListener('online', onChange);
  addEventListener('offline', onChange);
  return () => {
    removeEventListener('online', onChange);
    removeEventListener('offline', onChange);
  };
}
