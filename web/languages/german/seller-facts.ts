// What the server says to sellers, and why it refuses what they ask for: # is any number, * any text.

/** Why a link is not sold. */
export const HOLD_FACTS = {
  'This file was refused because *. It is neither sold nor delivered.':
    'Diese Datei wurde abgelehnt, weil *. Sie wird weder verkauft noch geliefert.',
  'it contains malware (*)': 'sie Schadsoftware (*) enthält',
  'it, or what is packed in it, is larger than this site’s malware scanner takes':
    'sie oder ihr gepackter Inhalt für den Virenscanner dieser Website zu groß ist',
  'the operator of this site took its content down':
    'der Betreiber dieser Website ihren Inhalt entfernt hat',
  'The stored file “*” *. It is neither sold nor delivered until the operator restores it from a backup. You can also upload it again and sell it with a new link.':
    'Die gespeicherte Datei „*“ *. Sie wird weder verkauft noch geliefert, bis der Betreiber sie aus einer Sicherung wiederherstellt. Sie können sie auch erneut hochladen und mit einem neuen Link verkaufen.',
  'is missing (it had # bytes)': 'fehlt (sie hatte #\u00a0Byte)',
  'has # bytes instead of # bytes': 'hat #\u00a0Byte statt #\u00a0Byte',
} as const;

/** Why a bundle is not sold, to whoever sees it. */
export const BUNDLE_HOLD_FACTS = {
  'You have all parts of this bundle already.': 'Sie haben bereits alle Teile dieses Pakets.',
  'A part of this bundle is not on sale at the moment.':
    'Ein Teil dieses Pakets wird zurzeit nicht verkauft.',
} as const;

/** What may not be said of a link. */
export const LINK_FACTS = {
  'The title is longer than # characters.': 'Der Titel ist länger als # Zeichen.',
  'The title contains invisible control characters.':
    'Der Titel enthält unsichtbare Steuerzeichen.',
  'The description is longer than # characters.': 'Die Beschreibung ist länger als # Zeichen.',
  'The description contains invisible control characters.':
    'Die Beschreibung enthält unsichtbare Steuerzeichen.',
  'Enter a valid price greater than $#.': 'Geben Sie einen gültigen Preis über #\u00a0$ ein.',
  'Enter a valid smallest price: $# or more.':
    'Geben Sie einen gültigen kleinsten Preis ein: #\u00a0$ oder mehr.',
  'The smallest price is above the suggested one.':
    'Der kleinste Preis liegt über dem vorgeschlagenen.',
  'The number of copies must be from # to #.':
    'Die Zahl der Exemplare muss zwischen # und # liegen.',
  'The minimum price is $#.': 'Der Mindestpreis ist #\u00a0$.',
  'The maximum price is $#.': 'Der höchste Preis ist #\u00a0$.',
  'Cards cannot be charged less than $#.':
    'Karten können nicht mit weniger als #\u00a0$ belastet werden.',
  'Invalid paywall data.': 'Die Daten dieses Links sind ungültig.',
  'Your account can have * link, and it has as many. Delete one that you no longer sell, or ask the operator of this site for more.':
    'Ihr Konto kann * Link haben, und so viele hat es. Löschen Sie einen, den Sie nicht mehr verkaufen, oder bitten Sie den Betreiber dieser Website um mehr.',
  'Your account can have * links, and it has as many. Delete one that you no longer sell, or ask the operator of this site for more.':
    'Ihr Konto kann * Links haben, und so viele hat es. Löschen Sie einen, den Sie nicht mehr verkaufen, oder bitten Sie den Betreiber dieser Website um mehr.',
  'A short address must have at most # characters after your page’s.':
    'Eine Kurzadresse darf nach der Adresse Ihrer Seite höchstens # Zeichen haben.',
  'This short address is reserved. Choose another one.':
    'Diese Kurzadresse ist reserviert. Wählen Sie eine andere.',
  'Another of your links has this short address. Choose another one.':
    'Ein anderer Ihrer Links hat diese Kurzadresse. Wählen Sie eine andere.',
  'This link has had * short addresses, which all lead to it. Go back to one of them: *.':
    'Dieser Link hatte * Kurzadressen, die alle zu ihm führen. Kehren Sie zu einer davon zurück: *.',
  'Choose the address of your own page under Account first: short ones begin with it.':
    'Wählen Sie zuerst unter „Konto“ die Adresse Ihrer eigenen Seite: Kurzadressen beginnen damit.',
  'A file of version # was deleted, so it cannot be sold again. Upload it anew.':
    'Eine Datei von Version # wurde gelöscht, daher kann sie nicht wieder verkauft werden. Laden Sie sie neu hoch.',
  'This link has no such version.': 'Dieser Link hat keine solche Version.',
  'Not authorized to change this link.': 'Sie dürfen diesen Link nicht ändern.',
  'No preview can be made of this link: only of a PDF, of a PNG, JPEG, WebP, AVIF or GIF picture, and of an MP3 or WAV recording.':
    'Von diesem Link kann keine Vorschau erstellt werden: nur von einem PDF, von einem Bild als PNG, JPEG, WebP, AVIF oder GIF und von einer Aufnahme als MP3 oder WAV.',
  'This link was taken down and cannot be restored.':
    'Dieser Link wurde entfernt und kann nicht wiederhergestellt werden.',
  'You have already objected.': 'Sie haben schon widersprochen.',
} as const;

