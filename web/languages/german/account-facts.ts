/** What the server says of accounts, and why it refuses what is asked for there. */
export const ACCOUNT_FACTS = {
  'Continue with Google': 'Mit Google fortfahren',
  'Continue with GitHub': 'Mit GitHub fortfahren',
  'at least {count} characters': 'mindestens {count} Zeichen',
  'a lowercase letter': 'ein Kleinbuchstabe',
  'an uppercase letter': 'ein Großbuchstabe',
  'a number': 'eine Zahl',
  'a symbol': 'ein Sonderzeichen',
  'The password needs {missing}.': 'Das Passwort erfüllt noch nicht: {missing}.',
  'The password can have at most {limit} characters.':
    'Das Passwort darf höchstens {limit} Zeichen haben.',
  'This password is too common. Choose a different one.':
    'Dieses Passwort ist zu verbreitet. Wählen Sie ein anderes.',
  'The password cannot be your name or email address.':
    'Ihr Name oder Ihre E-Mail-Adresse kann nicht das Passwort sein.',
  'Enter an email address.': 'Geben Sie eine E-Mail-Adresse ein.',
  'Enter a valid email address.': 'Geben Sie eine gültige E-Mail-Adresse ein.',
  'Accounts cannot have an email address with letters other than a to z before the @ or after the last dot.':
    'E-Mail-Adressen mit anderen Buchstaben als a bis z vor dem @ oder nach dem letzten Punkt sind für Konten nicht möglich.',
  'Enter a password.': 'Geben Sie ein Passwort ein.',
  'Enter the code.': 'Geben Sie den Code ein.',
  'First Name is required.': 'Der Vorname fehlt.',
  'First Name can have at most {limit} characters.':
    'Der Vorname darf höchstens {limit} Zeichen haben.',
  'First Name cannot contain control characters.':
    'Der Vorname darf keine Steuerzeichen enthalten.',
  'The operator of this site has suspended this account. The reason is in the email that was sent to its address.':
    'Der Betreiber dieser Website hat dieses Konto gesperrt. Der Grund steht in der E-Mail, die an die Adresse des Kontos ging.',
  'Confirm your email address first: sign in with your password.':
    'Bestätigen Sie zuerst Ihre E-Mail-Adresse: Melden Sie sich mit Ihrem Passwort an.',
  'Confirm your email address first, with the code we sent you.':
    'Bestätigen Sie zuerst Ihre E-Mail-Adresse mit dem Code, den wir Ihnen gesendet haben.',
  'You sign in through another service, which manages your email address. Change it there.':
    'Sie melden sich über einen anderen Dienst an, der Ihre E-Mail-Adresse verwaltet. Ändern Sie sie dort.',
  'The passkey could not be checked. Please try again.':
    'Der Passkey konnte nicht geprüft werden. Bitte versuchen Sie es erneut.',
  'This passkey is not registered here. It may have been removed.':
    'Dieser Passkey ist hier nicht registriert. Vielleicht wurde er entfernt.',
  'This passkey has already been added.': 'Dieser Passkey wurde bereits hinzugefügt.',
  'This device already has a passkey for your account.':
    'Dieses Gerät hat bereits einen Passkey für Ihr Konto.',
  'No passkey was used. You can try again.':
    'Es wurde kein Passkey verwendet. Sie können es erneut versuchen.',
  'Your device did not ask for your fingerprint, face or PIN, which is required here.':
    'Ihr Gerät hat nicht nach Fingerabdruck, Gesicht oder PIN gefragt, was hier erforderlich ist.',
  'The name can have at most {limit} characters.': 'Der Name darf höchstens {limit} Zeichen haben.',
  'This took too long. Please try again.':
    'Das hat zu lange gedauert. Bitte versuchen Sie es erneut.',
  'This backup code is wrong or has been used.':
    'Dieser Backup-Code ist falsch oder wurde schon verwendet.',
  'This code is wrong or has been used. Enter the current one from your app.':
    'Dieser Code ist falsch oder wurde schon verwendet. Geben Sie den aktuellen aus Ihrer App ein.',
  'The email address or password is wrong.': 'E-Mail-Adresse oder Passwort ist falsch.',
  'This code is wrong, expired, or replaced by a newer one.':
    'Dieser Code ist falsch, abgelaufen oder durch einen neueren ersetzt.',
  'The current password is wrong.': 'Das aktuelle Passwort ist falsch.',
  'This sign-in took too long. Sign in again.':
    'Diese Anmeldung hat zu lange gedauert. Melden Sie sich erneut an.',
  'Accounts here are by invitation. Ask the operator of this site to invite this address.':
    'Konten gibt es hier nur auf Einladung. Bitten Sie den Betreiber dieser Website, diese Adresse einzuladen.',
  'Type the email address of your account to confirm.':
    'Geben Sie zur Bestätigung die E-Mail-Adresse Ihres Kontos ein.',
  'This way to sign in is not available here.':
    'Auf diesem Weg können Sie sich hier nicht anmelden.',
  'This is already your email address.': 'Das ist bereits Ihre E-Mail-Adresse.',
  'Sign in again first.': 'Melden Sie sich zuerst erneut an.',
  'No new accounts can be created on this site.':
    'Auf dieser Website können keine neuen Konten erstellt werden.',
  'Someone signed up with this address after you. Sign up again.':
    'Jemand hat sich nach Ihnen mit dieser Adresse registriert. Registrieren Sie sich erneut.',
  'No more codes can be sent today. Please try again tomorrow.':
    'Heute können keine Codes mehr gesendet werden. Bitte versuchen Sie es morgen erneut.',
  'Too many wrong codes. Sign in again.': 'Zu viele falsche Codes. Melden Sie sich erneut an.',
  'Two-factor sign-in is already on.': 'Die Zwei-Faktor-Anmeldung ist bereits eingeschaltet.',
  'Two-factor sign-in is not set up yet.': 'Die Zwei-Faktor-Anmeldung ist noch nicht eingerichtet.',
  'Sign in first.': 'Melden Sie sich zuerst an.',
  'You signed in more than {count} minutes ago. Sign in again to continue.':
    'Ihre Anmeldung liegt mehr als {count} Minuten zurück. Melden Sie sich erneut an, um fortzufahren.',
  'This is turned off here. Use “Sign in with {pool}” on the sign-in page.':
    'Das ist hier ausgeschaltet. Nutzen Sie „Mit {pool} anmelden“ auf der Anmeldeseite.',
  'You signed in more than a day ago. Sign in again to continue.':
    'Ihre Anmeldung liegt mehr als einen Tag zurück. Melden Sie sich erneut an, um fortzufahren.',
} as const;

