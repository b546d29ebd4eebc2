import { putIntoEnglish } from '../../contract/fact.ts';
import { resetTestData } from '../ground/database/reset-test-data.ts';
import { DAY_MS } from '../ground/lib/time.ts';
import { reconcile } from '../money/payments/reconcile.ts';
import { type Commands, DONE, FAILED, Misuse, readOptions, tellProgress } from './command-line.ts';
import { findProviderFaults, withProvider } from './with-provider.ts';

export const USAGE = `  reconcile [--since YYYY-MM-DD]
                    compares purchases with the payment provider, for the last 30 days unless told
                    otherwise, and repairs what it safely can; exit code 1 if it needs your attention
  stripe check      tries every permission that the key needs, and compares the events of the
                    webhook endpoint with those needed; exit code 1 if something is missing
  reset-test-data   removes every test purchase, so that live payments can begin`;

const MONTH_MS = 30 * DAY_MS;

export const COMMANDS: Commands = {
  async reconcile({ db, out, config, words }) {
    const { since: day } = readOptions(words, { since: { type: 'string' } });
    const since = day === undefined ? Date.now() - MONTH_MS : Date.parse(day);
    if (Number.isNaN(since)) throw new Misuse('--since needs a day such as 2026-01-31.');
    const { publicUrl, costBearers } = config;
    const found = { compared: 0, mended: [], faults: [] };
    const onCompared = tellProgress(out, () => `${found.compared} paid sessions compared`);
    const sayAll = () => {
      for (const sentence of [...found.mended, ...found.faults]) out.log(sentence);
    };
    return withProvider(config, out, async ({ provider }) => {
      const context = { db, provider, publicUrl, costBearers, now: Date.now };
      try {
        await reconcile(context, { since, found, onCompared });
      } catch (error) {
        sayAll();
        out.error(`The comparison was interrupted; run it again. ${String(error)}`);
        return FAILED;
      }
      sayAll();
      const { compared, mended, faults } = found;
      const first = new Date(since).toISOString().slice(0, 10);
      out.log(
        `Paid sessions compared since ${first}: ${compared}. Repaired: ${mended.length}. Needing your attention: ${faults.length}.`,
      );
      return { ok: faults.length === 0, compared, mended, faults };
    });
  },
  async 'stripe check'({ config, out }) {
    try {
      const faults = (await findProviderFaults(config, out)).map(putIntoEnglish);
      out.log(faults.length === 0 ? 'The key and the endpoints are in order.' : faults.join('\n'));
      return { ok: faults.length === 0, faults };
    } catch (error) {
      out.error(`The payment provider could not be asked. ${String(error)}`);
      return FAILED;
    }
  },
  async 'reset-test-data'({ db, out }) {
    const { purchases, entries } = await resetTestData(db, Date.now());
    out.log(
      `Removed: ${purchases} test purchases and ${entries} entries of their books. “reconcile” leaves them alone from now on, though the provider still lists their payments.`,
    );
    return DONE;
  },
};
