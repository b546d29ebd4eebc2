// What the server says to sellers, and why it refuses what they ask for.

/** Why a link is not sold. */
export const HOLD_FACTS = {
  'This file was refused because {because}. It is neither sold nor delivered.':
    'Diese Datei wurde abgelehnt, weil {because}. Sie wird weder verkauft noch geliefert.',
  'it contains malware ({name})': 'sie Schadsoftware ({name}) enthält',
  'it, or something packed in it, is too large for this site’s malware scanner':
    'sie oder ihr gepackter Inhalt für den Virenscanner dieser Website zu groß ist',
  'the operator of this site took its content down':
    'der Betreiber dieser Website ihren Inhalt entfernt hat',
  'The stored file “{name}” {damage}. It is neither sold nor delivered until the operator restores it from a backup. You can also upload it again and sell it with a new link.':
    'Die gespeicherte Datei „{name}“ {damage}. Sie wird weder verkauft noch geliefert, bis der Betreiber sie aus einer Sicherung wiederherstellt. Sie können sie auch erneut hochladen und mit einem neuen Link verkaufen.',
  'is missing (it had {expected} bytes)': 'fehlt (sie hatte {expected}\u00a0Byte)',
  'has {found} bytes instead of {expected} bytes':
    'hat {found}\u00a0Byte statt {expected}\u00a0Byte',
} as const;

/** Why a bundle is not sold, to whoever sees it. */
export const BUNDLE_HOLD_FACTS = {
  'You have all parts of this bundle already.': 'Sie haben bereits alle Teile dieses Pakets.',
  'A part of this bundle is not on sale at the moment.':
    'Ein Teil dieses Pakets wird zurzeit nicht verkauft.',
} as const;