/** Of addresses that somebody types. */
export const ADDRESS_FACTS = {
  'Enter a full web address that begins with https:// or http://.':
    'Geben Sie eine vollständige Webadresse ein, die mit https:// oder http:// beginnt.',
  'The web address cannot contain a password.': 'Die Webadresse darf kein Passwort enthalten.',
  'This web address is too long.': 'Diese Webadresse ist zu lang.',
  'Use only letters from a to z, digits, and single hyphens between them.':
    'Verwenden Sie nur Buchstaben von a bis z, Ziffern und einzelne Bindestriche dazwischen.',
} as const;

/** Of files and their uploads. */
export const UPLOAD_FACTS = {
  'This file is empty. Choose another file.': 'Diese Datei ist leer. Wählen Sie eine andere aus.',
  'This file is larger than the maximum of *.': 'Diese Datei ist größer als das Maximum von *.',
  'The path of this file is too long. It can be at most # bytes long and # folders deep.':
    'Der Pfad dieser Datei ist zu lang. Er darf höchstens # Bytes lang und # Ordner tief sein.',
  "The link '*' already has a file named '*'.": 'Der Link „*“ hat schon eine Datei namens „*“.',
  "The link id '*' is already in use.": 'Die Link-ID „*“ ist schon vergeben.',
  "You have no finished upload with the key '*'.":
    'Sie haben keine fertig hochgeladene Datei mit dem Schlüssel „*“.',
  'A link must sell # to # different files.':
    'Ein Link muss # bis # verschiedene Dateien verkaufen.',
  'This upload does not exist.': 'Diesen Upload gibt es nicht.',
  'More bytes were sent than the upload announced.':
    'Es wurden mehr Bytes gesendet, als angekündigt waren.',
  'You have # unfinished uploads. Finish or cancel one of them first; an upload that is not continued is removed after a day.':
    'Sie haben # unfertige Uploads. Beenden Sie zuerst einen davon oder brechen Sie ihn ab; ein Upload, der nicht fortgesetzt wird, wird nach einem Tag entfernt.',
  'Your files, including unfinished uploads, use * of your account’s *, and this one is *. Delete files that you no longer sell, or ask the operator of this site for more space.':
    'Ihre Dateien belegen mit unfertigen Uploads * von * Ihres Kontos, und diese hat *. Löschen Sie Dateien, die Sie nicht mehr verkaufen, oder bitten Sie den Betreiber dieser Website um mehr Platz.',
  'Deleted files are kept for 30 days, and yours still use *. Together with the * of your other files, that leaves no room for this one (*). Please try again later, or ask the operator of this site for more space.':
    'Gelöschte Dateien werden 30 Tage aufbewahrt, und Ihre belegen noch *. Zusammen mit den * Ihrer anderen Dateien bleibt für diese (*) kein Platz. Bitte versuchen Sie es später erneut oder bitten Sie den Betreiber dieser Website um mehr Platz.',
  'Your account can start * upload a day, and you have started as many today. Please continue after midnight UTC, or ask the operator of this site for more.':
    'Ihr Konto kann * Upload pro Tag beginnen, und so viele haben Sie heute begonnen. Bitte machen Sie nach Mitternacht UTC weiter oder bitten Sie den Betreiber dieser Website um mehr.',
  'Your account can start * uploads a day, and you have started as many today. Please continue after midnight UTC, or ask the operator of this site for more.':
    'Ihr Konto kann * Uploads pro Tag beginnen, und so viele haben Sie heute begonnen. Bitte machen Sie nach Mitternacht UTC weiter oder bitten Sie den Betreiber dieser Website um mehr.',
  'The server does not have enough space for a file of this size. Please try again later.':
    'Der Server hat für eine Datei dieser Größe nicht genug Platz. Bitte versuchen Sie es später erneut.',
  'The server does not have enough space for a file of this size beside the uploads in progress. Please try again later.':
    'Der Server hat neben den laufenden Uploads für eine Datei dieser Größe nicht genug Platz. Bitte versuchen Sie es später erneut.',
  'The server does not have enough space for the rest of this file. Please continue the upload later.':
    'Der Server hat für den Rest dieser Datei nicht genug Platz. Bitte setzen Sie den Upload später fort.',
  'The server does not have enough space for the rest of this file. What has been uploaded is kept: please continue the upload later.':
    'Der Server hat für den Rest dieser Datei nicht genug Platz. Was schon hochgeladen ist, bleibt erhalten: Bitte setzen Sie den Upload später fort.',
  'The server does not have enough space for the rest of this file beside the uploads in progress. What has been uploaded is kept: please continue the upload later.':
    'Der Server hat neben den laufenden Uploads für den Rest dieser Datei nicht genug Platz. Was schon hochgeladen ist, bleibt erhalten: Bitte setzen Sie den Upload später fort.',
} as const;

