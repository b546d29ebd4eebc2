/** What a visitor reports, and what was taken down. */
export const MODERATION = {
  'Your report was sent. The operator of this site will look at it.':
    'Ihre Meldung wurde gesendet. Der Betreiber dieser Website wird sie prüfen.',
  'What is wrong with {name}? Only the operator of this site reads it, not the seller.':
    'Was stimmt nicht mit {name}? Nur der Betreiber dieser Website liest Ihre Meldung, nicht der Anbieter.',
  Reason: 'Grund',
  'Copyright or trademark infringement': 'Verletzung von Urheber- oder Markenrechten',
  'Illegal content': 'Rechtswidriger Inhalt',
  'Abuse or exploitation of a person': 'Missbrauch oder Ausbeutung einer Person',
  Malware: 'Schadsoftware',
  'Fraud, or not as described': 'Betrug oder nicht wie beschrieben',
  'Another reason': 'Ein anderer Grund',
  'What should we know?': 'Was sollten wir wissen?',
  'Only if we may write to you about it.': 'Nur, wenn wir Ihnen dazu schreiben dürfen.',
  'Your email address (optional)': 'Ihre E-Mail-Adresse (optional)',
  'Send the report': 'Meldung senden',
  'Taken down': 'Entfernt',
  'It can no longer be opened, bought or downloaded.':
    'Er kann nicht mehr geöffnet, gekauft oder heruntergeladen werden.',
} as const;
