import { useState } from 'react';
import { MAX_FILES_PER_LINK } from '../../contract/limits.ts';
import type { UploadRoom } from '../../contract/page-context.ts';
import { say } from '../languages/say.ts';
import { sayBytes, sayCount } from '../lib/format.ts';
import type { useForm } from '../lib/use-form.ts';
import type { Choice } from './choose-files.ts';
import type { QueuedFile, UploadQueue } from './upload-queue.ts';

const NOTHING_SAID = { text: '', isFault: false };

/** What may be uploaded. */
export function describeLimits(maxFileBytes: number, { bytes, isQuota }: UploadRoom): string {
  const limits = say('Up to {count} files, at most {size} each.', {
    count: MAX_FILES_PER_LINK,
    size: sayBytes(maxFileBytes),
  });
  if (!isQuota) return limits;
  return `${limits} ${say('You can upload up to {quota} more.', { quota: sayBytes(bytes) })}`;
}

/** How many files are chosen so far, and what became of the last choice. */
export function describeChosen(
  files: readonly QueuedFile[],
  { text, isFault }: typeof NOTHING_SAID,
): string {
  const size = sayBytes(files.reduce((sum, file) => sum + file.size, 0));
  const count = files.length > 1 && say('{count} files, {size}.', { count: files.length, size });
  return [count, !isFault && text].filter(Boolean).join(' ');
}

/** Takes what is chosen into the queue, and says what became of it. */
export function useChoices(
  queue: UploadQueue,
  { forgetError }: Pick<ReturnType<typeof useForm>, 'forgetError'>,
) {
  const [said, setSaid] = useState(NOTHING_SAID);

  function choose(choice: Choice, how: 'instead' | 'beside' | 'dropped') {
    const instead = how === 'instead';
    const there = instead ? [] : queue.read().files;
    const added = choice.files.filter(({ path }) => !there.some((file) => file.path === path));
    if (there.length + added.length > MAX_FILES_PER_LINK) {
      const text = say(
        'A link can sell up to {count} files, and these would be more. Nothing was added. To sell more, put them into one ZIP file.',
        { count: MAX_FILES_PER_LINK },
      );
      return setSaid({ text, isFault: true });
    }
    if (instead) queue.choose(choice.files);
    else queue.add(choice.files);
    if (choice.files.length > 0) {
      forgetError('file');
      forgetError('');
    }
    // What is named where it was pressed needs no words.
    const isPlain = how !== 'dropped' && choice.files.length === 1 && choice.hidden === 0;
    const renamed = describeRenamed(choice, queue);
    setSaid({ text: `${isPlain ? '' : describe(choice)} ${renamed}`.trim(), isFault: false });
  }

  return { said, choose, forget: (text = '') => setSaid({ text, isFault: false }) };
}

function describe({ files, hidden }: Choice): string {
  const [first] = files;
  const sentences = [
    files.length === 1 && first && say('{name} was chosen.', { name: first.path }),
    files.length === 0 && say('No file was found there.'),
    hidden > 0 &&
      sayCount(hidden, '1 hidden file was left out.', '{count} hidden files were left out.'),
  ];
  return sentences.filter(Boolean).join(' ');
}

function describeRenamed({ files }: Choice, queue: UploadQueue): string {
  const renamed = queue
    .read()
    .files.filter(
      ({ file, path, name }) => path !== name && files.some((one) => one.file === file),
    );
  return renamed
    .map(({ name }) =>
      say('Another file has the same name, so this one is called {name}.', { name }),
    )
    .join(' ');
}
