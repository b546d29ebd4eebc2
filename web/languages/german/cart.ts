/** What is about to be paid together. */
export const CART = {
  'Your cart': 'Ihr Warenkorb',
  'Explore what is sold here': 'Angebot entdecken',
  'Continue shopping': 'Weiter einkaufen',
  'Your cart is empty.': 'Ihr Warenkorb ist leer.',
  'Nothing in your cart can be bought at the moment.':
    'Nichts in Ihrem Warenkorb kann zurzeit gekauft werden.',
  '1 link to pay for.': '1 Link zu bezahlen.',
  '{count} links to pay for.': '{count} Links zu bezahlen.',
  '{count} cannot be bought.': '{count} nicht erhältlich.',
  'One link to pay for.': 'Ein Link zu bezahlen.',
  '{count} links, one payment.': '{count} Links, eine Zahlung.',
  'There is nothing to pay.': 'Es ist nichts zu bezahlen.',
  'What is free stays in this browser, or in your account if you are signed in.':
    'Was kostenlos ist, bleibt in diesem Browser oder, wenn Sie angemeldet sind, in Ihrem Konto.',
  'Sold by {seller}': 'Verkauft von {seller}',
  'The price is now {price}. It was {seen} when you added it.':
    'Der Preis ist jetzt {price}. Als Sie den Link hineinlegten, waren es {seen}.',
  'Instead of': 'Statt',
  Remove: 'Entfernen',
  Total: 'Gesamt',
  'Paying once saves a fee: the seller receives {together} instead of {apart}.':
    'Einmal bezahlen spart eine Gebühr: Der Anbieter erhält {together} statt {apart}.',
  'Paying once saves a fee: the sellers receive {together} instead of {apart}.':
    'Einmal bezahlen spart eine Gebühr: Die Anbieter erhalten {together} statt {apart}.',
  'Check out': 'Zur Kasse',
  'Checking out...': 'Weiter zur Kasse …',
  'Pay by card, no account needed. We email you a receipt with a personal link to each purchase.':
    'Sie bezahlen mit Karte und brauchen kein Konto. Wir senden Ihnen per E-Mail einen Beleg mit einem persönlichen Link zu jedem Kauf.',
} as const;