/** What may not be said of a link. */
export const LINK_FACTS = {
  'The title is longer than {limit} characters.': 'Der Titel ist länger als {limit} Zeichen.',
  'The title contains invisible control characters.':
    'Der Titel enthält unsichtbare Steuerzeichen.',
  'The description is longer than {limit} characters.':
    'Die Beschreibung ist länger als {limit} Zeichen.',
  'The description contains invisible control characters.':
    'Die Beschreibung enthält unsichtbare Steuerzeichen.',
  'Enter a valid price greater than $0.': 'Geben Sie einen gültigen Preis über 0\u00a0$ ein.',
  'Enter a valid minimum price: $0 or more.':
    'Geben Sie einen gültigen Mindestpreis ein: 0\u00a0$ oder mehr.',
  'The minimum price is above the suggested one.':
    'Der Mindestpreis liegt über dem vorgeschlagenen.',
  'The number of copies must be from 1 to {limit}.':
    'Die Zahl der Exemplare muss zwischen 1 und {limit} liegen.',
  'The minimum price is {minimum}.': 'Der Mindestpreis ist {minimum}.',
  'The maximum price is {maximum}.': 'Der höchste Preis ist {maximum}.',
  'Cards cannot be charged less than {minimum}.':
    'Karten können nicht mit weniger als {minimum} belastet werden.',
  'Invalid paywall data.': 'Die Daten dieses Links sind ungültig.',
  'Your account can have {limit} link and has reached that limit. Delete one that you no longer sell, or ask the operator of this site for more.':
    'Ihr Konto kann {limit} Link haben, und so viele hat es. Löschen Sie einen, den Sie nicht mehr verkaufen, oder bitten Sie den Betreiber dieser Website um mehr.',
  'Your account can have {limit} links and has reached that limit. Delete one that you no longer sell, or ask the operator of this site for more.':
    'Ihr Konto kann {limit} Links haben, und so viele hat es. Löschen Sie einen, den Sie nicht mehr verkaufen, oder bitten Sie den Betreiber dieser Website um mehr.',
  'A short address must have at most {limit} characters after your page’s.':
    'Eine Kurzadresse darf nach der Adresse Ihrer Seite höchstens {limit} Zeichen haben.',
  'This short address is reserved. Choose another one.':
    'Diese Kurzadresse ist reserviert. Wählen Sie eine andere.',
  'Another of your links has this short address. Choose another one.':
    'Ein anderer Ihrer Links hat diese Kurzadresse. Wählen Sie eine andere.',
  'This link has had {limit} short addresses, which all lead to it. Go back to one of them: {others}.':
    'Dieser Link hatte {limit} Kurzadressen, die alle zu ihm führen. Kehren Sie zu einer davon zurück: {others}.',
  'Choose the address of your own page under Account first: short ones begin with it.':
    'Wählen Sie zuerst unter „Konto“ die Adresse Ihrer eigenen Seite: Kurzadressen beginnen damit.',
  'A file of version {number} was deleted, so it cannot be sold again. Upload it again.':
    'Eine Datei von Version {number} wurde gelöscht, daher kann sie nicht wieder verkauft werden. Laden Sie sie neu hoch.',
  'This link has no such version.': 'Dieser Link hat keine solche Version.',
  'Not authorized to change this link.': 'Sie dürfen diesen Link nicht ändern.',
  'Only a PDF can be stamped, and this link sells none.':
    'Nur ein PDF kann gestempelt werden, und dieser Link verkauft keines.',
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
  'This file is larger than the maximum of {size}.':
    'Diese Datei ist größer als das Maximum von {size}.',
  'The path of this file is too long. It can be at most {bytes} bytes long and {folders} folders deep.':
    'Der Pfad dieser Datei ist zu lang. Er darf höchstens {bytes} Bytes lang und {folders} Ordner tief sein.',
  "The link '{linkId}' already has a file named '{name}'.":
    'Der Link „{linkId}“ hat schon eine Datei namens „{name}“.',
  "The link id '{id}' is already in use.": 'Die Link-ID „{id}“ ist schon vergeben.',
  "You have no finished upload with the key '{key}'.":
    'Sie haben keine fertig hochgeladene Datei mit dem Schlüssel „{key}“.',
  'A link must sell 1 to {limit} different files.':
    'Ein Link muss 1 bis {limit} verschiedene Dateien verkaufen.',
  'This upload does not exist.': 'Diesen Upload gibt es nicht.',
  'More bytes were sent than the upload announced.':
    'Es wurden mehr Bytes gesendet, als angekündigt waren.',
  'You have {count} unfinished uploads. Finish or cancel one of them first; an upload that is not continued is removed after a day.':
    'Sie haben {count} unfertige Uploads. Beenden Sie zuerst einen davon oder brechen Sie ihn ab; ein Upload, der nicht fortgesetzt wird, wird nach einem Tag entfernt.',
  'Your files, including unfinished uploads, use {used} of your account’s {quota}, and this one is {size}. Delete files that you no longer sell, or ask the operator of this site for more space.':
    'Ihre Dateien belegen mit unfertigen Uploads {used} von {quota} Ihres Kontos, und diese hat {size}. Löschen Sie Dateien, die Sie nicht mehr verkaufen, oder bitten Sie den Betreiber dieser Website um mehr Platz.',
  'Deleted files are kept for 30 days, and yours still use {deleted}. Together with the {used} of your other files, that leaves no room for this one ({size}). Please try again later, or ask the operator of this site for more space.':
    'Gelöschte Dateien werden 30 Tage aufbewahrt, und Ihre belegen noch {deleted}. Zusammen mit den {used} Ihrer anderen Dateien bleibt für diese ({size}) kein Platz. Bitte versuchen Sie es später erneut oder bitten Sie den Betreiber dieser Website um mehr Platz.',
  'Your account can start {limit} upload a day and has reached that limit today. Please continue after midnight UTC, or ask the operator of this site for more.':
    'Ihr Konto kann {limit} Upload pro Tag beginnen, und so viele haben Sie heute begonnen. Bitte machen Sie nach Mitternacht UTC weiter oder bitten Sie den Betreiber dieser Website um mehr.',
  'Your account can start {limit} uploads a day and has reached that limit today. Please continue after midnight UTC, or ask the operator of this site for more.':
    'Ihr Konto kann {limit} Uploads pro Tag beginnen, und so viele haben Sie heute begonnen. Bitte machen Sie nach Mitternacht UTC weiter oder bitten Sie den Betreiber dieser Website um mehr.',
  'The server does not have enough space for this file.':
    'Der Server hat nicht genug Platz für diese Datei.',
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
  'A bundle contains {min} to {max} different links of yours.':
    'Ein Paket besteht aus {min} bis {max} verschiedenen Ihrer Links.',
  'You have no link with the ID “{id}”. Choose another part.':
    'Sie haben keinen Link mit der ID „{id}“. Wählen Sie einen anderen Teil.',
  'The link {id} is a bundle itself. Choose its parts instead.':
    'Der Link {id} ist selbst ein Paket. Wählen Sie stattdessen dessen Teile.',
  'A bundle cannot be free. Make the links in it free instead.':
    'Ein Paket kann nicht kostenlos sein. Machen Sie stattdessen die Links darin kostenlos.',
} as const;

