import { STORAGE_PREFIX } from '../../contract/limits.ts';
import { folderOf } from '../../contract/links.ts';
import { RequestError } from '../lib/request-error.ts';
import {
  createSpeedometer,
  FileChanged,
  type RunningUpload,
  UploadCanceled,
  type UploadIdentity,
} from './running-upload.ts';

/** What speaks to the server is asked for once there is something to send. */
const load = () => import('./upload-file.ts');
type Client = Awaited<ReturnType<typeof load>>;

/**
 * At the same time: a second one uses the line while the first is opened, synced or retried. A third
 * would send nothing sooner.
 */
const AT_ONCE = 2;

export interface QueuedFile {
  id: number;
  /** What buyers get it as, with its folders; no two of a queue share one. */
  name: string;
  size: number;
  lastModified: number;
  /** The same where it was chosen. */
  path: string;
  /** Null after a reload, until it is chosen again. */
  file: File | null;
  /** Of the finished upload. */
  key: string | null;
  /** The link sells it already: taking it out deletes nothing. */
  sold: boolean;
  /** Whether the server has something of it. */
  begun: boolean;
  state: 'waiting' | 'running' | 'interrupted' | 'paused' | 'failed';
  sentBytes: number;
  /** Why it failed. */
  error?: unknown;
}

/** What a page remembers of a file in its queue, in this tab. */
export interface KeptFile
  extends Pick<QueuedFile, 'name' | 'size' | 'lastModified' | 'path' | 'key' | 'begun' | 'sold'> {
  percent: number;
}

export interface QueueState {
  files: readonly QueuedFile[];
  /** Whether it was started, and has neither ended nor been canceled. */
  busy: boolean;
  /** As a whole. */
  paused: boolean;
  bytesPerSecond: number | null;
}

/** The files that are to become one link, in the order in which it sells them. */
export class UploadQueue {
  #state: QueueState = { files: [], busy: false, paused: false, bytesPerSecond: null };
  readonly #userId: string;
  readonly #listeners = new Set<() => void>();
  readonly #uploads = new Map<number, RunningUpload>();
  #outcome: PromiseWithResolvers<string[]> | null = null;
  /** Shared by all new uploads; the first one to be opened brings it. */
  #linkId: string | null = null;
  #lastId = 0;
  #client: Client | null = null;
  #speedOf = createSpeedometer();
  #movedBytes = 0;

  constructor(userId: string, kept: readonly KeptFile[]) {
    this.#userId = userId;
    const files = kept.map(({ percent, ...file }) => ({
      ...file,
      id: this.#nextId(),
      file: null,
      state: WAITING,
      sentBytes: (file.size * percent) / 100,
    }));
    this.#state = { ...this.#state, files };
    this.#linkId = linkIdOf(kept.find(({ key, sold }) => key && !sold)?.key);
  }

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  readonly read = () => this.#state;

  /** Takes these instead of all that are there. */
  choose(chosen: readonly ChosenFile[]): void {
    for (const one of this.#state.files) {
      if (!chosen.some(({ file, path }) => one.path === path && isSame(one, file))) {
        this.remove(one.id);
      }
    }
    this.add(chosen);
  }

