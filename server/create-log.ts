import pino, { type Logger } from 'pino';
import pretty from 'pino-pretty';
import type { Config } from './config.ts';

/** JSON lines for machines, readable ones on a terminal. Secrets are never given to it. */
export function createLog(level: Config['logLevel']): Logger {
  const options = { level, base: null, redact: ['req.headers', 'headers'] };
  if (!process.stdout.isTTY) return pino(options);
  return pino(
    options,
    pretty({ colorize: true, translateTime: 'HH:MM:ss', ignore: 'pid,hostname' }),
  );
}
