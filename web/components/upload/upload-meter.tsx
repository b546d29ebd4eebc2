import { formatBytes, formatTimeLeft } from '../../data/format.ts';
import type { UploadProgress } from '../../data/use-new-link.ts';
import { useOnline } from '../../data/use-online.ts';

const OFFLINE = 'You are offline. The upload goes on once you are back.';
const INTERRUPTED = 'The connection was interrupted. Trying again...';

/** How far the upload is, how fast, how long still, and the way out. */
export function UploadMeter(props: { progress: UploadProgress; onCancel(): void }) {
  const { sentBytes, totalBytes, bytesPerSecond, interrupted } = props.progress;
  const online = useOnline();
  const trouble = online ? interrupted && INTERRUPTED : OFFLINE;
  const percent = Math.floor((sentBytes / totalBytes) * 100);
  const left = bytesPerSecond ? (totalBytes - sentBytes) / bytesPerSecond : null;
  return (
    <div className="rounded-control bg-well p-4">
      <div className="flex items-baseline justify-between gap-4 tabular-nums">
        <p className="text-2xl font-semibold tracking-tight">{percent} %</p>
        <p className="text-sm text-muted">
          {formatBytes(sentBytes)} of {formatBytes(totalBytes)}
        </p>
      </div>
      <progress aria-label="Upload" className="meter" max={totalBytes} value={sentBytes} />
      <div className="mt-3 flex items-center justify-between gap-4">
        <div className="text-sm text-muted tabular-nums">
          <p role="status">{trouble}</p>
          {!trouble && (
            <p>
              {bytesPerSecond ? `${formatBytes(bytesPerSecond)}/s` : 'Starting...'}
              {left !== null && `, ${formatTimeLeft(left)} left`}
            </p>
          )}
        </div>
        <button
          className="button button-secondary button-small"
          onClick={props.onCancel}
          type="button"
        >
          Cancel
        </button>
      </div>
    </div>
  );
}
