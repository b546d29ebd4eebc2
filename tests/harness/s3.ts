import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { fileURLToPath } from 'node:url';
import { beforeEach } from 'vitest';
import { type Bucket, createS3Client } from '../../server/adapters/storage/s3-client.ts';
import { findFreePort } from './free-port.ts';
import { skipWithout } from './needs.ts';
import { createDataFolder } from './run-folder.ts';

const PYTHON = '/usr/bin/python3';
/** Debian's, which .ci/run installs. */
const PROGRAMS = ['/usr/bin/swift-proxy-server', '/usr/bin/s3cmd'];
const SCRIPT = fileURLToPath(new URL('./s3-server.py', import.meta.url));

const areThere = PROGRAMS.every((path) => existsSync(path));
const ACCESS = {
  region: 'us-east-1',
  accessKeyId: 'test:padlink',
  secretAccessKey: 'a-secret-key',
};

let endpoint: Promise<string> | undefined;

/** Skips the tests of the surrounding `describe` where there is no S3 to test with. */
export function needS3(): void {
  beforeEach(() => {
    if (!areThere) skipWithout('s3');
  });
}

/** A new private bucket; null where there is no S3 to test with. All of a process share a server. */
export async function createBucket(): Promise<Bucket | null> {
  if (!areThere) return null;
  endpoint ??= startServer();
  const bucket = {
    ...ACCESS,
    endpoint: await endpoint,
    bucket: `b${randomBytes(6).toString('hex')}`,
  };
  await createS3Client(bucket).ask({ method: 'PUT' });
  return bucket;
}

/** The settings of a product that keeps its files there. */
export function s3Settings(bucket: Bucket): Record<string, string> {
  return {
    S3_ENDPOINT: bucket.endpoint,
    S3_REGION: bucket.region,
    S3_BUCKET: bucket.bucket,
    S3_ACCESS_KEY_ID: bucket.accessKeyId,
    S3_SECRET_ACCESS_KEY: bucket.secretAccessKey,
  };
}

/** It ends with this process, which holds its standard input. */
async function startServer(): Promise<string> {
  const port = await findFreePort();
  const user = ACCESS.accessKeyId.split(':');
  const line = [SCRIPT, createDataFolder(), String(port), ...user, ACCESS.secretAccessKey];
  const child = spawn(PYTHON, line, { stdio: ['pipe', 'pipe', 'inherit'] });
  await saysReady(child);
  child.unref();
  for (const pipe of [child.stdin, child.stdout]) (pipe as unknown as { unref(): void }).unref();
  return `http://127.0.0.1:${port}`;
}

async function saysReady(child: ChildProcess): Promise<void> {
  if (!child.stdout) throw new Error('Not asked for its output');
  for await (const line of createInterface(child.stdout)) if (line === 'ready') return;
  throw new Error(`The S3 server ended with ${child.exitCode}.`);
}
