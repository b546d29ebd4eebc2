/** The page of a link. */
export const PAYWALL = {
  'Paywalled Content': 'Kostenpflichtiger Inhalt',
  Offer: 'Angebot',
  'This content is locked behind a paywall. Click the button below to unlock access.':
    'Dieser Inhalt ist kostenpflichtig. Klicken Sie auf die Schaltfläche, um ihn freizuschalten.',
  'This content is unlocked for you.': 'Dieser Inhalt ist für Sie freigeschaltet.',
  'You created this link, so you unlock it without paying.':
    'Sie haben diesen Link erstellt und schalten ihn daher ohne Bezahlung frei.',
  'The creator has paused this link. It cannot be bought at the moment.':
    'Der Anbieter hat diesen Link pausiert. Er kann zurzeit nicht gekauft werden.',
  'This link cannot be shown at the moment. Please try again.':
    'Dieser Link kann zurzeit nicht angezeigt werden. Bitte versuchen Sie es erneut.',
  'Your payment did not go through. Nothing was charged.':
    'Ihre Zahlung ist fehlgeschlagen. Es wurde nichts abgebucht.',
  'You did not finish the checkout. Nothing was charged.':
    'Sie haben den Bezahlvorgang nicht abgeschlossen. Es wurde nichts abgebucht.',
  'Unlock Now': 'Jetzt freischalten',
  'Unlocking...': 'Wird freigeschaltet …',
  'An error occurred while unlocking.': 'Beim Freischalten ist ein Fehler aufgetreten.',
  Open: 'Öffnen',
  Download: 'Herunterladen',
  'Starting...': 'Wird gestartet …',
  'Opening...': 'Wird geöffnet …',
  'Open {name}': '{name} öffnen',
  'all files': 'aller Dateien',
  'Download all (ZIP)': 'Alle herunterladen (ZIP)',
  'Check your download (SHA-256)': 'Download prüfen (SHA-256)',
  'The download of {name} is starting.': 'Der Download ({name}) beginnt.',
  'Signed receipt': 'Signierter Beleg',
  'You bought version {numbers}': 'Sie haben Version {numbers} gekauft',
  ' and ': ' und ',
  'Version {number} is available': 'Version {number} ist verfügbar',
  'It is yours too, at no charge.': 'Sie gehört Ihnen ebenfalls, ohne Aufpreis.',
  'Open version {number}': 'Version {number} öffnen',
  'Name your price, or pay nothing. No account needed.':
    'Nennen Sie Ihren Preis oder zahlen Sie nichts. Kein Konto nötig.',
  'Free to open, no account needed.': 'Kostenlos, kein Konto nötig.',
  '{price} or more': '{price} oder mehr',
  'Unlock for {price}. {checkout}, no account needed.':
    'Für {price} freischalten. {checkout}, kein Konto nötig.',
  'Sold by': 'Verkauft von',
  'You get': 'Sie erhalten',
  'What happens next': 'So geht es weiter',
  'You pay on a test page and come back here; a button takes you to what you bought.':
    'Sie bezahlen auf einer Testseite und kommen hierher zurück; eine Schaltfläche führt Sie zum Gekauften.',
  'You pay on a test page and come back here; the download begins by itself.':
    'Sie bezahlen auf einer Testseite und kommen hierher zurück; der Download beginnt von selbst.',
  'You pay on Stripe’s page and come back here; a button takes you to what you bought.':
    'Sie bezahlen auf der Seite von Stripe und kommen hierher zurück; eine Schaltfläche führt Sie zum Gekauften.',
  'You pay on Stripe’s page and come back here; the download begins by itself.':
    'Sie bezahlen auf der Seite von Stripe und kommen hierher zurück; der Download beginnt von selbst.',
  'You pay on a test page and come back here; each part opens on its own page.':
    'Sie bezahlen auf einer Testseite und kommen hierher zurück; jeder Teil öffnet sich auf seiner eigenen Seite.',
  'You pay on Stripe’s page and come back here; each part opens on its own page.':
    'Sie bezahlen auf der Seite von Stripe und kommen hierher zurück; jeder Teil öffnet sich auf seiner eigenen Seite.',
  'In this bundle': 'In diesem Paket',
  'All of it is yours. Each part opens on its own page.':
    'Alles davon gehört Ihnen. Jeder Teil öffnet sich auf seiner eigenen Seite.',
  '{price} instead of {singly} for each by itself.':
    '{price} statt {singly} für alle Teile einzeln.',
  'Yours already': 'Gehört Ihnen schon',
  'No account needed': 'Kein Konto nötig',
  'All sales final': 'Alle Verkäufe sind endgültig',
  'Secure checkout by Stripe': 'Sichere Zahlung über Stripe',
  'Test checkout: no real money moves': 'Testzahlung: Es fließt kein echtes Geld',
  Preview: 'Vorschau',
  'Part of the content': 'Ein Teil des Inhalts',
  'More from {seller}': 'Mehr von {seller}',
  'Explore other links': 'Andere Links entdecken',
  '{count} left': 'Noch {count} verfügbar',
  'on sale until {day}': 'erhältlich bis {day}',
  'Add to cart': 'In den Warenkorb',
  'Buy it as a gift': 'Als Geschenk kaufen',
  'Buy it for yourself': 'Für sich selbst kaufen',
  'A gift': 'Ein Geschenk',
  'Go to the checkout': 'Zum Bezahlvorgang',
  'Once you have paid, we email a personal link to the recipient, and a receipt to you.':
    'Nach der Zahlung senden wir einen persönlichen Link an den Empfänger und den Beleg an Sie.',
  'Recipient’s email address': 'E-Mail-Adresse des Empfängers',
  'Message (optional)': 'Nachricht (optional)',
  'Your price (USD)': 'Ihr Preis (USD)',
  '{price} or more, or 0 to pay nothing.': '{price} oder mehr, oder 0, um nichts zu zahlen.',
  '{price} or more.': '{price} oder mehr.',
  'Have a discount code?': 'Rabattcode eingeben',
  'Discount code': 'Rabattcode',
  Apply: 'Einlösen',
  '{saved} off the usual price of {price}.': '{saved} Rabatt auf den üblichen Preis von {price}.',
  'This is a preview: a buyer would go to the checkout now.':
    'Dies ist eine Vorschau: Ein Käufer käme jetzt zum Bezahlvorgang.',
  'This is a preview: a buyer would go to their cart now.':
    'Dies ist eine Vorschau: Ein Käufer käme jetzt zu seinem Warenkorb.',
  'This is what a buyer sees.': 'Das sieht ein Käufer.',
  'Back to your link': 'Zurück zu Ihrem Link',
  'Your link': 'Ihr Link',
  Edit: 'Bearbeiten',
  'Preview as a buyer': 'Als Käufer ansehen',
  Report: 'Melden',
  'Report this link': 'Diesen Link melden',
} as const;
