import { fitUnits } from '../../../contract/characters.ts';
import type { PushTexts } from '../../../contract/mails.ts';
import { inLanguage } from '../../languages/in-language.ts';
import { say } from '../../languages/say.ts';
import { formatPrice, nameLink } from '../../lib/format.ts';

/** What sellers' browsers show, in the few kilobytes of a message. Of the buyer it says nothing. */
export const pushTexts: PushTexts = {
  sale: ({ language, title, linkId: id, netCents }) =>
    inLanguage(language, () => ({
      title: say('You made a sale'),
      body: say('You sold “{item}”: {price}', {
        item: fitUnits(nameLink({ id, title }), 250),
        price: formatPrice(netCents),
      }),
    })),
  sales: ({ language, sales, netCents }) =>
    inLanguage(language, () => ({
      title: say('You made many sales'),
      body: say('You made {count} sales within an hour: {price}', {
        count: sales,
        price: formatPrice(netCents),
      }),
    })),
};
