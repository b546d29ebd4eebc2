import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import {
  graphql,
  PASSWORD,
  readBalance,
  sellFile,
  storageUrl,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { payFor } from '../factories/payment.ts';
import { bootMachine } from '../harness/boot-machine.ts';
import { eventually } from '../harness/eventually.ts';
import { startMailServer } from '../harness/mail-server.ts';
import { createPerson, postJson, readJson } from '../harness/person.ts';
import { createDataFolder } from '../harness/run-folder.ts';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/first-server.md'), 'utf8');
const commands = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block = '']) =>
  block.trim().split('\n'),
);

test('the page for a first server has at most twelve commands', () => {
  expect(commands.length).toBeLessThanOrEqual(12);
  expect(commands.length).toBeGreaterThan(8);
});

/** Done to the bare Debian, or left out: they need the network or somebody at a terminal, or change this machine. */
const NOT_RUN = /^(apt-get|ufw|nano)\b/;
const NETWORK = `export npm_config_cafile=/etc/ssl/certs/ca-certificates.crt`;
const ORIGIN = 'https://localhost';

// In FOLDER: debootstrap --variant=minbase --include=systemd,systemd-sysv,dbus,procps trixie FOLDER, and then, by
// chroot, the page's first command.
if (process.env.PADLINK_DEBIAN) {
  test('a bare Debian sells by its commands, is backed up, upgraded, and goes back', {
    timeout: 600_000,
  }, async () => {
    const repository = createDataFolder();
    execFileSync('git', ['clone', '--quiet', '--bare', root, repository]);
    const run = await bootMachine({
      files: process.env.PADLINK_DEBIAN ?? '',
      mounts: { 'srv/repository': repository, 'etc/ssl/certs': '/etc/ssl/certs' },
    });
    const account = {
      email: 'ada@example.com',
      password: PASSWORD,
      name: 'Ada',
      firstName: 'Ada',
    };
    const mail = await startMailServer();
    onTestFinished(mail.stop);
    let folder = '/';
    const follow = async (command: string) => {
      const here = command
        .replace('ADDRESS', 'file:///srv/repository')
        .replace('pay.example.com', 'localhost')
        .replace('you@example.com', 'ada@example.com');
      // Each line of the page goes on in the folder of the one before.
      const said = await run(`${NETWORK}\ncd ${folder}\n${here}\npwd >/tmp/folder`);
      folder = (await run('cat /tmp/folder')).trim();
      return said;
    };
    const isReady = () =>
      eventually(async () => expect((await fetch(`${ORIGIN}/readyz`)).status).toBe(200), {
        timeoutMs: 60_000,
      });

    for (const command of commands.filter((line) => !NOT_RUN.test(line))) {
      // With the sandbox, which starts with Padlink, the page leaves it out.
      if (command.startsWith('padlink stripe')) continue;
      if (command === 'systemctl start padlink') {
        await run(`systemctl start caddy
          certificate=/var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt
          for second in $(seq 30); do [ -e $certificate ] && break; sleep 1; done
          install --mode=644 $certificate /etc/caddy-root.crt
          sed -i 's/^OPERATOR_EMAILS=$/&ada@example.com/; s/^PAYOUTS=$/&solo/;
            s|^SMTP_URL=$|&${mail.url}?requireTLS=false|; s/^MAIL_FROM=$/&"Ada <shop@example.com>"/' /etc/padlink.env
          echo NODE_EXTRA_CA_CERTS=/etc/caddy-root.crt >> /etc/padlink.env`);
        const authority = await run('cat /etc/caddy-root.crt');
        setDefaultCACertificates([...getCACertificates(), authority]);
      }
      const said = await follow(command);
      if (command.includes('doctor')) {
        expect(said).toContain(`${ORIGIN} leads to this installation.`);
        expect(said).toContain('The certificate of localhost is valid');
        expect(said).toContain('Uploads reach Padlink while they are sent.');
        expect(mail.mailsTo(account.email)).not.toEqual([]);
      }
    }
    expect(await run('stat --format=%a:%U /etc/padlink.env /var/backups/padlink')).toBe(
      '600:root\n700:padlink\n',
    );
    expect(await run('systemctl is-active padlink-backup.timer')).toBe('active\n');

    const seller = createPerson({ origin: ORIGIN });
    await readJson(await postJson(seller, '/api/auth/sign-up/email', account));
    const code = { email: account.email, otp: await mail.readCode(account.email) };
    await readJson(await postJson(seller, '/api/auth/email-otp/verify-email', code));
    const mailed = mail.mailsTo(account.email).length;
    await graphql(seller, 'mutation { sendMailCode }');
    await eventually(() => expect(mail.mailsTo(account.email)).toHaveLength(mailed + 1));
    await graphql(seller, 'mutation ($code: String!) { confirmMailCode(code: $code) }', {
      code: await mail.readCode(account.email),
    });
    const { examineSetup: found } = await graphql<{ examineSetup: object[] }>(
      seller,
      '{ examineSetup { name state } }',
    );
    for (const name of ['webhook', 'mail', 'backup', 'payouts']) {
      expect(found).toContainEqual({ name, state: 'ok' });
    }
    const sold = await sellFile(seller, { price: 300 });
    const buyer = createPerson({ origin: ORIGIN });
    await payFor(buyer, sold.id);
    await waitUntilUnlocked(buyer, sold.id);
    const download = async () =>
      new Uint8Array(await (await fetch(await storageUrl(buyer, sold.key ?? ''))).arrayBuffer());
    expect(await download()).toEqual(sold.bytes);
    const balance = await readBalance(seller);

    const pack = () => run(`${NETWORK}\ncd /opt/padlink && npm run package -- /srv/padlink-new`);
    await pack();
    expect(await run('/srv/padlink-new/deploy/upgrade')).toContain('Done.');
    expect(await run('ls /srv')).toBe('padlink\npadlink-old\nrepository\n');
    expect(await readBalance(seller)).toBe(balance);

    await pack();
    // Each start makes a copy and then a mess, as one migration after the other can.
    await run(`cat > /srv/padlink-new/server/main.mjs <<'END'
import { copyFileSync, existsSync, writeFileSync } from 'node:fs';
const file = process.env.DATA_DIR + '/padlink.sqlite';
const copies = [998, 999].map((number) => process.env.DATA_DIR + '/padlink-before-' + number + '.sqlite');
const next = copies.find((copy) => !existsSync(copy));
if (next) copyFileSync(file, next);
writeFileSync(file, 'damaged');
throw new Error('It cannot start.');
END`);
    const said = await run('/srv/padlink-new/deploy/upgrade 2>&1 || echo "refused: $?"');
    expect(said).toContain('It cannot start.');
    expect(said).toMatch(/The earlier one runs again, as before\.\nrefused: 1\n$/);
    await isReady();
    expect(await readBalance(seller)).toBe(balance);
    expect(await download()).toEqual(sold.bytes);
    await run('padlink ledger check');
    expect(await run(`padlink '$PATH' 2>&1 || true`)).toContain('$PATH');
  });
}
