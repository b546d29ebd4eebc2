import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createLink, signUp } from '../factories/factories.ts';
import { payFor } from '../factories/payment.ts';
import { createSecretKey } from '../factories/secret-key.ts';
import { createPerson } from '../harness/person.ts';
import { runCli } from '../harness/run-command.ts';
import { useApp } from '../harness/use-app.ts';

const CLI = join(import.meta.dirname, '../..', 'server', 'cli', 'main.ts');

interface Answer {
  id: number;
  result: { tools: { name: string }[]; content: { text: string }[]; isError?: boolean };
}

describe('npm run cli -- mcp', () => {
  const app = useApp();

  /** A client of the protocol, line by line. */
  async function connect(secret: string) {
    const env = { PATH: process.env.PATH, PADLINK_URL: app.origin, PADLINK_SECRET_KEY: secret };
    const child = spawn(process.execPath, [CLI, 'mcp'], {
      env,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill());
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    let last = 0;
    const send = (message: object) =>
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    async function ask(method: string, params = {}): Promise<Answer['result']> {
      last += 1;
      send({ id: last, method, params });
      const { value = '' } = await lines.next();
      const answer = JSON.parse(value) as Answer;
      expect(answer.id).toBe(last);
      return answer.result;
    }
    await ask('initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    });
    send({ method: 'notifications/initialized' });
    const call = async (name: string, given = {}) => {
      const { content, isError } = await ask('tools/call', { name, arguments: given });
      const text = content[0]?.text ?? '';
      return isError ? text : Object.values(JSON.parse(text))[0];
    };
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
    const end = () => {
      child.stdin.end();
      return ended;
    };
    return { ask, call, end };
  }

  test('sells, reads and refunds with a key that may, and says which scope is missing', async () => {
    const creator = await signUp(app);
    const all = await createSecretKey(creator, 'Assistant', ['read', 'sell', 'refund']);
    const { ask, call, end } = await connect(all.secret);
    const { tools } = await ask('tools/list');
    expect(tools.map(({ name }) => name)).toEqual([
      ...['list_links', 'create_link', 'update_link', 'list_sales', 'refund_sale', 'get_balance'],
    ]);
    const given = { url: 'https://example.com/course', price: 500, title: 'The course' };
    const link = (await call('create_link', { ...given, unlisted: true })) as { id: string };
    expect(await call('update_link', { id: link.id, price: 700 })).toMatchObject({
      price: 700,
      title: 'The course',
      unlisted: true,
    });
    // Somebody else's is not among them.
    await createLink(await signUp(app), { type: 'link', url: 'https://example.com/other' });
    expect(await call('list_links')).toMatchObject({ items: [{ id: link.id }] });

    const buyer = createPerson(app);
    await buyer.fetch(await payFor(buyer, link.id));
    const { items } = (await call('list_sales')) as { items: { id: string; net: number }[] };
    expect(items).toMatchObject([{ linkId: link.id, gross: 700, refundable: 700 }]);
    expect(await call('get_balance')).toMatchObject({ balance: items[0]?.net });
    const refund = { purchaseId: items[0]?.id, amount: 200, reason: 'A mistake.' };
    expect(await call('refund_sale', refund)).toMatchObject({ refunds: [{ amount: 200 }] });
    expect(await call('create_link', { ...given, price: 0 })).toMatch(/price greater than/);
    expect(await end()).toBe(0);

    const { call: tryCall } = await connect((await createSecretKey(creator)).secret);
    expect(await tryCall('list_sales')).toContain('lacks the scope “read”');
  });

  test('says what to set where it has no shop or key', async () => {
    const env = { PADLINK_URL: app.origin, PADLINK_SECRET_KEY: 'no key' };
    const nowhere = await runCli({ ...env, PADLINK_URL: 'nowhere' }, 'mcp');
    expect(nowhere).toMatchObject({ status: 2, stderr: expect.stringContaining('PADLINK_URL') });
    const keyless = await runCli(env, 'mcp');
    expect(keyless).toMatchObject({ status: 2, stderr: expect.stringMatching(/SECRET_KEY/) });
  });
});
