/** Where a seller's visitors come from. */
export const SOURCES = {
  'Where visitors come from': 'Woher Besucher kommen',
  'To {name}': 'Zu {name}',
  'To all your links': 'Zu allen Ihren Links',
  'Export by day (CSV)': 'Nach Tagen exportieren (CSV)',
  'The sources': 'Die Quellen',
  'No visits in this period.': 'Keine Besuche in diesem Zeitraum.',
  Direct: 'Direkt',
  'This site': 'Diese Website',
  'This site: explore': 'Diese Website: Entdecken',
  'This site: a seller’s page': 'Diese Website: Seite eines Anbieters',
  Other: 'Andere',
  'Views count each visitor once in half an hour, and at least once per checkout.':
    'Aufrufe zählen jeden Besucher einmal je halbe Stunde und mindestens einmal je Bezahlvorgang.',
  'To name a campaign, add {example}, for example, to a link; {medium} and {campaign} tell campaigns apart. “Direct” means visitors who typed the address, opened it in an app, or came from a site that does not say. Amounts are before refunds. No cookie is set for this, and nothing is stored about who came.':
    'Um eine Kampagne zu benennen, hängen Sie zum Beispiel {example} an einen Link an; {medium} und {campaign} unterscheiden Kampagnen. „Direkt“ sind Besucher, die die Adresse eingegeben oder in einer App geöffnet haben oder von einer Website kamen, die es nicht verrät. Beträge sind vor Erstattungen. Dafür wird kein Cookie gesetzt und nichts darüber gespeichert, wer kam.',
} as const;
