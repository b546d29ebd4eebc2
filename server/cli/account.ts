import { resolve } from 'node:path';
import { formatBytes } from '../../contract/format.ts';
import { formatCents } from '../../contract/money.ts';
import { createMailedTickets } from '../delivery/buyers/mailed-tickets.ts';
import { findAccountId } from '../people/accounts/find-account.ts';
import { BackupRefused } from '../running/backup/backup-refused.ts';
import { exportAccount } from '../running/export/export-account.ts';
import type { ExportManifest } from '../running/export/format.ts';
import { importAccount } from '../running/export/import-account.ts';
import { matchSecret } from '../running/installation/match-installation.ts';
import { VERSION } from '../running/version.ts';
import { type Commands, createProgress, Misuse, readWords } from './command-line.ts';
import { modeOf } from './ledger.ts';
import { findSecret, openConfiguredStore } from './open-configured.ts';

export const USAGE = `  export USER PATH  writes an account with its links, files, sales and the rights of its buyers into
                    a folder, for another installation, once it is suspended and no payment or
                    refund is under way; USER is an id or an email address
  import PATH       brings such an account here, after every checksum of it was compared`;

export const COMMANDS: Commands = {
  async export({ db, config, out, words }) {
    const [user, path, ...more] = readWords(words, {}).positionals;
    if (!user || !path || more.length > 0) {
      throw new Misuse('Give the id or email address of an account, then a folder: its PATH.');
    }
    const userId = await findAccountId(db, user);
    const secret = await findSecret(config, db);
    await matchSecret(db, secret).catch((error: Error) => {
      throw new BackupRefused(error.message);
    });
    const { personalSigner } = createMailedTickets(secret);
    const folder = resolve(path);
    const manifest = await exportAccount(
      { db, store: await openConfiguredStore(config, db), now: Date.now },
      {
        userId,
        folder,
        version: VERSION,
        onCopied: createProgress(out),
        signLink: (grantId) => personalSigner.sign({ grantId }),
      },
    );
    out.log(`Exported ${describe(manifest)} to ${folder}.`);
    out.log(describeOwed(manifest, 'This installation'));
    out.log(
      'Next, in this order: run “import” with the folder at the new installation, have the addresses of the links lead there, and pay what is owed. Leave the account suspended here: what it sold from now on would not arrive.',
    );
    out.log(
      'The folder contains personal data of the seller and of buyers: keep it where nobody else can read it, and delete it once it is imported.',
    );
    return { ok: true, folder, ...factsOf(manifest) };
  },
  async import({ db, config, out, words }) {
    const [path, ...more] = readWords(words, {}).positionals;
    if (!path || more.length > 0) throw new Misuse('Name the folder of an exported account.');
    const store = await openConfiguredStore(config, db);
    const hasScanner = config.clamd !== null;
    const { manifest, isNew, lostHandle } = await importAccount(
      { ...config, db, store, now: Date.now, mode: modeOf(config), hasScanner },
      { folder: resolve(path), onRead: createProgress(out) },
    );
    if (isNew) {
      out.log(`Imported ${describe(manifest)}.`);
      out.log(describeOwed(manifest, 'The installation that it came from'));
      out.log(
        'Its person signs in by “Forgot your password?” with the same address. Delete the folder: it contains personal data.',
      );
      if (lostHandle !== null) {
        out.log(
          `The address /s/${lostHandle} of the seller’s page is somebody else’s here: the seller chooses another one on the account page.`,
        );
      }
    } else out.log('This account had already been imported. Nothing was changed.');
    return { ok: true, isNew, lostHandle, ...factsOf(manifest) };
  },
};

const describe = ({ account, links, files, file_bytes, sales }: ExportManifest) =>
  `${account.email} with ${links.toLocaleString('en')} links, ${files.toLocaleString('en')} files (${formatBytes(file_bytes)}) and ${sales.toLocaleString('en')} sales`;

const describeOwed = ({ owed_cents: cents }: ExportManifest, who: string) =>
  cents < 0
    ? `The account owes $${formatCents(-cents)} there, for which its balance here is not used.`
    : `${who} owes the account $${formatCents(cents)} and goes on owing it: its balance elsewhere begins at $0.00.`;

const factsOf = (manifest: ExportManifest) => ({
  account: manifest.account,
  installation: manifest.installation,
  exportedAt: manifest.exported_at,
  mode: manifest.mode,
  owedCents: manifest.owed_cents,
  links: manifest.links,
  files: manifest.files,
  fileBytes: manifest.file_bytes,
  sales: manifest.sales,
});
