import { execFileSync, spawnSync } from 'node:child_process';
import { hash as digest } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import {
  createLink,
  graphql,
  publishableKey,
  sellFile,
  signUp,
  storageUrl,
  uploadFile,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { payFor } from '../factories/payment.ts';
import { bootMachine } from '../harness/boot-machine.ts';
import { eventually } from '../harness/eventually.ts';
import { findProgram } from '../harness/find-program.ts';
import { findFreePort } from '../harness/free-port.ts';
import { skipWithout } from '../harness/needs.ts';
import { createPerson } from '../harness/person.ts';
import { createDataFolder } from '../harness/run-folder.ts';

const root = join(import.meta.dirname, '../..');
const unit = join(root, 'deploy/padlink.service');

const hash = (bytes: Uint8Array) => digest('sha256', bytes);

const analyze = (...words: string[]) => spawnSync('systemd-analyze', words, { encoding: 'utf8' });

test('systemd finds little in the unit that a captured Padlink could do', () => {
  if (!findProgram('systemd-analyze')) return skipWithout('systemd');
  // In tenths, of ten.
  expect(analyze('security', '--offline=true', '--threshold=25', unit)).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/Overall exposure level for padlink\.service: [012]\.\d OK/),
  });
});

test('systemd understands every line of the unit, which starts what is there', () => {
  if (!findProgram('systemd-analyze')) return skipWithout('systemd');
  const here = join(createDataFolder(), 'padlink.service');
  writeFileSync(here, readFileSync(unit, 'utf8').replaceAll('/srv/padlink', root));
  const { status, stderr } = analyze('verify', '--man=no', here);
  // Of other units of this machine it may say what it likes.
  expect(stderr.split('\n').filter((line) => line.includes('padlink.service'))).toEqual([]);
  expect(status).toBe(0);
  const [, start = ''] = /^ExecStart=\S+ (\S+)$/m.exec(readFileSync(unit, 'utf8')) ?? [];
  expect(readFileSync(join(root, start), 'utf8')).toContain("import('./run.ts')");
});

if (process.env.PADLINK_SYSTEMD) {
  test('systemd starts it, ends it without cutting a download, and starts it again', async () => {
    const installed = join(createDataFolder(), 'padlink');
    execFileSync(process.execPath, [join(root, 'scripts/package.mjs'), installed]);
    const run = await bootMachine({ mounts: { 'srv/padlink': installed } });
    const [port, sandboxPort] = [await findFreePort(), await findFreePort()];
    const origin = `http://localhost:${port}`;
    await run(`
      useradd --system --home-dir /var/lib/padlink --shell /usr/sbin/nologin padlink
      cp ${unit} /etc/systemd/system/ && install --mode=600 /dev/null /etc/padlink.env
      printf 'PORT=${port}\\nPUBLIC_URL=${origin}\\nSANDBOX_PORT=${sandboxPort}\\n' > /etc/padlink.env
      systemctl daemon-reload && systemctl enable --now padlink`);
    const ready = () =>
      eventually(async () => expect((await fetch(`${origin}/readyz`)).status).toBe(200));
    await ready();
    const analysis = await run('systemd-analyze security padlink');
    expect(Number(/[\d.]+(?= OK)/.exec(analysis)?.[0])).toBeLessThan(2.5);

    const creator = await signUp({ origin });
    // Drawn by a process that lowers its own claim to the processor.
    const picture = sharp({ create: { width: 900, height: 600, channels: 3, background: 'teal' } });
    const bytes = new Uint8Array(await picture.png().toBuffer());
    const { key } = await uploadFile(creator, { name: 'photo.png', bytes });
    const photo = await createLink(creator, { key, preview: 'blurred' });
    const SEE = 'query ($id: ID!) { getPaywallLink(id: $id) { previewFile { url } } }';
    const headers = await publishableKey(creator);
    await eventually(async () => {
      const seen = await graphql<{ getPaywallLink: unknown }>(creator, SEE, photo, headers);
      expect(seen.getPaywallLink).toMatchObject({ previewFile: { url: expect.any(String) } });
    });

    const sold = await sellFile(creator, { size: 16 * 1024 ** 2 });
    const buyer = createPerson({ origin });
    await payFor(buyer, sold.id);
    await waitUntilUnlocked(buyer, sold.id);
    const path = await storageUrl(buyer, sold.key ?? '');
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      get(path, { agent: false, family: 4 }, resolve).on('error', reject);
    });
    const main = 'systemctl show --property=MainPID padlink';
    const first = await run(main);
    await run('systemctl restart --no-block padlink');
    expect(hash(Buffer.concat(await answer.toArray()))).toBe(hash(sold.bytes));
    await eventually(async () => expect(await run(main)).not.toBe(first));
    await ready();
    expect(hash(await (await fetch(path)).bytes())).toBe(hash(sold.bytes));
    await run('systemctl stop padlink');
    expect(await run('systemctl show --property=Result --property=ExecMainStatus padlink')).toBe(
      'Result=success\nExecMainStatus=0\n',
    );
  });
}
