import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react';
import type { Said } from '../../contract/fact.ts';
import type { FormErrors } from '../../contract/form-errors.ts';
import { isolate } from '../../contract/isolate.ts';
import { checkFilePath, checkFileSize } from '../../contract/link-rules.ts';
import type { UploadRoom } from '../../contract/page-context.ts';
import { UPLOAD_TEXTS } from '../../contract/upload-texts.ts';
import { say, tell } from '../languages/say.ts';
import { sayBytes, sayCount } from '../lib/format.ts';
import { messageOf, RequestError } from '../lib/request-error.ts';
import { isSignedOut } from '../lib/sign-in-again.ts';
import { FileChanged, RETRY_DELAYS, UploadCanceled, untilOnline } from './running-upload.ts';
import { type KeptFile, keepFiles, type QueuedFile, UploadQueue } from './upload-queue.ts';

/**
 * The queue of a form, and its state as it changes.
 * @param onKeep is told what to remember over a reload, as it changes
 */
export function useUploadQueue(
  userId: string,
  begun: readonly KeptFile[],
  onKeep: (files: KeptFile[] | undefined) => void,
) {
  const [queue] = useState(() => new UploadQueue(userId, begun));
  const state = useSyncExternalStore(queue.subscribe, queue.read, queue.read);
  const kept = JSON.stringify(keepFiles(state.files));
  const known = useRef(kept);
  const keep = useEffectEvent(onKeep);
  useEffect(() => {
    if (known.current === kept) return;
    known.current = kept;
    keep(kept && JSON.parse(kept));
  }, [kept]);
  return { queue, state };
}

/** Asks before the page is left while something runs. */
export function useLeaveWarning(busy: boolean) {
  useEffect(() => {
    if (!busy) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [busy]);
}

/** What is wrong with the files of a form before anything is sent. */
export function checkFiles(
  files: readonly QueuedFile[],
  maxFileBytes: number,
  room: UploadRoom,
): Said | undefined {
  if (files.length === 0) return UPLOAD_TEXTS.selectFile;
  const missing = files.filter(({ file, key }) => !file && !key).length;
  if (missing > 0) {
    return sayCount(
      missing,
      'Choose 1 file again, or remove what is missing.',
      'Choose {count} files again, or remove what is missing.',
    );
  }
  for (const { name, size, sold } of files) {
    const fault = sold ? undefined : (checkFileSize(size, maxFileBytes) ?? checkFilePath(name));
    if (fault) return files.length > 1 ? `${isolate(name)}: ${tell(fault)}` : fault;
  }
  // What was begun has its room. A single file is refused before its first byte by the server.
  const needed = files.filter(({ begun, sold }) => !begun && !sold);
  const bytes = needed.reduce((sum, { size }) => sum + size, 0);
  if (needed.length < 2 || bytes <= room.bytes) return undefined;
  return say('These files take up {size}, and there is room for {room}.', {
    size: sayBytes(bytes),
    room: sayBytes(room.bytes),
  });
}

/** The finished uploads cannot become this link: the files have to be uploaded again. */
export function isAboutKey(error: unknown): boolean {
  const codes = ['LINK_ID_TAKEN', 'KEY_TAKEN', 'INVALID_KEY'];
  return error instanceof RequestError && codes.includes(error.code);
}

export function placeUploadError(error: unknown): FormErrors {
  if (error instanceof UploadCanceled) return {};
  if (isSignedOut(error)) return { '': UPLOAD_TEXTS.notAuthenticated };
  return { '': UPLOAD_TEXTS.uploadFailed, reason: reasonOf(error) };
}

/** Why a file could not be uploaded, a sentence. */
export function reasonOf(error: unknown): string {
  return error instanceof FileChanged ? tell(error.message) : messageOf(error);
}

/** 520 and more are those of services in front of the server. */
const isPassing = ({ status }: RequestError) =>
  [408, 429, 502, 503, 504].includes(status) || status >= 520;

/** Repeats what may be repeated until the server answers it. Throws what it answers. */
export async function untilAnswered<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (const delay of RETRY_DELAYS) {
    try {
      return await ask();
    } catch (error) {
      const mayPass = error instanceof RequestError ? isPassing(error) : error instanceof TypeError;
      if (!mayPass) throw error;
      if (!navigator.onLine) await untilOnline();
      await new Promise((resolve) => setTimeout(resolve, delay));
    }
  }
  return ask();
}
