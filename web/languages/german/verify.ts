/** Whether a signed receipt is genuine. */
export const VERIFY = {
  'Verify a signed receipt': 'Signierten Beleg prüfen',
  'Find out whether a signed receipt is genuine, and whether a file is the one it names.':
    'Finden Sie heraus, ob ein signierter Beleg echt ist und ob eine Datei die ist, die er nennt.',
  'A signed receipt proves what was bought here, from whom, when and for how much. Nothing that you choose on this page leaves your browser.':
    'Ein signierter Beleg beweist, was hier gekauft wurde, von wem, wann und zu welchem Preis. Nichts, was Sie auf dieser Seite auswählen, verlässt Ihren Browser.',
  'Choose the receipt': 'Beleg auswählen',
  'Drop a signed receipt here, or': 'Legen Sie einen signierten Beleg hier ab oder',
  'Verifying...': 'Wird geprüft …',
  'Verify it with OpenSSL instead': 'Stattdessen mit OpenSSL prüfen',
  'With OpenSSL 3. KEY is the key that the receipt names, and FILE what was bought.':
    'Mit OpenSSL 3. KEY ist der Schlüssel, den der Beleg nennt, und FILE das Gekaufte.',
  'The signature is wrong. The receipt was changed after it was signed, or this site never signed it.':
    'Die Signatur ist falsch. Der Beleg wurde nach dem Signieren verändert oder nie von dieser Website signiert.',
  'This receipt names a key that this site did not have when the page was loaded. Reload the page, or verify the receipt on the site that it names.':
    'Dieser Beleg nennt einen Schlüssel, den diese Website beim Laden der Seite nicht hatte. Laden Sie die Seite neu oder prüfen Sie den Beleg auf der Website, die er nennt.',
  'This file is not a signed receipt, or it is incomplete.':
    'Diese Datei ist kein signierter Beleg oder nicht vollständig.',
  'This browser cannot verify signatures of this kind here. Use a current browser over HTTPS, or OpenSSL.':
    'Dieser Browser kann Signaturen dieser Art hier nicht prüfen. Verwenden Sie einen aktuellen Browser über HTTPS oder OpenSSL.',
  'This receipt is genuine': 'Dieser Beleg ist echt',
  'It is for a test payment: no real money moved.':
    'Er gehört zu einer Testzahlung: Es ist kein echtes Geld geflossen.',
  Bought: 'Gekauft',
  Version: 'Version',
  Price: 'Preis',
  Tax: 'Steuer',
  'Paid to': 'Bezahlt an',
  Paid: 'Bezahlt',
  Purchase: 'Kauf',
  'Signed by': 'Signiert mit',
  'A key that this site has used since {since}':
    'Einem Schlüssel, den diese Website seit {since} verwendet',
  'A key that this site has used since {since} until {until}':
    'Einem Schlüssel, den diese Website von {since} bis {until} verwendet hat',
  'Is this the file that was bought?': 'Ist das die gekaufte Datei?',
  'Choose files': 'Dateien auswählen',
  'Drop the files that you received here, or': 'Legen Sie die erhaltenen Dateien hier ab oder',
  'Reading {name}...': '{name} wird gelesen …',
  '{name} could not be read.': '{name} konnte nicht gelesen werden.',
  'A PDF that was stamped for its buyer is a copy of what is stated.':
    'Ein PDF, das für seinen Käufer gestempelt wurde, ist eine Kopie des Genannten.',
  '{name} is not one of the files in this receipt.':
    '{name} gehört nicht zu den Dateien in diesem Beleg.',
  '{name} is, byte for byte, a file in this receipt.':
    '{name} ist Byte für Byte eine Datei in diesem Beleg.',
  '{name} is, byte for byte, a file in this receipt, where it is called {stated}.':
    '{name} ist Byte für Byte eine Datei in diesem Beleg, wo sie {stated} heißt.',
} as const;
