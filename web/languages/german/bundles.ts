/** Where several links are sold as one. */
export const BUNDLES = {
  'New bundle': 'Neues Paket',
  'Edit bundle': 'Paket bearbeiten',
  'Sell several of your links as one.': 'Verkaufen Sie mehrere Ihrer Links zusammen.',
  'Creating a bundle requires JavaScript, which is turned off in this browser.':
    'Um ein Paket zu erstellen, wird JavaScript benötigt, das in diesem Browser ausgeschaltet ist.',
  'You have no such bundle.': 'Ein solches Paket haben Sie nicht.',
  'A bundle needs at least two links. Create those first.':
    'Ein Paket besteht aus mindestens zwei Links. Erstellen Sie zuerst diese.',
  'Anyone who bought this bundle keeps what was in it at the time.':
    'Wer dieses Paket gekauft hat, behält, was damals darin war.',
  'Create bundle': 'Paket erstellen',
  'Links in this bundle': 'Links in diesem Paket',
  'Choose at least two links.': 'Wählen Sie mindestens zwei Links aus.',
  'Choose at most {count} links.': 'Wählen Sie höchstens {count} Links aus.',
  '{price} if bought separately.': '{price} bei einzelnem Kauf.',
} as const;