  /**
   * Adds files under names of their own. One that is waited for goes on where it was; one of the
   * same name that was sold, or that changed during its upload, gives up its place.
   */
  add(chosen: readonly ChosenFile[]): void {
    // Not at the last moment. What goes wrong is said then.
    load().catch(() => {});
    for (const { file, path } of chosen) {
      const { size, lastModified } = file;
      const files = [...this.#state.files];
      const known = files.find(
        (one) => one.path === path && (!one.file || one.state === 'failed' || isSame(one, file)),
      );
      if (known && !known.sold && isSame(known, file)) {
        this.#change(known.id, { file });
        continue;
      }
      if (known) this.#discard(known);
      const others = files.filter((one) => one !== known);
      const added = {
        id: this.#nextId(),
        path,
        file,
        size,
        lastModified,
        state: WAITING,
        name: tellApart(path, others),
        key: null,
        begun: false,
        sold: false,
        sentBytes: 0,
      };
      files.splice(known ? files.indexOf(known) : files.length, known ? 1 : 0, added);
      this.#set({ files });
    }
  }

  /** Takes a file out and deletes what has been sent of it, also while the others go on. */
  remove(id: number): void {
    const file = this.#find(id);
    if (!file) return;
    this.#discard(file);
    const files = this.#state.files.filter((one) => one !== file);
    this.#set({ files });
    if (files.length === 0) this.#end(new UploadCanceled());
    else this.#goOn();
  }

  clear(): void {
    for (const { id } of this.#state.files) this.remove(id);
  }

  /** To a place in the list, 0 being the first. */
  move(id: number, place: number): void {
    const file = this.#find(id);
    if (!file || place < 0 || place >= this.#state.files.length) return;
    const files = this.#state.files.filter((one) => one !== file);
    files.splice(place, 0, file);
    this.#set({ files });
  }

  /**
   * Before its upload begins, within its folder; a name that another one has is told apart from it.
   */
  rename(id: number, typed: string): void {
    const file = this.#find(id);
    const name = typed.replace(/[/\\]/g, ' ').trim();
    if (!file || !name) return;
    const others = this.#state.files.filter((one) => one !== file);
    this.#change(id, { name: tellApart(folderOf(file.name) + name, others) });
  }

  /**
   * Sends what is not there yet; what was sent before goes on where it was.
   * @returns the keys, in order. Rejects with UploadCanceled, and with why the first one failed
   */
  run(): Promise<string[]> {
    const outcome = Promise.withResolvers<string[]>();
    this.#outcome = outcome;
    this.#speedOf = createSpeedometer();
    const files = this.#state.files.map((file) => ({ ...file, state: WAITING, error: undefined }));
    this.#set({ files, busy: true, paused: false, bytesPerSecond: null });
    load().then(
      (client) => {
        this.#client = client;
        this.#goOn();
      },
      (error) => this.#end(error),
    );
    return outcome.promise;
  }

  /** Pauses one file, and lets others go on instead; all of them without an id. */
  pause(id?: number): void {
    if (id === undefined) this.#set({ paused: true });
    for (const file of this.#state.files) {
      if (file.key || (id ?? file.id) !== file.id) continue;
      if (isActive(file)) this.#uploads.get(file.id)?.pause();
      if (id !== undefined) this.#change(id, { state: 'paused' });
      else if (isActive(file)) this.#change(file.id, { state: WAITING });
    }
    this.#forgetSpeed();
    this.#goOn();
  }

  resume(id?: number): void {
    if (id === undefined) this.#set({ paused: false });
    else this.#change(id, { state: WAITING });
    this.#goOn();
  }

  /** Stops, and deletes what has been sent. The files stay chosen. */
  cancel(): void {
    for (const file of this.#state.files) this.#discard(file);
    this.#linkId = null;
    const files = this.#state.files
      .filter((one) => one.file || one.sold)
      .map((one) => (one.sold ? one : { ...one, ...NOTHING_SENT }));
    this.#set({ files });
    this.#end(new UploadCanceled());
  }

  /** What was uploaded has become a link: the same file chosen again is sent anew. */
  async forget(): Promise<void> {
    const files = this.#state.files.filter(({ sold }) => !sold);
    const { forgetUpload } = await load();
    await Promise.all(files.map((file) => forgetUpload(this.#identify(file))));
  }

  /** And the same if it can become none. */
  async beginAnew(): Promise<void> {
    await this.forget();
    this.#linkId = null;
    this.#uploads.clear();
    const { files } = this.#state;
    this.#set({ files: files.map((one) => (one.sold ? one : { ...one, ...NOTHING_SENT })) });
  }

  #goOn() {
    if (!this.#outcome || !this.#client) return;
    const { files, paused } = this.#state;
    const isOpen = files.some((file) => !file.key && file.state !== 'failed');
    if (!isOpen) return this.#settle();
    for (const { id } of paused ? [] : files) {
      const now = this.#state.files;
      const active = now.filter(isActive).length;
      // The first one brings the link's id.
      if (active >= (this.#linkId === null ? 1 : AT_ONCE)) return;
      const file = now.find((one) => one.id === id && !one.key && one.state === WAITING);
      if (file) this.#begin(file);
    }
  }

  #settle(): void {
    const { files } = this.#state;
    const failed = files.find(({ state, key }) => state === 'failed' && !key);
    const keys = files.map(({ key }) => key ?? '');
    this.#end(failed?.error, keys);
  }

  #begin({ id, file, ...rest }: QueuedFile) {
    this.#change(id, { state: 'running' });
    const begun = this.#uploads.get(id);
    if (begun) return begun.resume();
    if (!file || !this.#client) throw new Error('Checked before');
    let measured: number | null = null;
    const upload = this.#client.uploadFile(
      { ...this.#identify(rest), file, linkId: this.#linkId },
      {
        onOpened: (key) => {
          this.#linkId ??= linkIdOf(key);
          if (!this.#find(id)?.begun) this.#change(id, { begun: true });
          this.#goOn();
        },
        onProgress: (sentBytes) => {
          if (!this.#find(id)) return;
          // Where it begins, or goes on, is not what has moved since.
          if (measured !== null) this.#movedBytes += Math.max(0, sentBytes - measured);
          measured = sentBytes;
          const speed = this.#speedOf(this.#movedBytes, Date.now());
          const moves = this.#isActive(id);
          this.#change(
            id,
            { sentBytes, ...(moves && { state: 'running' }) },
            { bytesPerSecond: moves ? speed : null },
          );
        },
        onInterrupted: () => {
          measured = null;
          if (this.#isActive(id)) this.#change(id, { state: 'interrupted' });
          this.#forgetSpeed();
        },
      },
    );
    this.#uploads.set(id, upload);
    upload.key
      .then(
        (key) => this.#change(id, { key, sentBytes: rest.size }),
        (error) => {
          this.#uploads.delete(id);
          if (error instanceof UploadCanceled) return;
          this.#change(id, { state: 'failed', error });
          if (!isAboutFile(error)) this.#stopAll(error);
        },
      )
      .finally(() => this.#goOn());
  }

  /** Without the network, or an account, none of the others would do better. */
  #stopAll(error: unknown): void {
    for (const { id, key, state } of this.#state.files) {
      if (key || state === 'failed') continue;
      this.#uploads.get(id)?.pause();
      this.#change(id, { state: 'failed', error });
    }
    this.#uploads.clear();
  }

  #discard(file: QueuedFile): void {
    const upload = this.#uploads.get(file.id);
    this.#uploads.delete(file.id);
    if (file.sold) return;
    if (upload && !file.key) upload.cancel();
    else if (file.begun) {
      load().then(
        ({ discardUpload }) => discardUpload(this.#identify(file)),
        () => {},
      );
    }
    if (this.#state.files.every((one) => one === file || !one.begun || one.sold)) {
      this.#linkId = null;
    }
  }

  #identify({ name, size, lastModified }: Omit<UploadIdentity, 'userId'>): UploadIdentity {
    return { userId: this.#userId, name, size, lastModified };
  }

  #end(error: unknown, keys: string[] = []): void {
    const outcome = this.#outcome;
    this.#outcome = null;
    this.#set({ busy: false, paused: false, bytesPerSecond: null });
    if (error) outcome?.reject(error);
    else outcome?.resolve(keys);
  }

  #forgetSpeed(): void {
    this.#speedOf = createSpeedometer();
    this.#set({ bytesPerSecond: null });
  }

  #nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  #find(id: number): QueuedFile | undefined {
    return this.#state.files.find((file) => file.id === id);
  }

  #isActive(id: number): boolean {
    const file = this.#find(id);
    return file !== undefined && isActive(file);
  }

  #change(id: number, part: Partial<QueuedFile>, rest: Partial<QueueState> = {}): void {
    const change = (file: QueuedFile) => (file.id === id ? { ...file, ...part } : file);
    this.#set({ ...rest, files: this.#state.files.map(change) });
  }

  #set(part: Partial<QueueState>): void {
    this.#state = { ...this.#state, ...part };
    for (const listener of this.#listeners) listener();
  }
}

const WAITING = 'waiting' as const;
const NOTHING_SENT = { key: null, begun: false, sentBytes: 0, state: WAITING };

/** A file and where it was chosen: its name, or its path from the folder that was chosen. */
export interface ChosenFile {
  file: File;
  path: string;
}

/** What to remember over a reload: nothing before an upload was begun. */
export function keepFiles(files: readonly QueuedFile[]): KeptFile[] | undefined {
  if (!files.some(({ begun, sold }) => begun && !sold)) return undefined;
  return files.map(({ name, size, lastModified, path, key, begun, sold, sentBytes }) => ({
    name,
    size,
    lastModified,
    path,
    key,
    begun,
    sold,
    percent: Math.floor((sentBytes / size) * 100),
  }));
}

function isSame(one: QueuedFile, { size, lastModified }: File): boolean {
  return one.size === size && one.lastModified === lastModified;
}

function isActive({ state, key }: QueuedFile): boolean {
  return key === null && (state === 'running' || state === 'interrupted');
}

/** Nothing that would go wrong with the other files as well. */
function isAboutFile(error: unknown): boolean {
  const codes = ['FILE_EMPTY', 'FILE_TOO_LARGE', 'KEY_TAKEN'];
  return (
    error instanceof FileChanged || (error instanceof RequestError && codes.includes(error.code))
  );
}

/** notes.pdf -> notes (2).pdf where another file has that path, however it is written. */
function tellApart(name: string, others: readonly { name: string }[]): string {
  const taken = new Set(others.map((other) => fold(other.name)));
  const [, stem = name, extension = ''] = /^(.*?[^/])(\.[^./]*)?$/u.exec(name) ?? [];
  let apart = name;
  for (let number = 2; taken.has(fold(apart)); number += 1) {
    apart = `${stem} (${number})${extension}`;
  }
  return apart;
}

const fold = (name: string) => name.normalize('NFC').toLowerCase();

/** public/1a2b3c4d-notes.pdf -> 1a2b3c4d: the upload reserved the id for its link. */
export function linkIdOf(key: string | null | undefined): string | null {
  return key?.slice(STORAGE_PREFIX.length).split('-', 1)[0] ?? null;
}
