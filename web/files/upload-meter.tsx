import { useSyncExternalStore } from 'react';
import { type Sentence, say } from '../languages/say.ts';
import { sayBytes, sayPercent } from '../lib/format.ts';
import type { QueueState, UploadQueue } from './upload-queue.ts';

const OFFLINE = 'You are offline. The upload continues when you are back online.';
const INTERRUPTED = 'The upload was interrupted. Trying again...';
const PAUSED = 'Paused. What has been uploaded is kept.';

interface UploadMeterProps {
  queue: UploadQueue;
  state: QueueState;
  /** What is done with the files once all are there: 'Creating the link...' */
  ending: Sentence;
}

/** The progress of all files together, speed and remaining time, with pause and cancel. */
export function UploadMeter({ queue, state, ending }: UploadMeterProps) {
  const online = useOnline();
  const files = state.files.filter(({ sold }) => !sold);
  const totalBytes = files.reduce((sum, { size }) => sum + size, 0);
  const sentBytes = files.reduce(
    (sum, { key, size, sentBytes: sent }) => sum + (key ? size : sent),
    0,
  );
  const { bytesPerSecond, paused, busy } = state;
  if (files.length === 0) return null;
  const trouble = describeTrouble(state, online);
  const percent = Math.floor((sentBytes / totalBytes) * 100);
  const left = bytesPerSecond ? (totalBytes - sentBytes) / bytesPerSecond : null;
  const status = busy ? countDone(state) : say(ending);
  return (
    <div className="rounded-control bg-well p-4">
      <div className="flex items-baseline justify-between gap-4 tabular-nums">
        <p className="text-2xl font-semibold tracking-tight">{sayPercent(percent)}</p>
        <p className="text-sm text-muted">
          {say('{sent} of {total}', { sent: sayBytes(sentBytes), total: sayBytes(totalBytes) })}
        </p>
      </div>
      <progress aria-label={say('Upload')} className="meter" max={totalBytes} value={sentBytes} />
      <div className="mt-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="text-sm text-muted tabular-nums">
          <p role="status">{trouble ? say(trouble) : status}</p>
          {!trouble && busy && (
            <p>
              {bytesPerSecond && left !== null
                ? say('{size}/s, {time} left', {
                    size: sayBytes(bytesPerSecond),
                    time: sayTimeLeft(left),
                  })
                : say('Starting...')}
            </p>
          )}
        </div>
        {busy && (
          <div className="flex gap-2">
            <button
              className="button button-secondary button-small"
              onClick={() => (paused ? queue.resume() : queue.pause())}
              type="button"
            >
              {say(paused ? 'Resume' : 'Pause')}
            </button>
            <button
              className="button button-secondary button-small"
              onClick={() => queue.cancel()}
              type="button"
            >
              {say('Cancel')}
            </button>
          </div>
        )}
      </div>
      <p className="sr-only" role="status">
        {busy &&
          percent >= 25 &&
          percent < 100 &&
          say('{percent}% uploaded.', { percent: Math.floor(percent / 25) * 25 })}
      </p>
    </div>
  );
}

/** What is new with several files; of a single one, the percents say all. */
function countDone({ files }: QueueState): string {
  const sent = files.filter(({ sold }) => !sold);
  if (sent.length < 2) return '';
  const done = sent.filter(({ key }) => key).length;
  return say('{done} of {count} files uploaded', { done, count: sent.length });
}

/** Whether nothing is sent because somebody wants it so. */
export function isPaused({ files, paused }: QueueState): boolean {
  const open = files.filter(({ key }) => !key);
  return paused || (open.length > 0 && open.every(({ state }) => state === 'paused'));
}

function describeTrouble(queued: QueueState, online: boolean): Sentence | '' {
  if (isPaused(queued)) return PAUSED;
  if (!online) return OFFLINE;
  const open = queued.files.filter(({ key }) => !key);
  const running = open.some(({ state }) => state === 'running');
  return !running && open.some(({ state }) => state === 'interrupted') ? INTERRUPTED : '';
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

/** Seconds left, in the largest unit that is honest: "3 minutes". */
function sayTimeLeft(seconds: number): string {
  if (seconds < 5) return say('a few seconds');
  if (seconds < 90) return say('{count} seconds', { count: Math.ceil(seconds / 5) * 5 });
  if (seconds < 5400) return say('{count} minutes', { count: Math.round(seconds / 60) });
  return say('{count} hours', { count: Math.round(seconds / 3600) });
}
