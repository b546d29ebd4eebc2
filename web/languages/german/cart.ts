/** What is about to be paid together. */
export const CART = {
  'Your cart': 'Ihr Warenkorb',
  'Explore what is sold here': 'Angebot entdecken',
  'There is nothing in it. Add a link from its page.':
    'Er ist leer. Legen Sie einen Link von dessen Seite aus hinein.',
  'Nothing in it can be bought at the moment.': 'Nichts davon kann zurzeit gekauft werden.',
  '1 link to pay for.': '1 Link zu bezahlen.',
  '{count} links to pay for.': '{count} Links zu bezahlen.',
  '{count} cannot be bought.': '{count} nicht erhältlich.',
  'One link to pay for.': 'Ein Link zu bezahlen.',
  '{count} links, paid for together.': '{count} Links, die zusammen bezahlt werden.',
  'Sold by {seller}': 'Verkauft von {seller}',
  'It costs {price} now. It was {seen} when you added it.':
    'Der Preis ist jetzt {price}. Als Sie den Link hineinlegten, waren es {seen}.',
  'Instead of': 'Statt',
  Remove: 'Entfernen',
  Total: 'Gesamt',
  'One card payment instead of {count}.': 'Eine Kartenzahlung statt {count}.',
  no: 'keiner',
  one: 'einer',
  two: 'zwei',
  three: 'drei',
  four: 'vier',
  five: 'fünf',
  six: 'sechs',
  seven: 'sieben',
  eight: 'acht',
  nine: 'neun',
  'Together: {together} instead of {apart} reach the seller.':
    'Zusammen erhält der Anbieter {together} statt {apart}.',
  'Together: {together} instead of {apart} reach the sellers.':
    'Zusammen erhalten die Anbieter {together} statt {apart}.',
  'Check out': 'Zur Kasse',
  'Checking out...': 'Weiter zur Kasse …',
  'You pay by card, and no account is needed. A receipt with a personal link to each comes by email.':
    'Sie bezahlen mit Karte und brauchen kein Konto. Ein Beleg mit einem persönlichen Link zu jedem Kauf kommt per E-Mail.',
} as const;
