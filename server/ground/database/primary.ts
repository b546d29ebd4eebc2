import pg from 'pg';
import { listServers } from '../lib/database-servers.ts';

/** What the servers of one address say: a standby takes no writes until it is promoted. */
class StandbyError extends Error {
  readonly code = '57P03';

  constructor() {
    super('the server is a standby, which takes no writes');
  }
}

export interface Primary {
  /** A connection of this class is to the server that took writes when it was last looked. */
  Client: typeof pg.Client;
  /** How many servers there are, which is how often to try before it is said that there is none. */
  servers: number;
}

/**
 * Finds the primary among the servers that an address names. A connection that fails, or that is to
 * a standby, lets the next one go to the next server, so that a promoted standby is found.
 */
export function findPrimary(url: string): Primary {
  const servers = listServers(url);
  if (servers.length === 1) return { Client: pg.Client, servers: 1 };
  let chosen = 0;

  class Client extends pg.Client {
    readonly #server: number;

    constructor(options?: pg.ClientConfig) {
      super({ ...options, connectionString: servers[chosen] });
      this.#server = chosen;
      // A pool listens only once it is connected: without this one, losing the connection before
      // would end the process.
      this.on('error', () => {});
    }

    override connect(): Promise<pg.Client>;
    override connect(done: (error: Error | null) => void): void;
    override connect(done?: (error: Error | null) => void): Promise<pg.Client> | undefined {
      const reached = this.#reach();
      if (!done) return reached;
      reached.then(() => done(null), done);
    }

    async #reach(): Promise<pg.Client> {
      try {
        await super.connect();
        const { rows } = await this.query('select pg_is_in_recovery() as is_standby');
        if (rows[0].is_standby) throw new StandbyError();
        return this;
      } catch (error) {
        if (chosen === this.#server) chosen = (chosen + 1) % servers.length;
        void this.end().catch(() => {});
        throw error;
      }
    }
  }
  return { Client, servers: servers.length };
}

/**
 * Opens a connection to the primary, beside those of a pool.
 * @throws the last error where no server takes writes
 */
export async function connectToPrimary(url: string, options: pg.ClientConfig): Promise<pg.Client> {
  const { Client, servers } = findPrimary(url);
  for (let tried = 1; ; tried += 1) {
    const client = new Client({ connectionString: url, ...options });
    client.on('error', () => {});
    try {
      await client.connect();
      return client;
    } catch (error) {
      if (tried === servers) throw error;
    }
  }
}
