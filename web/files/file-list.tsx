import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from 'react';
import { folderOf, lastPart } from '../../contract/links.ts';
import { say } from '../languages/say.ts';
import { sayBytes, sayPercent } from '../lib/format.ts';
import { ArrowIcon, CheckIcon, Icon, PenIcon } from '../ui/icons.tsx';
import type { QueuedFile, QueueState, UploadQueue } from './upload-queue.ts';
import { reasonOf } from './use-upload-queue.ts';

interface FileListProps {
  queue: UploadQueue;
  state: QueueState;
  busy: boolean;
}

const MOVES = [
  { way: 'up', by: -1, label: 'Move {name} up', arrow: 'size-5 -rotate-90' },
  { way: 'down', by: 1, label: 'Move {name} down', arrow: 'size-5 rotate-90' },
] as const;

/** The files of a link: to be put in order before they are uploaded, and to be followed then. */
export function FileList({ queue, state, busy }: FileListProps) {
  const { files } = state;
  const list = useRef<HTMLUListElement>(null);
  const [said, setSaid] = useState('');
  const [dragged, setDragged] = useState<number | null>(null);
  const [renamed, setRenamed] = useState<number | null>(null);
  const isOpen = !busy && files.length > 1 && files.every(({ file, key }) => file || key);
  const focusOn = useFocusAfter(list);

  function move({ id, name }: QueuedFile, place: number, way: string) {
    if (!files[place]) return;
    queue.move(id, place);
    const count = files.length;
    setSaid(say('{name} is now {place} of {count}.', { name, place: place + 1, count }));
    focusOn(id, way);
  }

  function remove({ id, name }: QueuedFile, index: number) {
    const next = files[index + 1] ?? files[index - 1];
    queue.remove(id);
    setSaid(say('{name} was removed.', { name }));
    if (next) focusOn(next.id, 'remove');
  }

  function endRenaming({ id }: QueuedFile) {
    setRenamed(null);
    focusOn(id, 'rename');
  }

  function drag(id: number) {
    setDragged(id);
    const move = (height: number) => queue.move(id, placeAt(list.current, id, height));
    followPointer(move, () => setDragged(null));
  }
  return (
    <>
      <ul className="card mb-3" ref={list}>
        {files.map((file, index) => (
          <li
            className={`upload-row ${dragged === file.id ? 'bg-well' : ''}`}
            data-file={file.id}
            key={file.id}
          >
            <FileName
              file={file}
              onRenamed={() => endRenaming(file)}
              queue={queue}
              renamed={renamed === file.id}
            />
            <div className="flex min-h-11 items-center">
              {isOpen && (
                <span
                  className="upload-grip"
                  onPointerDown={(event) => {
                    if (event.button === 0) drag(file.id);
                    event.preventDefault();
                  }}
                >
                  <GripIcon />
                </span>
              )}
              <FileState busy={busy} file={file} />
              <div className="flex">
                {busy && <PauseButton file={file} queue={queue} />}
                {isOpen && isRenamable(file) && (
                  <RenameButton name={file.name} onPress={() => setRenamed(file.id)} />
                )}
                {isOpen &&
                  MOVES.map(({ way, by, label, arrow }) => (
                    <IconButton
                      disabled={!files[index + by]}
                      key={way}
                      label={say(label, { name: file.name })}
                      onPress={() => move(file, index + by, way)}
                      way={way}
                    >
                      <ArrowIcon className={arrow} />
                    </IconButton>
                  ))}
                {!(busy && file.key) && (
                  <IconButton
                    label={say(busy ? 'Cancel {name}' : 'Remove {name}', { name: file.name })}
                    onPress={() => remove(file, index)}
                    way="remove"
                  >
                    <RowIcon path="M6 6l12 12M18 6L6 18" />
                  </IconButton>
                )}
              </div>
            </div>
          </li>
        ))}
      </ul>
      <p className="sr-only" role="status">
        {said}
      </p>
    </>
  );
}

/** Gives the focus to a button of a row once the list has changed. */
function useFocusAfter(list: RefObject<HTMLElement | null>) {
  const wanted = useRef('');
  useEffect(() => {
    if (!wanted.current) return;
    const selector = wanted.current;
    wanted.current = '';
    list.current?.querySelector<HTMLElement>(selector)?.focus();
  });
  return (id: number, way: string) => {
    wanted.current = `[data-file="${id}"] [data-way="${way}"]`;
  };
}

/** Until it is released. Of the window: a row that is moved would lose its events. */
function followPointer(onMove: (height: number) => void, onEnd: () => void) {
  const dragging = new AbortController();
  const { signal } = dragging;
  const end = () => {
    dragging.abort();
    onEnd();
  };
  addEventListener('pointermove', ({ clientY }) => onMove(clientY), { signal });
  addEventListener('pointerup', end, { signal });
  addEventListener('pointercancel', end, { signal });
}

/** The place of a row that is held at this height: below all whose middle it has passed. */
function placeAt(list: HTMLElement | null, id: number, height: number): number {
  const rows = [...(list?.children ?? [])] as HTMLElement[];
  const others = rows.filter((row) => row.dataset.file !== String(id));
  return others.filter((row) => {
    const { top, bottom } = row.getBoundingClientRect();
    return height > (top + bottom) / 2;
  }).length;
}

