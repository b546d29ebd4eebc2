import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  createLink,
  readMail,
  readUserId,
  seeLink,
  sellFile,
  signUp,
  storageUrl,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { payAt, payFor } from '../factories/payment.ts';
import { eventually } from '../harness/eventually.ts';
import { createPerson, type Person, postJson, readJson } from '../harness/person.ts';
import { runCli } from '../harness/run-command.ts';
import { createDataFolder } from '../harness/run-folder.ts';
import { useApp } from '../harness/use-app.ts';

describe('an exported account', () => {
  const from = useApp();
  const to = useApp({ database: 'postgres' });

  test('moves with its bundles, and their buyers and recipients keep the parts', async () => {
    const seller = await signUp(from);
    const file = await sellFile(seller);
    const address = await createLink(seller, {
      type: 'link',
      url: 'https://example.com/',
      key: null,
    });
    const down = await createLink(seller, { type: 'link', url: 'https://example.com/', key: null });
    const parts = [file.id, address.id, down.id];
    const { id } = await createLink(seller, { type: 'bundle', price: 900, parts });
    const buyer = createPerson(from);
    await payFor(buyer, id);
    await waitUntilUnlocked(buyer, id);
    const giver = createPerson(from);
    const begun = await postJson(giver, '/prod/checkout', {
      paywallId: id,
      gift: { email: 'ann@example.com' },
    });
    await payAt(giver, (await readJson<{ url: string }>(begun)).url);
    const { text } = await readMail(from, 'ann@example.com');
    const takeDown = ['link', 'take-down', down.id, '--reason', 'It is not theirs.'];
    expect(await runCli(from.env, ...takeDown)).toMatchObject({ status: 0 });
    const sellerId = await readUserId(seller);
    const suspend = ['user', 'suspend', sellerId, '--reason', 'The account is moving.'];
    expect(await runCli(from.env, ...suspend)).toMatchObject({ status: 0 });
    const path = join(createDataFolder(), 'account');
    await eventually(async () => {
      expect(await runCli(from.env, 'export', sellerId, path)).toMatchObject({ status: 0 });
    });
    expect(await runCli(to.env, 'import', path)).toMatchObject({ status: 0 });

    const comeBack = ({ cookies }: Person) => {
      const later = createPerson(to);
      for (const [name, value] of cookies) {
        if (name.includes('claim')) later.cookies.set(name, value);
      }
      return later;
    };
    const later = comeBack(buyer);
    for (const one of [id, file.id, address.id]) await waitUntilUnlocked(later, one);
    const { key } = (await seeLink(later, file.id)) ?? {};
    expect(await (await fetch(await storageUrl(later, key ?? ''))).bytes()).toEqual(file.bytes);
    const ann = createPerson(to);
    await ann.fetch(/\/access\/\S+/.exec(text)?.[0] ?? '', { method: 'POST' });
    expect(await seeLink(ann, file.id)).toMatchObject({ unlocked: true });
    expect(await seeLink(comeBack(giver), file.id)).toMatchObject({ unlocked: false });
    const other = createPerson(to);
    expect(await seeLink(other, file.id)).toMatchObject({ unlocked: false });
    await payFor(other, id);
    for (const one of [id, file.id, address.id]) await waitUntilUnlocked(other, one);
    expect(await runCli(to.env, 'ledger', 'check')).toMatchObject({
      status: 0,
      stdout: 'The ledger is in order.\n',
    });
  });
});
