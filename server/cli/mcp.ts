import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';
import { VERSION } from '../running/version.ts';
import { type BareCall, type BareCommands, DONE, Misuse } from './command-line.ts';

export const USAGE = `  mcp               lets an assistant sell: a Model Context Protocol server on standard input and
                    output, for the shop at PADLINK_URL with the secret key in PADLINK_SECRET_KEY`;

/** How long the shop may take to answer. */
const ANSWER_MS = 60_000;

interface Shop {
  /** Origin without a trailing slash. */
  url: string;
  secretKey: string;
}

export const BARE_COMMANDS: BareCommands = {
  async mcp({ environment }) {
    const shop = readShop(environment);
    const ended = Promise.withResolvers<void>();
    const handle = serveStdio(() => createMcpServer(shop), { onerror: () => {} });
    process.stdin.once('end', ended.resolve);
    await ended.promise;
    await handle.close();
    return DONE;
  },
};

/** @throws Misuse */
function readShop({
  PADLINK_URL = '',
  PADLINK_SECRET_KEY: secretKey = '',
}: BareCall['environment']): Shop {
  if (!URL.canParse(PADLINK_URL)) {
    throw new Misuse(
      'Set PADLINK_URL to the address of the shop, such as https://pay.example.com.',
    );
  }
  if (!secretKey.startsWith('sk_padlink_')) {
    throw new Misuse('Set PADLINK_SECRET_KEY to a secret key from the account page of the shop.');
  }
  return { url: new URL(PADLINK_URL).origin, secretKey };
}

const LINK = 'id type price title description paused free unlisted pending left';
const SALE = 'id linkId title gross net paidAt state refundable';

const nextToken = z.string().optional().describe('From the page before.');
const cents = z.int().describe('US cents.');
const terms = {
  title: z.string().optional(),
  description: z.string().optional().describe('Plain text.'),
  unlisted: z.boolean().optional().describe('Kept out of every list.'),
};

interface Tool {
  name: string;
  description: string;
  input: z.ZodRawShape;
  hints: { readOnlyHint?: boolean; destructiveHint?: boolean };
  query: string;
}

/** What a seller does, in front of the same calls as the pages; the key's scopes say what may be done. */
const TOOLS: Tool[] = [
  {
    name: 'list_links',
    description: 'Your links, newest first, fifty at a time. Prices are US cents.',
    input: { nextToken },
    hints: { readOnlyHint: true },
    query: `query ($nextToken: String) {
      listPaywallLinks(mine: true, limit: 50, nextToken: $nextToken) { items { ${LINK} } nextToken }
    }`,
  },
  {
    name: 'create_link',
    description:
      'Puts a web address on sale. Its page, where anyone can buy it, is /p/ and the id at the shop.',
    input: {
      url: z.url().describe('What buyers get: kept secret until they pay.'),
      price: cents,
      ...terms,
    },
    hints: { readOnlyHint: false, destructiveHint: false },
    query: `mutation ($url: URL!, $price: Int!, $title: String, $description: String, $unlisted: Boolean) {
      createPaywallLink(input: {
        type: "link", url: $url, price: $price, title: $title, description: $description
        unlisted: $unlisted
      }) { ${LINK} }
    }`,
  },
  {
    name: 'update_link',
    description: 'Changes a link: only what is given. Buyers keep what they bought.',
    input: { id: z.string(), price: cents.optional(), paused: z.boolean().optional(), ...terms },
    hints: { readOnlyHint: false, destructiveHint: false },
    query: `mutation (
      $id: ID!, $price: Int, $paused: Boolean, $title: String, $description: String
      $unlisted: Boolean
    ) {
      updatePaywallLink(input: {
        id: $id, price: $price, paused: $paused, title: $title, description: $description
        unlisted: $unlisted
      }) { ${LINK} }
    }`,
  },
  {
    name: 'list_sales',
    description:
      'Your sales, newest first, fifty at a time: what was paid (gross) and your part (net) in cents.',
    input: { nextToken },
    hints: { readOnlyHint: true },
    query: `query ($nextToken: String) {
      listSales(nextToken: $nextToken) { items { ${SALE} } nextToken }
    }`,
  },
  {
    name: 'refund_sale',
    description:
      'Gives the money of a sale back to its buyer, whole or in part. This cannot be undone: ask first.',
    input: {
      purchaseId: z.string().describe('The id of a sale.'),
      amount: cents.optional().describe('US cents; all that is left unless given.'),
      reason: z.string(),
    },
    hints: { readOnlyHint: false, destructiveHint: true },
    query: `mutation ($purchaseId: ID!, $amount: Int, $reason: String!) {
      refundSale(purchaseId: $purchaseId, amount: $amount, reason: $reason) {
        ${SALE} refunds { amount state }
      }
    }`,
  },
  {
    name: 'get_balance',
    description:
      'What the shop owes you, in US cents: what of it can be paid out, and what is pending.',
    input: {},
    hints: { readOnlyHint: true },
    query: '{ getMoney { balance available pending reserved inTransit } }',
  },
];

function createMcpServer(shop: Shop): McpServer {
  const server = new McpServer({ name: 'padlink', version: VERSION });
  for (const { name, description, input, hints, query } of TOOLS) {
    const inputSchema = z.object(input);
    server.registerTool(name, { description, inputSchema, annotations: hints }, async (given) => {
      const { text, isError } = await ask(shop, query, given);
      return { content: [{ type: 'text', text }], isError };
    });
  }
  return server;
}

const ANSWER = z.object({
  data: z.looseObject({}).nullish(),
  errors: z.array(z.object({ message: z.string() })).optional(),
});

/** Never rejects: what went wrong is told to the assistant, which can tell its person. */
async function ask(
  { url, secretKey }: Shop,
  query: string,
  variables: object,
): Promise<{ text: string; isError: boolean }> {
  try {
    const answer = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': secretKey },
      body: JSON.stringify({ query, variables }),
      redirect: 'error',
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    const { data, errors } = ANSWER.parse(await answer.json());
    const [error] = errors ?? [];
    return error
      ? { text: error.message, isError: true }
      : { text: JSON.stringify(data), isError: false };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { text: `The shop at ${url} did not answer as expected: ${reason}`, isError: true };
  }
}
