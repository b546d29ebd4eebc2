import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import type { Said } from '../../contract/fact.ts';
import { type Sentence, say } from '../languages/say.ts';
import { sayBytes } from '../lib/format.ts';
import { FieldError } from '../ui/alert.tsx';
import { FileIcon, UploadIcon } from '../ui/icons.tsx';
import { type Choice, readInput } from './choose-files.ts';
import { FileList, FileName, isRenamable, RenameButton } from './file-list.tsx';
import type { QueuedFile, QueueState, UploadQueue } from './upload-queue.ts';

interface FilePickerProps {
  queue: UploadQueue;
  state: QueueState;
  /** How large and how many they may be. */
  limits: string;
  error: Said | undefined;
  /** While they are uploaded, and what they become is created. */
  busy: boolean;
  /** Takes files beside those that are there, or instead of them. */
  onChoice(choice: Choice, how: 'instead' | 'beside'): void;
}

/** A drop zone that is a file chooser as a whole, and the files that are to be sold. */
export function FilePicker({ queue, state, limits, error, busy, onChoice }: FilePickerProps) {
  const id = useId();
  const { files } = state;
  const [single] = files;
  const isSingle = files.length === 1 && single?.file;
  const isMissing = files.some(({ file, key }) => !file && !key);
  const instead = files.length < 2 && !isMissing && !single?.sold;
  let words: Sentence = instead ? 'Choose File' : 'Add more files';
  if (isMissing) words = 'Choose again';
  const choose = (choice: Choice) => onChoice(choice, instead ? 'instead' : 'beside');
  return (
    <div>
      {isMissing && !busy && <MissingNote onStartOver={() => queue.clear()} />}
      {files.length > 0 && !isSingle && <FileList busy={busy} queue={queue} state={state} />}
      <div
        className="file-picker"
        data-invalid={Boolean(error)}
        data-slim={files.length > 0 && !isSingle}
        hidden={busy && !isSingle}
      >
        {isSingle && single && <SingleFile busy={busy} file={single} queue={queue} />}
        {files.length === 0 && (
          <>
            <UploadIcon className="size-8" />
            <p className="text-muted">{say('Drop files or a folder anywhere, or')}</p>
          </>
        )}
        <div className="mt-1 flex flex-wrap justify-center gap-2">
          <FileInput
            describedBy={`${id}-limits${error ? ` ${id}-error` : ''}`}
            disabled={busy}
            invalid={Boolean(error)}
            name="file"
            onChoice={choose}
          >
            {say(words)}
          </FileInput>
          {isSingle && (
            <FileInput
              describedBy={`${id}-limits`}
              disabled={busy}
              onChoice={(choice) => onChoice(choice, 'beside')}
            >
              {say('Add more')}
            </FileInput>
          )}
          {!isSingle && !isMissing && (
            <FileInput
              describedBy={`${id}-limits`}
              directory
              disabled={busy}
              onChoice={(choice) => onChoice(choice, 'beside')}
            >
              {say(files.length === 0 ? 'Folder' : 'Add a folder')}
            </FileInput>
          )}
        </div>
        <p className="text-sm text-muted" id={`${id}-limits`}>
          {isSingle && !busy && `${say('“Choose File” replaces this file, “Add more” keeps it.')} `}
          {limits}
        </p>
      </div>
      <FieldError id={`${id}-error`}>{error}</FieldError>
    </div>
  );
}

function SingleFile(props: { file: QueuedFile; queue: UploadQueue; busy: boolean }) {
  const { file, queue, busy } = props;
  const [renamed, setRenamed] = useState(false);
  const isOpen = !busy && !renamed && isRenamable(file);
  return (
    <>
      <FileIcon className="size-8" />
      {/* The name stays in the middle. */}
      <div className={`flex max-w-full items-center text-center ${isOpen ? 'ps-11' : ''}`}>
        <FileName
          className="min-w-0"
          file={file}
          onRenamed={() => setRenamed(false)}
          queue={queue}
          renamed={renamed}
        />
        {isOpen && <RenameButton name={file.name} onPress={() => setRenamed(true)} />}
      </div>
      <p className="text-sm text-muted">{sayBytes(file.size)}</p>
    </>
  );
}

/** After a reload: a browser does not give a page its files again. */
function MissingNote({ onStartOver }: { onStartOver(): void }) {
  return (
    <div className="mb-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-1 text-sm">
      <p>
        <strong className="font-semibold">{say('Your upload was interrupted.')}</strong>
        {` ${say('Choose the same files again to continue where it stopped.')}`}
      </p>
      <button className="text-link min-h-11" onClick={onStartOver} type="button">
        {say('Start over')}
      </button>
    </div>
  );
}

interface FileInputProps {
  name?: string;
  directory?: boolean;
  describedBy: string;
  invalid?: boolean;
  disabled: boolean;
  children: ReactNode;
  onChoice(choice: Choice): void;
}

/** A file chooser that looks like a button. */
function FileInput({
  directory,
  describedBy,
  invalid,
  children,
  onChoice,
  ...rest
}: FileInputProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);

  function takeChosen() {
    const chosen = input.current?.files;
    // The window to choose one in may still be open after Upload was pressed.
    if (chosen?.length && !rest.disabled) onChoice(readInput(chosen));
  }
  // What was chosen before React took the page over was told to nobody.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what is there at first is news
  useEffect(takeChosen, []);

  return (
    <span className="file-input rounded-control">
      <label className="button button-secondary button-small" htmlFor={id}>
        {children}
      </label>
      <input
        {...rest}
        {...(directory && { webkitdirectory: '' })}
        aria-describedby={describedBy}
        aria-invalid={invalid ? true : undefined}
        id={id}
        multiple
        onChange={takeChosen}
        // Otherwise a browser would not report that the same file, changed since, was chosen again.
        onClick={(event) => {
          event.currentTarget.value = '';
        }}
        ref={input}
        type="file"
      />
    </span>
  );
}
