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
  'Minimum price (optional)': 'Mindestpreis (optional)',
  'Let buyers pay what they want, from this amount. The price above is suggested. Leave blank for a fixed price.':
    'Käufer zahlen, was sie möchten, ab diesem Betrag. Der Preis oben wird vorgeschlagen. Für einen festen Preis leer lassen.',
  'Copies to sell (optional)': 'Verkäufliche Exemplare (optional)',
  'Leave blank for unlimited.': 'Leer lassen für unbegrenzt viele.',
  'Last day of sale (optional)': 'Letzter Verkaufstag (optional)',
  'UTC. Leave blank for no end date.': 'UTC. Leer lassen, wenn es kein Ende gibt.',
  Unlisted: 'Nicht gelistet',
  'Kept out of Explore and search engines. Anyone with the link can still open it.':
    'Erscheint weder unter „Entdecken“ noch in Suchmaschinen. Wer den Link hat, kann ihn weiterhin öffnen.',
  'Tell buyers': 'Käufer informieren',
  'Emails the buyers who asked to be told, if the content has changed.':
    'Sendet den Käufern, die darum gebeten haben, eine E-Mail, wenn sich der Inhalt geändert hat.',
} as const;
