// Loaded before Padlink, makes every flush take so much longer, as on a slower disk.
import { open } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

const SLOWER_MS = 5;

const file = await open('/dev/null');
const { datasync } = Object.getPrototypeOf(file);
Object.getPrototypeOf(file).datasync = async function slowDatasync() {
  await sleep(SLOWER_MS);
  return datasync.call(this);
};
await file.close();