/** The same of what only the account page changes. */
export const SELLER_FACTS = {
  'The seller name is longer than {limit} characters.':
    'Der Anbietername ist länger als {limit} Zeichen.',
  'The seller name contains line breaks or invisible control characters.':
    'Der Anbietername enthält Zeilenumbrüche oder unsichtbare Steuerzeichen.',
  'The address of your page must have {min} to {max} characters.':
    'Die Adresse Ihrer Seite muss {min} bis {max} Zeichen haben.',
  'This address is reserved. Choose another one.':
    'Diese Adresse ist reserviert. Wählen Sie eine andere.',
  'This address is taken. Choose another one.':
    'Diese Adresse ist vergeben. Wählen Sie eine andere.',
  'You have changed the address of your page {count} times within a year. Go back to an earlier one, or try again later.':
    'Sie haben die Adresse Ihrer Seite innerhalb eines Jahres {count}-mal geändert. Kehren Sie zu einer früheren zurück oder versuchen Sie es später erneut.',
  'The text about you is longer than {limit} characters.':
    'Der Text über Sie ist länger als {limit} Zeichen.',
  'The text about you contains invisible control characters.':
    'Der Text über Sie enthält unsichtbare Steuerzeichen.',
  'A page can have at most {limit} web addresses.':
    'Eine Seite kann höchstens {limit} Webadressen haben.',
  'Enter full web addresses that begin with https://, one on each line.':
    'Geben Sie vollständige Webadressen ein, die mit https:// beginnen, je Zeile eine.',
  'A web address cannot contain a password.': 'Eine Webadresse darf kein Passwort enthalten.',
  'A web address is longer than {limit} characters.':
    'Eine Webadresse ist länger als {limit} Zeichen.',
  'The name is longer than {limit} characters.': 'Der Name ist länger als {limit} Zeichen.',
  'The name contains invisible control characters.': 'Der Name enthält unsichtbare Steuerzeichen.',
  'An account can have at most {limit} secret keys. Revoke one that is not in use.':
    'Ein Konto kann höchstens {limit} geheime Schlüssel haben. Widerrufen Sie einen, der nicht gebraucht wird.',
  'This secret key does not exist. It may already have been revoked.':
    'Diesen geheimen Schlüssel gibt es nicht. Vielleicht wurde er schon widerrufen.',
  'Your balance is {amount}. Have it paid out before you delete your account.':
    'Ihr Guthaben beträgt {amount}. Lassen Sie es auszahlen, bevor Sie Ihr Konto löschen.',
  'Your balance is {amount} below zero. Settle it before you delete your account.':
    'Ihr Guthaben liegt {amount} unter null. Gleichen Sie es aus, bevor Sie Ihr Konto löschen.',
  'A payout to you is under way. Delete your account once it has arrived.':
    'Eine Auszahlung an Sie ist unterwegs. Löschen Sie Ihr Konto, sobald sie angekommen ist.',
} as const;

