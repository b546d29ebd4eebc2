import { expect, test } from 'vitest';
import { describeOnBothDatabases } from '../../tests/harness/on-both-databases.ts';
import { useFileStores } from './file-stores.test.support.ts';
import { reserveLinkId } from './link-id.ts';

describeOnBothDatabases('a link id', (database) => {
  const files = useFileStores(database);
  const reserve = (ownerId: string, id?: string | null) =>
    reserveLinkId(files.db, { ownerId, id }, 1);

  test('is like the first segment of a random UUID when none is wanted: 8 hexadecimal digits, each left to chance', async () => {
    const ids = await Promise.all(
      Array.from({ length: 50 }, (_, count) => reserve('ada', count % 2 ? null : undefined)),
    );
    expect(new Set(ids).size).toBe(50);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}$/);
    // 50 random digits have fewer than 6 values once in 10^20 runs; those of a clock or a counter, one.
    for (let place = 0; place < 8; place += 1) {
      expect(new Set(ids.map((id) => id[place])).size).toBeGreaterThan(5);
    }
  });

  test('may be wanted, and stays its owner’s', async () => {
    await expect(reserve('ada', '00000001')).resolves.toBe('00000001');
    await expect(reserve('ada', '00000001')).resolves.toBe('00000001');
    await expect(reserve('eve', '00000001')).rejects.toMatchObject({ code: 'LINK_ID_TAKEN' });
  });

  test.each([
    '',
    'ABCDEF01',
    '1234567',
    '123456789',
    'ghijklmn',
    '../../et',
    '0000000\n',
    'ａｂｃｄｅｆ０１',
  ])('is not %j', async (id) => {
    await expect(reserve('ada', id)).rejects.toMatchObject({ code: 'INVALID_LINK_ID' });
  });

  test('goes to one of many who want it at once', async () => {
    const owners = Array.from({ length: 20 }, (_, number) => `owner-${number}`);
    const answers = await Promise.allSettled(owners.map((owner) => reserve(owner, '00000002')));
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('is never given out again once its link was deleted', async () => {
    await reserve('ada', '00000003');
    await files.db
      .insertInto('link')
      .values({
        id: '00000003',
        owner_id: 'ada',
        type: 'link',
        title: null,
        key: null,
        url: 'https://example.com/',
        price_cents: 100,
        unlocked: 0,
        paused: 0,
        size_bytes: null,
        media_type: null,
        content_version: 1,
        version: 1,
        created_at: 1,
        updated_at: 2,
        deleted_at: 2,
        taken_down_at: null,
      })
      .execute();
    for (const owner of ['ada', 'eve']) {
      await expect(reserve(owner, '00000003')).rejects.toMatchObject({ code: 'LINK_ID_TAKEN' });
    }
  });
});