/** Of discount codes. */
export const DISCOUNT_FACTS = {
  'A code has 3 to {limit} letters from A to Z, digits, hyphens and underscores, and begins with a letter or digit.':
    'Ein Code hat 3 bis {limit} Buchstaben von A bis Z, Ziffern, Binde- und Unterstriche und beginnt mit einem Buchstaben oder einer Ziffer.',
  'Give either a percentage or an amount.':
    'Geben Sie entweder einen Prozentsatz oder einen Betrag an.',
  'The percentage must be a whole number from 1 to 100.':
    'Der Prozentsatz muss eine ganze Zahl von 1 bis 100 sein.',
  'Enter a valid amount greater than $0.': 'Geben Sie einen gültigen Betrag über 0\u00a0$ ein.',
  'Enter a valid minimum price greater than $0.':
    'Geben Sie einen gültigen Mindestpreis über 0\u00a0$ ein.',
  'The number of uses must be from 1 to {limit}.':
    'Die Zahl der Verwendungen muss zwischen 1 und {limit} liegen.',
  'The code must end in the future, and after it begins.':
    'Der Code muss in der Zukunft enden, und nachdem er beginnt.',
  'Choose 1 to {limit} links, or all of them.': 'Wählen Sie 1 bis {limit} Links aus oder alle.',
  'You have the code {code} already. End it first.':
    'Den Code {code} haben Sie schon. Beenden Sie ihn zuerst.',
  'You have no link “{name}”.': 'Sie haben keinen Link „{name}“.',
  'You have no such discount code.': 'Einen solchen Rabattcode haben Sie nicht.',
} as const;

/** Of a dispute, to a seller: what was delivered. */
export const SALE_FACTS = {
  '{name} was handed over to be sent on {day}.': '{name} wurde am {day} zum Senden übergeben.',
  '{name} was handed over to be sent from {from} to {to}.':
    '{name} wurde vom {from} bis zum {to} zum Senden übergeben.',
  '{name}: {sent} of {size} were sent on {day}.':
    '{name}: {sent} von {size} wurden am {day} gesendet.',
  '{name}: {sent} of {size} were sent from {from} to {to}.':
    '{name}: {sent} von {size} wurden vom {from} bis zum {to} gesendet.',
} as const;

/** Of a seller's money. */
export const BALANCE_FACTS = {
  'Balance: {balance}': 'Guthaben: {balance}',
} as const;

/** What may not be said of license keys. */
export const LICENSE_FACTS = {
  'Paste at least one license key.': 'Fügen Sie mindestens einen Lizenzschlüssel ein.',
  'Add up to {limit} license keys at a time.':
    'Fügen Sie höchstens {limit} Lizenzschlüssel auf einmal hinzu.',
  'License keys cannot contain tabs or control characters. Paste only the keys, one per line.':
    'Lizenzschlüssel dürfen keine Tabulatoren oder Steuerzeichen enthalten. Fügen Sie nur die Schlüssel ein, einen je Zeile.',
  'This license key has just been sold or removed.':
    'Dieser Lizenzschlüssel wurde soeben verkauft oder entfernt.',
  '“{key}” is already a key of “{name}”.': '„{key}“ ist schon ein Schlüssel von „{name}“.',
  'A license key has {least} to {limit} characters. This one does not: “{key}”.':
    'Ein Lizenzschlüssel hat {least} bis {limit} Zeichen. Dieser nicht: „{key}“.',
  'A link keeps up to {limit} unsold license keys.':
    'Ein Link hält höchstens {limit} unverkaufte Lizenzschlüssel vor.',
  'Your links together keep up to {limit} unsold license keys.':
    'Ihre Links halten zusammen höchstens {limit} unverkaufte Lizenzschlüssel vor.',
  'The number of devices must be from 1 to {limit}.':
    'Die Zahl der Geräte muss zwischen 1 und {limit} liegen.',
} as const;
