/** What anything that a page asks of the server may be answered. */
export const FAULTS = {
  'This address does not accept this kind of request.':
    'Anfragen dieser Art werden unter dieser Adresse nicht beantwortet.',
  'Something went wrong on our side. Please try again.':
    'Auf unserer Seite ist etwas schiefgegangen. Bitte versuchen Sie es erneut.',
  "The server's disk is full or write-protected, so nothing could be saved. Nothing was changed or charged. Please try again later.":
    'Der Speicher des Servers ist voll oder schreibgeschützt, daher konnte nichts gespeichert werden. Es wurde nichts geändert oder abgebucht. Bitte versuchen Sie es später erneut.',
  'The server cannot use its storage at the moment. Nothing is lost, and nothing was charged. Please try again later.':
    'Der Server kann seinen Speicher gerade nicht nutzen. Nichts ist verloren, und es wurde nichts abgebucht. Bitte versuchen Sie es später erneut.',
  "The server's disk failed, so it is not certain that your change was kept. Please look before you make it again.":
    'Der Speicher des Servers ist ausgefallen, daher ist nicht sicher, ob Ihre Änderung erhalten blieb. Bitte sehen Sie nach, bevor Sie sie noch einmal vornehmen.',
  'This site is being moved to another server, so nothing can be saved for a few minutes. Nothing was changed, and nothing was charged. Please try again later.':
    'Diese Website zieht gerade auf einen anderen Server um, daher kann einige Minuten lang nichts gespeichert werden. Es wurde nichts geändert oder abgebucht. Bitte versuchen Sie es später erneut.',
  'The request body is too large.': 'Die Anfrage ist zu groß.',
  'This paywall link does not exist.': 'Diesen Link gibt es nicht.',
} as const;
