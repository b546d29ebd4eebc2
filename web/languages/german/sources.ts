/** Where a seller's visitors come from. */
export const SOURCES = {
  'Where visitors come from': 'Woher Besucher kommen',
  'To {name}': 'Zu {name}',
  'To all your links': 'Zu allen Ihren Links',
  'Export each day (CSV)': 'Jeden Tag exportieren (CSV)',
  'The sources': 'Die Quellen',
  'Nobody came in this time.': 'In dieser Zeit kam niemand.',
  Direct: 'Direkt',
  'This site': 'Diese Website',
  'This site: explore': 'Diese Website: Entdecken',
  'This site: a seller’s page': 'Diese Website: Seite eines Anbieters',
  Other: 'Andere',
  'Name a campaign by adding, for example, {example} to the address of a link; {medium} and {campaign} can tell it from others. “Direct” is whoever typed the address, opened it in an app, or came from a site that does not say. Money is before refunds. No cookie is set for this, and nothing is stored about who came.':
    'Benennen Sie eine Kampagne, indem Sie der Adresse eines Links zum Beispiel {example} anhängen; {medium} und {campaign} können sie von anderen unterscheiden. „Direkt“ ist, wer die Adresse eingegeben, in einer App geöffnet hat oder von einer Website kam, die es nicht verrät. Beträge sind vor Erstattungen. Dafür wird kein Cookie gesetzt und nichts darüber gespeichert, wer kam.',
} as const;
