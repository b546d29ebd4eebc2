import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLink, PASSWORD, signUp, uploadFile } from '../tests/factories.ts';
import { payFor } from '../tests/payment.ts';
import { createPerson } from '../tests/person.ts';

process.env['NODE_ENV'] ??= 'production';
const { run } = await import('../server/run.ts');

const SHOP = [
  {
    firstName: 'Ada',
    goods: [
      { file: 'organic-chemistry-study-pack.pdf', title: 'Organic chemistry study pack', price: 300 },
      { file: 'flashcards.zip', title: '240 flashcards for the finals', price: 199 },
    ],
  },
  {
    firstName: 'Björn',
    goods: [
      { file: 'late-night-stems.wav', title: 'Late Night: stems and project file', price: 500 },
      { url: 'https://example.com/masterclass', title: 'Mixing masterclass, 40 minutes', price: 450 },
    ],
  },
  {
    firstName: '美咲',
    goods: [{ file: 'toolkit.docx', title: 'Coaching toolkit: 12 worksheets', price: 250 }],
  },
];

/** Padlink on a throwaway data folder, with a few creators, links and sales in it. */
async function demo(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'padlink-demo-'));
  process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }));
  const port = process.env['PORT'] ?? '3000';
  const origin = `http://localhost:${port}`;
  await run({ PORT: port, DATA_DIR: dataDir, LOG_LEVEL: 'warn' });
  const buyer = createPerson({ origin });
  for (const { firstName, goods } of SHOP) {
    const creator = await signUp({ origin }, { firstName });
    for (const { file, url, title, price } of goods) {
      const bytes = new Uint8Array(200_000 + title.length * 10_000).fill(title.length);
      const content = file
        ? { type: 'file', key: (await uploadFile(creator, { name: file, bytes })).key }
        : { type: 'link', url };
      const link = await createLink(creator, { ...content, title, price });
      await payFor(buyer, link.id);
    }
    console.log(`  Sign in as ${firstName}: ${creator.email}  ${PASSWORD}`);
  }
  console.log('\n  All of it is gone when you stop the demo (Ctrl-C).\n');
}

await demo();
