import fs, { appendFileSync, fstatSync, readFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import http, { type ClientRequest } from 'node:http';
import { StatementSync } from 'node:sqlite';
import type { Aim } from './aim.ts';

/**
 * Loaded into the product's process before the product (`--import`): lets the call fail that the
 * file PADLINK_TEST_AIM names, or ends the process at it as `kill -9` does.
 */
const place = process.env.PADLINK_TEST_AIM ?? '';
let aimedAt = '';
let calls = 0;

/** The aim, if this is the call that it means. A fault stays until the aim is taken away. */
function aimAt(call: string): Aim | null {
  const text = readFileSync(place, 'utf8');
  if (text !== aimedAt) calls = 0;
  aimedAt = text;
  if (text === '') return null;
  const aim = JSON.parse(text) as Aim;
  if (aim.call !== call) return null;
  calls += 1;
  const isHit = aim.moment === 'fails' ? calls >= aim.nth : calls === aim.nth;
  return isHit ? aim : null;
}

function die(): void {
  appendFileSync(`${place}.hit`, `${aimedAt}\n`);
  process.kill(process.pid, 'SIGKILL');
}

/** What the system says of a disk that fails, or of a call that it does not take. */
function refusal(syscall: string, code = 'EIO'): Error {
  return Object.assign(new Error(`${code}: ${syscall}`), { code, syscall });
}

/** Does `half` of the call's work while it is under way. */
async function strike<Result>(
  call: string,
  syscall: string,
  work: () => Promise<Result>,
  half: () => void = () => void work().catch(() => {}),
): Promise<Result> {
  const { moment, code } = aimAt(call) ?? {};
  if (moment === 'fails') throw refusal(syscall, code);
  if (moment === 'before') die();
  if (moment === 'during') {
    half();
    setImmediate(die);
    return new Promise(() => {});
  }
  const result = await work();
  if (moment === 'after') die();
  return result;
}

await using handle = await open(import.meta.filename);
const files: FileHandle = Object.getPrototypeOf(handle);
const { writev, sync, read } = files;
files.writev = function (this: FileHandle, chunks: NodeJS.ArrayBufferView[], position?: number) {
  const half = () => {
    const bytes = Buffer.concat(chunks as Uint8Array[]);
    fs.writeSync(this.fd, bytes, 0, bytes.length >> 1, position);
  };
  return strike('write', 'write', () => writev.call(this, chunks, position), half);
} as typeof writev;
files.sync = function (this: FileHandle) {
  const kind = fstatSync(this.fd).isDirectory() ? 'folder' : 'file';
  return strike(`sync ${kind}`, 'fsync', () => sync.call(this));
};
files.read = function (this: FileHandle, ...what: Parameters<typeof read>) {
  return strike('read', 'read', () => read.apply(this, what));
} as typeof read;

/** Whether the process is to end with the commit of what was said last. */
let diesAtCommit = false;

for (const method of ['run', 'all'] as const) {
  const original = StatementSync.prototype[method] as (...values: never[]) => never;
  StatementSync.prototype[method] = function (this: StatementSync, ...values: never[]) {
    const sql = this.sourceSQL;
    const [, verb, table] = /^(insert into|update) "(\w+)"/.exec(sql) ?? [];
    const moment = verb ? aimAt(`${verb.slice(0, 6)} ${table}`)?.moment : undefined;
    if (moment === 'fails') {
      const fault = { code: 'ERR_SQLITE_ERROR', errcode: 266, errstr: 'disk I/O error' };
      throw Object.assign(new Error('disk I/O error'), fault);
    }
    if (moment === 'before') die();
    const result = original.apply(this, values);
    if (moment === 'during' || (diesAtCommit && sql === 'commit')) die();
    diesAtCommit ||= moment === 'after';
    return result;
  } as never;
}

const { request } = http;
http.request = ((...what: Parameters<typeof request>) => {
  const asked = request(...what);
  const { method = '', path = '' } = asked;
  const moment = aimAt(nameOf(method, new URL(path, 'http://store')))?.moment;
  if (moment === 'before') die();
  if (moment === 'during') dieHalfway(asked);
  if (moment === 'after') asked.on('response', die);
  return asked;
}) as typeof request;

/** What a request to the store does. */
function nameOf(method: string, { pathname, searchParams }: URL): string {
  const [, , folder] = pathname.split('/');
  if (searchParams.has('partNumber')) return 'put part';
  if (searchParams.has('uploads')) return 'begin';
  if (searchParams.has('uploadId')) return method === 'POST' ? 'complete' : 'list parts';
  return `${method.toLowerCase()} ${folder}`;
}

/** Once half of what is to be stored was sent; where nothing is, once all was asked. */
function dieHalfway(asked: ClientRequest): void {
  const { end } = asked;
  asked.end = ((body: Uint8Array) => {
    if (asked.method === 'PUT') return asked.write(body.subarray(0, body.length >> 1), die);
    return end.call(asked, body, undefined as never, die);
  }) as never;
}
