/** What several pages say. */
export const UI = {
  'Paid link {id}': 'Bezahllink {id}',
  'by {name}': 'von {name}',
  'this link': 'diesen Link',
  Copy: 'Kopieren',
  Copied: 'Kopiert',
  'Not copied': 'Nicht kopiert',
  Code: 'Code',
  Pages: 'Seiten',
  'Try again': 'Erneut versuchen',
  '{what} could not be loaded.': '{what} konnten nicht geladen werden.',
  'Send the receipt again': 'Beleg erneut senden',
  'Send the receipt again: {name}': 'Beleg erneut senden: {name}',
  'The receipt is on its way.': 'Der Beleg ist unterwegs.',
  'Sending...': 'Wird gesendet …',
  'Too many attempts. Please wait a moment and try again.':
    'Zu viele Versuche. Bitte warten Sie einen Moment und versuchen Sie es dann erneut.',
  'Something went wrong. Please try again.':
    'Etwas ist schiefgegangen. Bitte versuchen Sie es erneut.',
  'The server could not be reached. Check your connection and try again.':
    'Der Server ist nicht erreichbar. Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.',
  'Your payment was returned, so your access has ended.':
    'Ihre Zahlung wurde erstattet, daher ist Ihr Zugang beendet.',
  'Your access is on hold while your bank reviews the dispute.':
    'Ihr Zugang ist ausgesetzt, solange Ihre Bank die Beanstandung prüft.',
  'Your payment is being processed; we will e-mail you.':
    'Ihre Zahlung wird bearbeitet; wir schicken Ihnen eine E-Mail.',
  'It is not available at the moment.': 'Er ist zurzeit nicht verfügbar.',
  '{share} plus {price}': '{share} zuzüglich {price}',
} as const;
