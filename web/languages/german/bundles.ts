/** Where several links are sold as one. */
export const BUNDLES = {
  'New bundle': 'Neues Paket',
  'Edit bundle': 'Paket bearbeiten',
  'Sell several of your links as one.': 'Verkaufen Sie mehrere Ihrer Links zusammen.',
  'Making a bundle requires JavaScript, which is turned off in this browser.':
    'Um ein Paket zu erstellen, wird JavaScript benötigt, das in diesem Browser ausgeschaltet ist.',
  'You have no such bundle.': 'Ein solches Paket haben Sie nicht.',
  'A bundle is made of at least two links. Make those first.':
    'Ein Paket besteht aus mindestens zwei Links. Erstellen Sie zuerst diese.',
  'Whoever has bought this bundle keeps what was in it then.':
    'Wer dieses Paket gekauft hat, behält, was damals darin war.',
  'Make the bundle': 'Paket erstellen',
  'Links in this bundle': 'Links in diesem Paket',
  'Choose at least two links.': 'Wählen Sie mindestens zwei Links aus.',
  'Choose at most {count} links.': 'Wählen Sie höchstens {count} Links aus.',
  '{price} when each is bought by itself.': '{price} bei einzelnem Kauf.',
} as const;
