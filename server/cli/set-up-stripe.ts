import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type SetUp, SetUpRefused } from '../adapters/stripe/endpoints.ts';
import {
  type Config,
  ConfigError,
  type Environment,
  readConfig,
} from '../ground/config/read-config.ts';
import { LOOPBACK } from '../ground/config/settings.ts';
import { orNullWhenMissing, replaceFile } from '../ground/lib/durable.ts';
import { type BareCommands, FAILED, type Output, readOptions } from './command-line.ts';
import { withProvider } from './with-provider.ts';

export const USAGE = `  stripe setup [--env-file FILE]
                    creates the webhook endpoints, or mends them, so that they send exactly what is
                    read; prints the secrets of new ones, or writes them into the settings in FILE`;

const ENDPOINTS = 'https://dashboard.stripe.com/webhooks';

export const BARE_COMMANDS: BareCommands = {
  async 'stripe setup'({ environment, out, words }) {
    const { 'env-file': envFile } = readOptions(words, { 'env-file': { type: 'string' } });
    const config = readWithoutSecrets(environment);
    const { publicUrl } = config;
    const isStripe = config.payments.kind === 'stripe';
    if (isStripe && LOOPBACK.has(new URL(publicUrl).hostname)) {
      out.error(
        `Stripe cannot reach ${publicUrl}. Set PUBLIC_URL to the address that buyers open.`,
      );
      return FAILED;
    }
    return withProvider(config, out, async ({ setUpEndpoints, findMissingPermissions }) => {
      const endpoints: SetUp[] = [];
      try {
        await setUpEndpoints(`${publicUrl}/webhooks/stripe`, (done) => endpoints.push(done));
      } catch (error) {
        const isRefused = error instanceof SetUpRefused;
        out.error(
          isRefused ? error.message : `The payment provider could not be asked. ${String(error)}`,
        );
        return FAILED;
      } finally {
        // Also before it failed: the provider tells a secret once.
        await tellEndpoints(endpoints, { environment, envFile, out });
      }
      const left = [
        ...(isStripe ? findUnsetSecrets(endpoints, environment) : []),
        ...(await findMissingPermissions()),
      ];
      for (const sentence of left) out.log(sentence);
      return { ok: left.length === 0, endpoints, left };
    });
  },
};

/** What the provider has yet to tell. */
const SECRETS = [
  'STRIPE_WEBHOOK_SECRET',
  'STRIPE_CONNECT_WEBHOOK_SECRET',
  'STRIPE_THIN_WEBHOOK_SECRET',
];

/** @throws ConfigError for everything else that is wrong */
function readWithoutSecrets(environment: Environment): Config {
  try {
    return readConfig(environment);
  } catch (error) {
    const isRead = error instanceof ConfigError;
    if (!isRead || !error.faults.every(({ name }) => SECRETS.includes(name))) throw error;
    const unknown = error.faults.map(({ name }) => [name, 'whsec_unknown']);
    return readConfig({ ...environment, ...Object.fromEntries(unknown) });
  }
}

const SAYS = {
  created: 'Created: the endpoint for',
  changed: 'Mended: the endpoint for',
  kept: 'In order: the endpoint for',
};

interface Telling {
  environment: Environment;
  envFile: string | undefined;
  out: Output;
}

/** Says what became of each endpoint, and keeps the secrets of new ones where they are read. */
async function tellEndpoints(
  endpoints: SetUp[],
  { environment, envFile, out }: Telling,
): Promise<void> {
  for (const { did, name, setting, secret } of endpoints) {
    out.log(`${SAYS[did]} ${name}.`);
    if (secret === null) continue;
    const line = `${setting}=${secret}`;
    const secretFile = environment[`${setting}_FILE`];
    const file = secretFile ?? envFile;
    if (!file) out.log(`Add this to the settings, and start Padlink again:\n${line}`);
    else {
      try {
        if (secretFile) await replaceFile(dirname(file), file, `${secret}\n`);
        else await addSetting(file, setting, line);
        out.log(`Its secret is in ${file}. Start Padlink again.`);
      } catch (error) {
        out.error(`${file} could not be written (${String(error)}). Add this to it:\n${line}`);
      }
    }
  }
}

/** In place of what the setting was. */
async function addSetting(file: string, setting: string, line: string): Promise<void> {
  const text = (await orNullWhenMissing(readFile(file, 'utf8'))) ?? '';
  const others = text.split('\n').filter((other) => other.split('=', 1)[0]?.trim() !== setting);
  const before = others.join('\n').trimEnd();
  await replaceFile(dirname(file), file, `${before ? `${before}\n` : ''}${line}\n`);
}

function findUnsetSecrets(endpoints: SetUp[], environment: Environment): string[] {
  return endpoints
    .filter(({ secret, setting }) => secret === null && !isSet(setting, environment))
    .map(
      ({ setting, id }) =>
        `${setting} is not set. Copy the signing secret of the endpoint ${id} from ${ENDPOINTS}.`,
    );
}

const isSet = (name: string, environment: Environment) =>
  Boolean(environment[name] || environment[`${name}_FILE`]);