/** What somebody uses or used. */
export const DEVICE_FACTS = {
  '{browser} on {system}': '{browser} auf {system}',
  'Unknown device': 'Unbekanntes Gerät',
} as const;

/** Of pictures that somebody sends. */
export const PICTURE_FACTS = {
  'This file is not a picture. Choose a PNG, JPEG, WebP, AVIF or GIF file.':
    'Diese Datei ist kein Bild. Wählen Sie eine PNG-, JPEG-, WebP-, AVIF- oder GIF-Datei.',
  'Another cover is being uploaded from this account. Please wait until it is done.':
    'Von diesem Konto wird gerade ein anderes Titelbild hochgeladen. Bitte warten Sie, bis es fertig ist.',
  'The server is busy with other covers. Please try again in a few seconds.':
    'Der Server ist mit anderen Titelbildern beschäftigt. Bitte versuchen Sie es in einigen Sekunden erneut.',
  'This picture is damaged. Save it again, or choose another one.':
    'Dieses Bild ist beschädigt. Speichern Sie es neu oder wählen Sie ein anderes.',
  'This picture has more than 50 million pixels. Make it smaller first.':
    'Dieses Bild hat mehr als 50 Millionen Pixel. Verkleinern Sie es zuerst.',
  'The server does not have enough space for this picture. Please try again later.':
    'Der Server hat nicht genug Platz für dieses Bild. Bitte versuchen Sie es später erneut.',
} as const;

/** Of webhooks. */
export const HOOK_FACTS = {
  'The address must begin with https://.': 'Die Adresse muss mit https:// beginnen.',
  'An account can have at most {limit} webhooks. Delete one that is not in use.':
    'Ein Konto kann höchstens {limit} Webhooks haben. Löschen Sie einen, der nicht gebraucht wird.',
  'This webhook does not exist. It may have been deleted.':
    'Diesen Webhook gibt es nicht. Vielleicht wurde er gelöscht.',
  'Turn the webhook on first.': 'Schalten Sie den Webhook zuerst ein.',
  'This event is no longer kept. They are kept for 30 days.':
    'Dieses Ereignis ist nicht mehr gespeichert. Ereignisse werden 30 Tage aufbewahrt.',
  'There was no answer within {count} seconds.':
    'Innerhalb von {count} Sekunden kam keine Antwort.',
  'The connection failed: {why}': 'Die Verbindung ist fehlgeschlagen: {why}',
  'Nothing was sent, because {address} is not a public address.':
    'Es wurde nichts gesendet, weil {address} keine öffentliche Adresse ist.',
} as const;
