/** How sellers bring their links to others. */
export const SHARING = {
  'Your paywall link:': 'Ihr Bezahllink:',
  'your paywall link': 'Ihr Bezahllink',
  'Send by email': 'Per E-Mail senden',
  'Send by WhatsApp': 'Per WhatsApp senden',
  WhatsApp: 'WhatsApp',
  'Post on X': 'Auf X posten',
  'A link for you': 'Ein Link für Sie',
  'QR code': 'QR-Code',
  'QR code of your paywall link': 'QR-Code Ihres Bezahllinks',
  'For posters, slides and flyers.': 'Für Plakate, Folien und Flyer.',
  'The QR code could not be drawn.': 'Der QR-Code konnte nicht gezeichnet werden.',
  'Download as': 'Herunterladen als',
  Cover: 'Titelbild',
  'Add a cover': 'Titelbild hinzufügen',
  'Remove cover': 'Titelbild entfernen',
  'Saved. Buyers now see the new cover.': 'Gespeichert. Käufer sehen jetzt das neue Titelbild.',
  'Removed. Buyers now see your link’s own key instead.':
    'Entfernt. Käufer sehen stattdessen jetzt den eigenen Schlüssel Ihres Links.',
  'On your own site': 'Auf Ihrer eigenen Website',
  'Paste one of these where you want the button.':
    'Fügen Sie eines davon dort ein, wo die Schaltfläche stehen soll.',
  Button: 'Schaltfläche',
  'Works everywhere, and stays as you paste it.':
    'Funktioniert überall und bleibt so, wie Sie sie einfügen.',
  'Button that stays up to date': 'Schaltfläche, die aktuell bleibt',
  'Always shows the current title and price. No cookies or third parties.':
    'Zeigt immer den aktuellen Titel und Preis. Ohne Cookies und ohne Dritte.',
  'HTML of: {title}': 'HTML: {title}',
} as const;
