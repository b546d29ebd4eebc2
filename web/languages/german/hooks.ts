/** What a creator's programs are told. */
export const HOOKS = {
  'Addresses of your own programs. Each is notified of your sales, refunds, disputes, links and payouts as they happen.':
    'Adressen Ihrer eigenen Programme. Jede erfährt sofort von Ihren Verkäufen, Erstattungen, Beanstandungen, Links und Auszahlungen.',
  'Back to your account': 'Zurück zu Ihrem Konto',
  'Changing webhooks requires JavaScript, which is turned off in this browser.':
    'Zum Ändern von Webhooks wird JavaScript benötigt, das in diesem Browser ausgeschaltet ist.',
  'The webhook {address} was deleted.': 'Der Webhook {address} wurde gelöscht.',
  'Your webhooks': 'Ihre Webhooks',
  'No webhooks yet.': 'Noch keine Webhooks.',
  'New webhook': 'Neuer Webhook',
  'Your program gets a signed message for each event, and answers it with a status from 200 to 299.':
    'Ihr Programm erhält zu jedem Ereignis eine signierte Nachricht und beantwortet sie mit einem Status von 200 bis 299.',
  'Create webhook': 'Webhook erstellen',
  'Enter a web address.': 'Geben Sie eine Webadresse ein.',
  'Such as https://shop.example.com/padlink': 'Zum Beispiel https://shop.example.com/padlink',
  'All sellers': 'Alle Anbieter',
  'It is notified of what happens to all sellers on this site, not only to you.':
    'Er erfährt, was bei allen Anbietern dieser Website geschieht, nicht nur bei Ihnen.',
  'The secret of your webhook': 'Das Geheimnis Ihres Webhooks',
  'Copy it now: it will not be shown again. Your program uses it to verify that a message comes from here.':
    'Kopieren Sie es jetzt: Es wird nicht noch einmal gezeigt. Damit prüft Ihr Programm, ob eine Nachricht von hier kommt.',
  'the secret': 'das Geheimnis',
  'What was sent': 'Gesendete Nachrichten',
  'What was sent to {address}': 'Gesendete Nachrichten an {address}',
  'To {address}, in the last 30 days, newest first.':
    'An {address}, in den letzten 30 Tagen, neueste zuerst.',
  'Nothing has been sent yet.': 'Es wurde noch nichts gesendet.',
  'Show older events': 'Ältere Ereignisse zeigen',
  Waiting: 'Wartet',
  'Not delivered': 'Nicht zugestellt',
  'Send again': 'Erneut senden',
  '{type} of {time}': '{type} vom {time}',
  'Message and answers': 'Nachricht und Antworten',
  'No answer': 'Keine Antwort',
  '{time}, after {ms} ms': '{time}, nach {ms}\u00a0ms',
  'Turned off': 'Ausgeschaltet',
  'New secret': 'Neues Geheimnis',
  'New secret for {address}': 'Neues Geheimnis für {address}',
  'Delete webhook': 'Webhook löschen',
  'Delete {address}? Nothing more is sent to it, and the record of what was sent is deleted too.':
    '{address} löschen? An den Webhook wird dann nichts mehr gesendet, und auch die Aufzeichnung des Gesendeten wird gelöscht.',
  'It accepted nothing for three days, so nothing more is sent to it.':
    'Er hat drei Tage lang nichts angenommen, daher wird ihm nichts mehr gesendet.',
  'It is not notified of what happens while it is paused.':
    'Solange er pausiert ist, erfährt er nicht, was geschieht.',
  'It has accepted nothing since {time}. Each event is sent again for up to three days, unless more than 10,000 newer ones wait.':
    'Seit {time} hat er nichts angenommen. Jedes Ereignis wird bis zu drei Tage lang erneut gesendet, sofern nicht mehr als 10.000 neuere warten.',
  'The previous secret is valid until {time}.': 'Das vorherige Geheimnis gilt bis {time}.',
} as const;
