import { asFact, type Fact, fact, texts } from '../../../contract/fact.ts';
import type { Config } from '../../ground/config/read-config.ts';
import { LOOPBACK } from '../../ground/config/settings.ts';
import type { DatabaseContext } from '../../ground/database/tables.ts';
import { publishableKeyOf } from '../../ground/lib/signer.ts';
import {
  examineAddress,
  examineCertificate,
  examineWebhook,
  type Reached,
  reach,
} from './examine-address.ts';
import { examineBackup } from './examine-data.ts';
import {
  examineClock,
  examineDatabaseClock,
  examineMail,
  examineProvider,
} from './examine-services.ts';
import { type Check, type Examined, examine, ok, warning } from './finding.ts';

interface Context extends DatabaseContext {
  config: Config;
  /** APP_SECRET. */
  secret: string;
  /** What the provider signs events with. */
  webhookSecret: string;
  /** When a code came back that was mailed by these settings, UTC milliseconds; null for never. */
  mailProvenAt: number | null;
  findProviderFaults(): Promise<Fact[]>;
}

/**
 * What a running site lacks before strangers can buy, as the doctor finds it. What an installation for
 * trying things out does without is still to be done, and no fault.
 */
export async function examineSetup(context: Context): Promise<Check[]> {
  const { config, db, secret, now } = context;
  const { publicUrl } = config;
  const reached = reach(publicUrl, publishableKeyOf(secret));
  const address = fact('Correct PUBLIC_URL.');
  const network = fact('See that this machine reaches the services of its settings.');
  const database = fact('See that the database is not read-only and its disk not full.');
  const checks = await Promise.all([
    examine('address', reached.then(inPlace(publicUrl)), address),
    examine('certificate', examineTls(publicUrl), address),
    examine('webhook', examineEvents(context, reached), network),
    examine('payments', examinePayments(context), network),
    examine('mail', examineMailbox(context), network),
    examine('clock', examineClocks(context), network),
    examine('backup', examineBackup(db, now()), database),
    examine('payouts', examinePayouts(config), database),
  ]);
  return checks.flat();
}

const isLocal = (publicUrl: string) => LOOPBACK.has(new URL(publicUrl).hostname);

const inPlace =
  (url: string) =>
  async (reached: Reached): Examined =>
    isLocal(url)
      ? warning(
          fact('Only this machine reaches {url}.', { url }),
          fact(
            'Set PUBLIC_URL to the https:// address that buyers will open, then restart Padlink: docs/operating.md.',
          ),
        )
      : examineAddress(url, reached);

async function examineTls(url: string): Examined {
  if (isLocal(url) || url.startsWith('https:')) return examineCertificate(url);
  return warning(
    fact('Buyers reach this site without TLS.'),
    fact(
      'Put a proxy with a certificate before Padlink, and set PUBLIC_URL to its https:// address: docs/operating.md.',
    ),
  );
}

async function examineEvents({ config, webhookSecret }: Context, reached: Promise<Reached>) {
  const { publicUrl, payments } = config;
  if ((await reached).kind !== 'this') return null;
  return examineWebhook(publicUrl, webhookSecret, payments.kind === 'stripe' && payments.live);
}

async function examinePayments({ config, findProviderFaults }: Context): Examined {
  const { payments } = config;
  if (payments.kind === 'sandbox') {
    return warning(
      fact('Payments go through the built-in sandbox, where only test cards can pay.'),
      fact('Set STRIPE_SECRET_KEY, run “stripe setup”, then restart Padlink.'),
    );
  }
  const found = await examineProvider(config, findProviderFaults);
  if (found?.state !== 'ok' || payments.live) return found;
  return warning(
    fact('{found} The key is of test mode, where only test cards can pay.', {
      found: asFact(found.says),
    }),
    fact('Set the live STRIPE_SECRET_KEY, run “stripe setup”, then restart Padlink.'),
  );
}

async function examineMailbox({ config, mailProvenAt }: Context): Examined {
  const found = await examineMail(config, undefined);
  if (found?.state !== 'ok') return found;
  const says = asFact(found.says);
  if (config.mail.kind === 'mailbox') {
    return warning(says, fact('Set SMTP_URL and MAIL_FROM, then restart Padlink.'));
  }
  if (mailProvenAt === null) {
    return warning(
      fact('{found} Nobody has confirmed yet that its emails arrive.', { found: says }),
      fact('Have a code sent to you, and enter it here.'),
    );
  }
  const time = { moment: mailProvenAt };
  return ok(fact('{found} An email arrived on {time}.', { found: says, time }));
}

const examineClocks = async ({ config, db }: Context): Examined =>
  (await examineClock(config)) ?? examineDatabaseClock(db);

const SELLS = texts({
  solo: 'Only you sell here.',
  manual: 'Others sell here as well, and you pay them by hand.',
  connect: 'Others sell here as well, and Stripe pays them automatically.',
});

async function examinePayouts({ payouts, payoutsAreChosen }: Config): Examined {
  const says = fact(SELLS[payouts.kind]);
  if (payoutsAreChosen) return ok(says);
  return warning(
    fact('Nobody has chosen yet who sells here. Until then: {says}', { says }),
    fact('Add the line of your choice to the settings, then restart Padlink.'),
  );
}