/** Of bundles. */
export const BUNDLE_FACTS = {
  'A bundle is made of # to # different links of yours.':
    'Ein Paket besteht aus # bis # verschiedenen Ihrer Links.',
  'You have no link with the id “*”. Choose another part.':
    'Sie haben keinen Link mit der ID „*“. Wählen Sie einen anderen Teil.',
  'The link * is a bundle itself. Choose its parts instead.':
    'Der Link * ist selbst ein Paket. Wählen Sie stattdessen dessen Teile.',
  'A bundle cannot be free. Make the links in it free instead.':
    'Ein Paket kann nicht kostenlos sein. Machen Sie stattdessen die Links darin kostenlos.',
} as const;

/** Of discount codes. */
export const DISCOUNT_FACTS = {
  'A code has 3 to # letters from A to Z, digits, hyphens and underscores, and begins with a letter or digit.':
    'Ein Code hat 3 bis # Buchstaben von A bis Z, Ziffern, Binde- und Unterstriche und beginnt mit einem Buchstaben oder einer Ziffer.',
  'Give either a percentage or an amount.':
    'Geben Sie entweder einen Prozentsatz oder einen Betrag an.',
  'The percentage must be a whole number from # to #.':
    'Der Prozentsatz muss eine ganze Zahl von # bis # sein.',
  'Enter a valid amount greater than $#.': 'Geben Sie einen gültigen Betrag über #\u00a0$ ein.',
  'Enter a valid smallest price greater than $#.':
    'Geben Sie einen gültigen kleinsten Preis über #\u00a0$ ein.',
  'The number of uses must be from # to #.':
    'Die Zahl der Verwendungen muss zwischen # und # liegen.',
  'The code must end in the future, and after it begins.':
    'Der Code muss in der Zukunft enden, und nachdem er beginnt.',
  'Choose # to # links, or all of them.': 'Wählen Sie # bis # Links aus oder alle.',
  'You have the code * already. End it first.':
    'Den Code * haben Sie schon. Beenden Sie ihn zuerst.',
  'You have no link “*”.': 'Sie haben keinen Link „*“.',
  'You have no such discount code.': 'Einen solchen Rabattcode haben Sie nicht.',
} as const;

/** Of a dispute, to a seller: what was delivered. */
export const SALE_FACTS = {
  '* was handed over to be sent on *.': '* wurde am * zum Senden übergeben.',
  '* was handed over to be sent from * to *.': '* wurde vom * bis zum * zum Senden übergeben.',
  '*: * of * were sent on *.': '*: * von * wurden am * gesendet.',
  '*: * of * were sent from * to *.': '*: * von * wurden vom * bis zum * gesendet.',
} as const;

/** Of a seller's money. */
export const BALANCE_FACTS = {
  'Balance: $#': 'Guthaben: #\u00a0$',
  'Balance: $-#': 'Guthaben: -#\u00a0$',
} as const;
