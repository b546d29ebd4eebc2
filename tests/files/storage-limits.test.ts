import { expect, test } from 'vitest';
import {
  MAX_BROWSERS_OF_GRANT,
  MAX_UNPROVEN_BROWSERS,
} from '../../server/delivery/buyers/personal-link.ts';
import { FLOOR_BYTES, FLOOR_PERCENT, ROOM_KEPT_FOR_MS } from '../../server/files/admit-upload.ts';
import { ROOM_CHECKED_EVERY_BYTES } from '../../server/files/append-to-upload.ts';
import { MAX_OPEN_UPLOADS, WITH_DELETED } from '../../server/files/start-upload.ts';
import {
  EVENTS_KEPT_FOR_MS,
  UNPAID_KEPT_FOR_MS,
} from '../../server/selling/checkout/sweep-unpaid-checkouts.ts';

const MINUTE_MS = 60 * 1000;
const DAY_MS = 24 * 60 * MINUTE_MS;

test.each([
  ['hundredths of the disk for the database', FLOOR_PERCENT, 5],
  ['bytes for the database at the most', FLOOR_BYTES, 256 * 1024 ** 2],
  ['bytes of an upload between two looks at the disk', ROOM_CHECKED_EVERY_BYTES, 8 * 1024 ** 2],
  ['room kept for an upload that stands still', ROOM_KEPT_FOR_MS, 10 * MINUTE_MS],
  ['open uploads of an account', MAX_OPEN_UPLOADS, 100],
  ['quotas with what was deleted', WITH_DELETED, 2],
  ['browsers of a personal link without a code', MAX_UNPROVEN_BROWSERS, 5],
  ['browsers of a personal link', MAX_BROWSERS_OF_GRANT, 100],
  ['life of a checkout that nobody paid', UNPAID_KEPT_FOR_MS, 90 * DAY_MS],
  ['life of an event that was handled', EVENTS_KEPT_FOR_MS, 90 * DAY_MS],
])('%s: as promised', (_what, figure, promised) => {
  expect(figure).toBe(promised);
});