interface FileNameProps {
  file: QueuedFile;
  queue: UploadQueue;
  className?: string;
  /** Whether it is being changed. */
  renamed: boolean;
  onRenamed(): void;
}

/** What buyers get the file as; its name can be changed until its upload begins. */
export function FileName({ file, queue, className = '', renamed, onRenamed }: FileNameProps) {
  const name = lastPart(file.name);
  if (!renamed) {
    return (
      <p className={`wrap-anywhere font-semibold ${className}`}>
        <bdi className="font-normal text-muted">{folderOf(file.name)}</bdi>
        <bdi>{name}</bdi>
      </p>
    );
  }

  function readKey(event: KeyboardEvent<HTMLInputElement>) {
    if (event.key !== 'Enter' && event.key !== 'Escape') return;
    // The form is not sent.
    event.preventDefault();
    if (event.key === 'Escape') event.currentTarget.value = name;
    event.currentTarget.blur();
  }

  const stem = name.lastIndexOf('.');
  return (
    <input
      aria-label={say('New name of {name}', { name: file.name })}
      // biome-ignore lint/a11y/noAutofocus: it takes the place of the button that was pressed
      autoFocus
      className="input"
      defaultValue={name}
      dir="auto"
      onBlur={({ currentTarget: { value } }) => {
        if (value !== name) queue.rename(file.id, value);
        onRenamed();
      }}
      onFocus={({ currentTarget }) =>
        currentTarget.setSelectionRange(0, stem > 0 ? stem : name.length)
      }
      onKeyDown={readKey}
    />
  );
}

export function isRenamable({ begun, sold, file }: QueuedFile): boolean {
  return !begun && !sold && file !== null;
}

export function RenameButton({ name, onPress }: { name: string; onPress(): void }) {
  return (
    <IconButton label={say('Rename {name}', { name })} onPress={onPress} way="rename">
      <PenIcon className="size-4.5" />
    </IconButton>
  );
}

function FileState({ file, busy }: { file: QueuedFile; busy: boolean }) {
  const { size, sentBytes, state, key, sold } = file;
  const words = describeState(file, busy);
  const isMissing = !file.file && !key;
  return (
    <div className="min-w-0 flex-1">
      <p className="flex items-center gap-1.5 text-sm text-muted tabular-nums">
        {key && !sold && <CheckIcon className="size-4 shrink-0" />}
        {sayBytes(size)}
        {words && ` · ${words}`}
      </p>
      {state === 'failed' && <p className="text-sm text-danger">{reasonOf(file.error)}</p>}
      {(busy || isMissing) && !key && state !== 'failed' && (
        <progress aria-hidden="true" className="meter" max={size} value={sentBytes} />
      )}
    </div>
  );
}

function describeState(
  { begun, file, key, sold, state, size, sentBytes }: QueuedFile,
  busy: boolean,
) {
  const percent = Math.floor((sentBytes / size) * 100);
  if (sold) return say('On sale');
  if (key) return say('Uploaded');
  if (!file) return say('{percent}% uploaded', { percent });
  if (state === 'failed') return say('Failed');
  if (!busy) return begun ? say('{percent}% uploaded', { percent }) : '';
  if (state === 'paused') return say('Paused at {percent}%', { percent });
  if (state === 'waiting')
    return say(sentBytes > 0 ? 'Waiting at {percent}%' : 'Waiting', { percent });
  return state === 'interrupted' ? say('Trying again...') : sayPercent(percent);
}

/** While the others go on. */
function PauseButton({ file, queue }: { file: QueuedFile; queue: UploadQueue }) {
  const { id, name, key, state } = file;
  if (key || state === 'failed') return null;
  const isPaused = state === 'paused';
  return (
    <IconButton
      label={say(isPaused ? 'Resume {name}' : 'Pause {name}', { name })}
      onPress={() => (isPaused ? queue.resume(id) : queue.pause(id))}
      way="pause"
    >
      <RowIcon path={isPaused ? 'M8 5.5v13l10-6.5z' : 'M9 6v12M15 6v12'} />
    </IconButton>
  );
}

interface IconButtonProps {
  label: string;
  /** By which it is found again once the list has changed. */
  way: string;
  disabled?: boolean;
  children: ReactNode;
  onPress(): void;
}

/** At the end of its way it keeps the focus, and does nothing. */
function IconButton({ label, way, disabled = false, children, onPress }: IconButtonProps) {
  return (
    <button
      aria-disabled={disabled}
      aria-label={label}
      className="icon-button"
      data-way={way}
      onClick={onPress}
      title={label}
      type="button"
    >
      {children}
    </button>
  );
}

// Here rather than among the icons that every page loads.

const GripIcon = () => (
  <Icon className="size-5">
    <path d="M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01" strokeWidth="2.5" />
  </Icon>
);

const RowIcon = ({ path }: { path: string }) => (
  <Icon className="size-5">
    <path d={path} />
  </Icon>
);
