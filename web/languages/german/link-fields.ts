/** What sellers say of a link, wherever it is made or changed. */
export const LINK_FIELDS = {
  'Title (optional)': 'Titel (optional)',
  'Shown to buyers, in lists of links and on receipts.':
    'Für Käufer sichtbar, in Linklisten und auf Belegen.',
  'Description (optional)': 'Beschreibung (optional)',
  'Price (USD)': 'Preis (USD)',
  'Buyers pay {price}.': 'Käufer bezahlen {price}.',
  'Buyers pay {price} plus taxes.': 'Käufer bezahlen {price} zuzüglich Steuern.',
  'You receive {price}.': 'Sie erhalten {price}.',
  'You receive {price}: the fee of {fee} takes all of it.':
    'Sie erhalten {price}: Die Gebühr von {fee} zehrt alles auf.',
  '{price} or more, because cards cannot be charged less.':
    '{price} oder mehr, weil Karten nicht mit weniger belastet werden können.',
  'The fee is {fee} per sale.': 'Die Gebühr beträgt {fee} pro Verkauf.',
  'Smallest price (optional)': 'Kleinster Preis (optional)',
  'Buyers name the price, from this one on, and the price above is suggested. With 0, they may pay nothing. Empty: the price is fixed.':
    'Käufer nennen den Preis, mindestens diesen, und der Preis oben wird vorgeschlagen. Bei 0 dürfen sie auch nichts zahlen. Leer: Der Preis ist fest.',
  'Copies to sell (optional)': 'Verkäufliche Exemplare (optional)',
  'Empty: any number.': 'Leer: beliebig viele.',
  'Last day of sale (optional)': 'Letzter Verkaufstag (optional)',
  'In UTC. Empty: no end.': 'In UTC. Leer: ohne Ende.',
  Unlisted: 'Nicht gelistet',
  'Kept out of Explore and search engines. Anyone with the address can still open it.':
    'Erscheint weder unter „Entdecken“ noch in Suchmaschinen. Wer die Adresse hat, kann den Link weiterhin öffnen.',
  'Tell buyers': 'Käufer informieren',
  'Emails those who asked for it, if the content has changed.':
    'Sendet denen, die darum gebeten haben, eine E-Mail, wenn sich der Inhalt geändert hat.',
} as const;
