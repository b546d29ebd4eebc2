import { createLink, graphql, signUp, uploadFile } from '../../tests/factories/factories.ts';
import { payFor } from '../../tests/factories/payment.ts';
import { createPerson, type Person, readJson } from '../../tests/harness/person.ts';
import { type Cover, drawCover } from './draw-cover.ts';

interface Good {
  /** The name of a file, or else a web address. */
  file?: string;
  url?: string;
  title: string;
  description?: string;
  /** Cents. */
  price: number;
  cover?: Cover;
}

const SHOP: { firstName: string; email: string; seller: string; goods: Good[] }[] = [
  {
    firstName: 'Ada',
    email: 'ada@example.com',
    seller: 'Ada’s study room',
    goods: [
      {
        file: 'organic-chemistry-study-pack.pdf',
        title: 'Organic chemistry study pack',
        description:
          'Eighty pages on one term: every mechanism drawn out, with the questions that came up in the last five exams and worked answers.',
        price: 300,
        cover: 'molecule',
      },
      { file: 'flashcards.zip', title: '240 flashcards for the finals', price: 199 },
    ],
  },
  {
    firstName: 'Björn',
    email: 'bjorn@example.com',
    seller: 'Björn Åkesson',
    goods: [
      {
        file: 'late-night-stems.wav',
        title: 'Late Night: stems and project file',
        description: 'All 24 stems at 96 kHz, the project file and the presets.',
        price: 500,
        cover: 'wave',
      },
      {
        url: 'https://example.com/masterclass',
        title: 'Mixing masterclass, 40 minutes',
        price: 450,
      },
    ],
  },
  {
    firstName: '美咲',
    email: 'misaki@example.com',
    seller: '美咲コーチング',
    goods: [
      {
        file: 'toolkit.docx',
        title: 'Coaching toolkit: 12 worksheets',
        description: 'For the first six sessions with someone new.',
        price: 250,
        cover: 'steps',
      },
    ],
  },
];

export interface Shop {
  creators: (Person & { email: string; firstName: string })[];
  linkIds: string[];
  /** Who bought one of each. */
  buyer: Person;
}

/** A few creators with links and sales, made through the public interfaces. */
export async function openShop(app: { origin: string }): Promise<Shop> {
  const shop: Shop = { creators: [], linkIds: [], buyer: createPerson(app) };
  for (const { firstName, email, seller, goods } of SHOP) {
    const creator = await signUp(app, { firstName, email });
    shop.creators.push(creator);
    await graphql(creator, 'mutation ($name: String) { setSellerName(name: $name) }', {
      name: seller,
    });
    for (const { file, url, cover, ...words } of goods) {
      const bytes = new Uint8Array(200_000 + words.title.length * 10_000).fill(words.title.length);
      const content = file
        ? { type: 'file', key: (await uploadFile(creator, { name: file, bytes })).key }
        : { type: 'link', url };
      const link = await createLink(creator, { ...content, ...words });
      shop.linkIds.push(link.id);
      if (cover) await putCover(creator, link.id, cover);
      await payFor(shop.buyer, link.id);
    }
  }
  return shop;
}

async function putCover(creator: Person, linkId: string, cover: Cover): Promise<void> {
  const body = new Uint8Array(await drawCover(cover));
  const headers = { 'content-type': 'image/png' };
  await readJson(await creator.fetch(`/p/${linkId}/cover`, { method: 'PUT', body, headers }));
}
