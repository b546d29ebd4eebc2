import { rotateSigningKey } from '../delivery/receipts/signing-keys.ts';
import { loadAppSecret } from '../running/data-folder.ts';
import { acceptSecret, matchSecret } from '../running/installation/match-installation.ts';
import { type Commands, DONE, FAILED } from './command-line.ts';
import { findSecret } from './open-configured.ts';

export const USAGE = `  secret accept     accepts the current APP_SECRET permanently, after a start refused it
  keys rotate       signs receipts with a new key from now on; older ones stay verifiable`;

const neverUsed = async () => false;

export const COMMANDS: Commands = {
  async 'secret accept'({ db, out, config }) {
    await acceptSecret(db, config.appSecret ?? (await loadAppSecret(config.dataDir, neverUsed)));
    out.log(
      'The current APP_SECRET was accepted. Personal links in older receipts no longer work.',
    );
    return DONE;
  },
  async 'keys rotate'({ db, out, config }) {
    const secret = await findSecret(config, db);
    const mismatch = await matchSecret(db, secret).catch((error: Error) => error);
    if (mismatch) {
      out.error(mismatch.message);
      return FAILED;
    }
    const id = await rotateSigningKey({ db, secret, now: Date.now });
    out.log(`Receipts are signed with the key ${id} from now on.`);
    return DONE;
  },
};
