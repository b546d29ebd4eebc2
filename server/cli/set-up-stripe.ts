import { chmod, chown, readFile, realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { putIntoEnglish } from '../../contract/fact.ts';
import { ENDPOINTS, type SetUp, SetUpRefused } from '../adapters/stripe/endpoints.ts';
import {
  type Config,
  ConfigError,
  type Environment,
  readConfig,
} from '../ground/config/read-config.ts';
import { LOOPBACK } from '../ground/config/settings.ts';
import { orNullWhenMissing, replaceFile } from '../ground/lib/durable.ts';
import { webhookUrlOf } from '../running/open-payments.ts';
import { type BareCommands, FAILED, type Output, readSettings, readWords } from './command-line.ts';
import { withProvider } from './with-provider.ts';

export const USAGE = `  stripe setup [FILE]
                    creates the webhook endpoints, or repairs them, so that they send exactly what
                    is read, and prints the secrets of new ones; with FILE, one NAME=value a line,
                    settings are read from it and the secrets are written into it`;

export const BARE_COMMANDS: BareCommands = {
  async 'stripe setup'({ environment, out, words }) {
    const [file] = readWords(words, {}).positionals;
    const settings = { ...(file && readSettings(file)), ...environment };
    const { config, unknown } = readWithoutSecrets(settings);
    const { publicUrl, payments } = config;
    const isStripe = payments.kind === 'stripe';
    if (isStripe && LOOPBACK.has(new URL(publicUrl).hostname)) {
      out.error(
        `Stripe cannot reach ${publicUrl}. Set PUBLIC_URL to the address that buyers open.`,
      );
      return FAILED;
    }
    out.log(nameProvider(payments));
    return withProvider(config, out, async ({ setUpEndpoints, findMissingPermissions }) => {
      const endpoints: Omit<SetUp, 'secret'>[] = [];
      try {
        // Each at once: the provider tells a secret once, and whoever waits may give up.
        await setUpEndpoints(webhookUrlOf(config), async ({ secret, ...endpoint }) => {
          endpoints.push(endpoint);
          out.log(`${SAYS[endpoint.did]}: the endpoint for ${endpoint.name}.`);
          if (secret !== null) await keepSecret(endpoint.setting, secret, { settings, file, out });
        });
        const missing = await findMissingPermissions();
        const left = [...findUnknown(unknown, endpoints), ...missing.map(putIntoEnglish)];
        for (const sentence of left) out.log(sentence);
        return { ok: left.length === 0, endpoints, left };
      } catch (error) {
        const isRefused = error instanceof SetUpRefused;
        out.error(
          isRefused ? error.message : `The payment provider could not be asked. ${String(error)}`,
        );
        return { ok: false, endpoints };
      }
    });
  },
};

function nameProvider(payments: Config['payments']): string {
  if (payments.kind === 'sandbox') return 'At the sandbox:';
  return payments.live ? 'At Stripe, with its live key:' : 'At Stripe, with a test key:';
}

/** What the provider may have yet to tell. */
const SECRETS = [
  'STRIPE_WEBHOOK_SECRET',
  'STRIPE_CONNECT_WEBHOOK_SECRET',
  'STRIPE_THIN_WEBHOOK_SECRET',
];

/** @throws ConfigError for everything else that is wrong */
function readWithoutSecrets(settings: Environment): { config: Config; unknown: string[] } {
  try {
    return { config: readConfig(settings), unknown: [] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const unknown = error.faults.map(({ name }) => name.replace(/_FILE$/, ''));
    if (!unknown.every((name) => SECRETS.includes(name))) throw error;
    const known = { ...settings };
    for (const name of unknown) {
      known[name] = 'whsec_unknown';
      delete known[`${name}_FILE`];
    }
    return { config: readConfig(known), unknown };
  }
}

const SAYS = { created: 'Created', changed: 'Repaired', kept: 'In order' };

interface Keeping {
  settings: Environment;
  file: string | undefined;
  out: Output;
}

/** Writes the secret where it is read, and otherwise prints it. */
async function keepSecret(
  setting: string,
  secret: string,
  { settings, file, out }: Keeping,
): Promise<void> {
  const line = `${setting}=${secret}`;
  // An empty setting counts as absent.
  const secretFile = settings[`${setting}_FILE`] || undefined;
  const place = secretFile ?? file;
  if (!place) {
    out.log(`Add this to the settings, and start Padlink again:\n${line}`);
    return;
  }
  try {
    await rewrite(place, (text) => (secretFile ? `${secret}\n` : withSetting(text, setting, line)));
    out.log(`Its secret is in ${place}. Start Padlink again.`);
  } catch (error) {
    out.error(`${place} could not be written (${String(error)}). Add this to it:\n${line}`);
  }
}

/** In place of what the setting was. */
function withSetting(text: string, setting: string, line: string): string {
  const others = text.split('\n').filter((other) => other.split('=', 1)[0]?.trim() !== setting);
  const before = others.join('\n').trimEnd();
  return `${before ? `${before}\n` : ''}${line}\n`;
}

/** Whoever could read it still can; a link to it stays one. */
async function rewrite(file: string, change: (text: string) => string): Promise<void> {
  const path = (await orNullWhenMissing(realpath(file))) ?? file;
  const known = await orNullWhenMissing(stat(path));
  const text = (await orNullWhenMissing(readFile(path, 'utf8'))) ?? '';
  await replaceFile(dirname(path), path, change(text));
  if (!known) return;
  await chown(path, known.uid, known.gid);
  await chmod(path, known.mode);
}

/** Of the settings that keep Padlink from starting, those that nothing was created for. */
function findUnknown(unknown: string[], endpoints: Omit<SetUp, 'secret'>[]): string[] {
  return unknown.flatMap((setting) => {
    const endpoint = endpoints.find((one) => one.setting === setting);
    if (endpoint?.did === 'created') return [];
    const of = endpoint ? ` of the endpoint ${endpoint.id}` : '';
    return [`${setting} is missing or wrong. Copy the signing secret${of} from ${ENDPOINTS}.`];
  });
}
