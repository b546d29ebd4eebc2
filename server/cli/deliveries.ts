import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { DOWNLOAD_TICKET } from '../delivery/downloads/download-url.ts';
import { importDeliveries } from '../delivery/downloads/import-deliveries.ts';
import { listUndelivered } from '../delivery/downloads/watch-deliveries.ts';
import { createSigner } from '../ground/lib/signer.ts';
import { isoTime } from '../ground/lib/time.ts';
import { type Commands, DONE, readFirst } from './command-line.ts';
import { findSecret } from './open-configured.ts';

export const USAGE = `  deliveries import FILE
                    counts the downloads in a log that nginx wrote as deploy/nginx.conf has it; the
                    same file can be read again
  undelivered       lists the purchases that did not arrive, though their buyers were reminded`;

export const COMMANDS: Commands = {
  async 'deliveries import'({ db, out, config, words }) {
    const file = readFirst(words, 'Which log of nginx? Name its FILE.');
    const signer = createSigner(await findSecret(config, db), 'download', DOWNLOAD_TICKET);
    const lines = createInterface({ input: createReadStream(file), crlfDelay: Infinity });
    const { counted, skipped } = await importDeliveries(db, signer, lines);
    out.log(`Downloads of buyers that were counted: ${counted}. Other lines: ${skipped}.`);
    return DONE;
  },
  async undelivered({ db, out }) {
    const purchases = await listUndelivered(db);
    for (const { id, linkId, sellerId, paidAt, isRefused } of purchases) {
      const why = isRefused ? 'the email address was refused' : 'the personal link was not opened';
      out.log(`${isoTime(paidAt)} purchase ${id}, link ${linkId}, seller ${sellerId}: ${why}`);
    }
    out.log(`Paid and not delivered: ${purchases.length}.`);
    return {
      ok: true,
      purchases: purchases.map(({ paidAt, ...rest }) => ({ ...rest, paidAt: isoTime(paidAt) })),
    };
  },
};
