import { createLink, signUp, uploadFile } from '../../tests/factories.ts';
import { payFor } from '../../tests/payment.ts';
import { createPerson, type Person } from '../../tests/person.ts';

const SHOP = [
  {
    firstName: 'Ada',
    goods: [
      {
        file: 'organic-chemistry-study-pack.pdf',
        title: 'Organic chemistry study pack',
        price: 300,
      },
      { file: 'flashcards.zip', title: '240 flashcards for the finals', price: 199 },
    ],
  },
  {
    firstName: 'Björn',
    goods: [
      { file: 'late-night-stems.wav', title: 'Late Night: stems and project file', price: 500 },
      {
        url: 'https://example.com/masterclass',
        title: 'Mixing masterclass, 40 minutes',
        price: 450,
      },
    ],
  },
  {
    firstName: '美咲',
    goods: [{ file: 'toolkit.docx', title: 'Coaching toolkit: 12 worksheets', price: 250 }],
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
  for (const { firstName, goods } of SHOP) {
    const creator = await signUp(app, { firstName });
    shop.creators.push(creator);
    for (const { file, url, title, price } of goods) {
      const bytes = new Uint8Array(200_000 + title.length * 10_000).fill(title.length);
      const content = file
        ? { type: 'file', key: (await uploadFile(creator, { name: file, bytes })).key }
        : { type: 'link', url };
      const link = await createLink(creator, { ...content, title, price });
      shop.linkIds.push(link.id);
      await payFor(shop.buyer, link.id);
    }
  }
  return shop;
}
