import sharp from 'sharp';
import { expect, test } from 'vitest';
import { COVER_TONES, drawCover } from '../../contract/drawn-cover.ts';
import { runSql } from '../errors/run-sql.ts';
import { postForm } from '../factories/cart-steps.ts';
import {
  graphql,
  readMail,
  sellFile,
  signUp,
  updateLink,
  waitUntilUnlocked,
} from '../factories/factories.ts';
import { BUYER_EMAIL, payFor } from '../factories/payment.ts';
import { signUpOperator } from '../factories/sign-up-operator.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import { createPerson, type Person } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';

describeOnSqliteFirst('in every list', (database) => {
  const app = useApp({ database, env: { OPERATOR_EMAILS: 'boss@example.com' } });

  const readHtml = async (person: Person, path: string) =>
    (await person.fetch(path, { headers: { accept: 'text/html' } })).text();
  const picture = () =>
    sharp({ create: { width: 160, height: 90, channels: 3, background: '#b5651d' } });

  test('a link has its cover, and a drawn one without it and once it was taken down', async () => {
    const operator = await signUpOperator(app);
    const seller = await signUp(app);
    await graphql(seller, 'mutation { setSellerPage(handle: "ada", links: []) }');
    const [buyer, visitor] = [createPerson(app), createPerson(app)];
    const { id } = await sellFile(seller);
    await payFor(buyer, id);
    await waitUntilUnlocked(buyer, id);
    await postForm(visitor, '/cart/add', { paywallId: id });
    const publicLists: [Person, string][] = [
      [visitor, '/explore'],
      [visitor, '/s/ada'],
      [visitor, '/cart'],
      [seller, '/dashboard'],
    ];
    const lists: [Person, string][] = [
      ...publicLists,
      [seller, '/dashboard/sales'],
      [buyer, '/purchases'],
      [operator, `/operator/links?search=${id}`],
    ];
    const { figure } = drawCover(id);
    for (const [person, path] of lists) {
      const html = await readHtml(person, path);
      expect(html, path).toContain('data-kind="File"');
      expect(html, path).toContain(`d="${figure}"`);
    }

    const body = new Uint8Array(await picture().png().toBuffer());
    const headers = { 'content-type': 'image/png' };
    await seller.fetch(`/p/${id}/cover`, { method: 'PUT', body, headers });
    for (const [person, path] of lists) {
      const html = await readHtml(person, path);
      expect(html, path).toMatch(/src="\/covers\/[0-9a-f]{32}\.webp"/);
      expect(html, path).not.toContain(`d="${figure}"`);
    }

    await runSql(app, `update link set taken_down_at = 1 where id = '${id}'`);
    for (const [person, path] of lists.slice(publicLists.length)) {
      const html = await readHtml(person, path);
      expect(html, path).not.toContain('/covers/');
      expect(html, path).toContain('data-kind="File"');
    }
  });

  test('a link and its page, its card and its receipt have the same ground', async () => {
    const seller = await signUp(app);
    const buyer = createPerson(app);
    const { id } = await sellFile(seller);
    await updateLink(seller, { id, title: 'Notes' });
    const { ground } = drawCover(id);
    expect(COVER_TONES).toContain(ground);
    expect(await readHtml(buyer, `/p/${id}`)).toContain(`color="light-dark(${ground.join()})"`);
    const card = await buyer.fetch(`/p/${id}/card.png`);
    const { data, info } = await sharp(await card.bytes())
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    // The picture has few colors, each as near as they come.
    const wanted = Buffer.from((ground[0] ?? '').slice(1), 'hex');
    const isGround = (at: number) =>
      wanted.every((value, channel) => Math.abs(value - (data[at + channel] ?? 0)) < 8);
    const panel = Array.from({ length: 400 * 500 }, (_, place) => {
      const [x, y] = [60 + (place % 400), 60 + Math.floor(place / 400)];
      return (y * info.width + x) * info.channels;
    });
    expect(panel.filter(isGround).length).toBeGreaterThan(panel.length / 20);
    await payFor(buyer, id);
    const { html } = await readMail(app, BUYER_EMAIL, /Notes/);
    expect(html).toContain(`background:${ground[0]}`);
  });
});
