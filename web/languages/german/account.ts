/** What a creator sets up once. */
export const ACCOUNT = {
  Webhooks: 'Webhooks',
  Operator: 'Betreiber',
  'Saved. Hello, {name}.': 'Gespeichert. Hallo, {name}.',
  'How we greet you, here and in emails. Buyers do not see it.':
    'So sprechen wir Sie hier und in E-Mails an. Käufer sehen es nicht.',
  'Save name': 'Namen speichern',
  'Saved. Buyers see “by {name}”.': 'Gespeichert. Käufer sehen „von {name}“.',
  'Saved. Your links no longer show a seller name.':
    'Gespeichert. Ihre Links zeigen keinen Anbieternamen mehr.',
  'Shown to buyers on your links. Leave blank to sell without a name.':
    'Wird Käufern auf Ihren Links gezeigt. Lassen Sie das Feld leer, um ohne Namen zu verkaufen.',
  'Seller name': 'Anbietername',
  'Save seller name': 'Anbieternamen speichern',
  'Enter your current password.': 'Geben Sie Ihr aktuelles Passwort ein.',
  'This cannot be undone. Your links are taken off sale, and your name and email address are erased. Your buyers keep what they bought, and you can still open your own purchases with the links in your receipts.':
    'Das lässt sich nicht rückgängig machen. Ihre Links werden nicht mehr verkauft, und Ihr Name und Ihre E-Mail-Adresse werden gelöscht. Ihre Käufer behalten, was sie gekauft haben, und Sie können Ihre eigenen Käufe weiterhin mit den Links in Ihren Belegen öffnen.',
  'Your balance must be zero: have it paid out first.':
    'Ihr Guthaben muss null sein: Lassen Sie es zuerst auszahlen.',
  'Delete account': 'Konto löschen',
  'Sign in again first': 'Zuerst erneut anmelden',
  'Type your email address to confirm': 'Zur Bestätigung Ihre E-Mail-Adresse eingeben',
  'This browser cannot show notifications.':
    'Dieser Browser kann keine Benachrichtigungen anzeigen.',
  'An iPhone or iPad shows notifications only for apps. Add this site to the Home Screen (Share, then Add to Home Screen), open it from there, and turn them on here.':
    'iPhone und iPad zeigen Benachrichtigungen nur für Apps an. Fügen Sie diese Website zum Home-Bildschirm hinzu („Teilen“, dann „Zum Home-Bildschirm“), öffnen Sie sie von dort und schalten Sie die Benachrichtigungen hier ein.',
  'This browser blocks notifications from this site. Allow them in its settings for this site (beside the address), then reload this page.':
    'Dieser Browser blockiert Benachrichtigungen dieser Website. Erlauben Sie sie in seinen Einstellungen für diese Website (neben der Adresse) und laden Sie diese Seite dann neu.',
  'Shows each sale on this device, even when this site is closed, until you sign out here.':
    'Zeigt jeden Verkauf auf diesem Gerät an, auch wenn diese Website geschlossen ist, bis Sie sich hier abmelden.',
  'This browser shows each sale, until you sign out here.':
    'Dieser Browser zeigt jeden Verkauf an, bis Sie sich hier abmelden.',
  'This browser was not allowed to show notifications. Press the button again, and allow them.':
    'Dieser Browser darf keine Benachrichtigungen anzeigen. Betätigen Sie die Schaltfläche erneut und erlauben Sie sie.',
  'This browser could not reach its push service. Check whether its settings turn that off, and try again.':
    'Dieser Browser hat seinen Push-Dienst nicht erreicht. Prüfen Sie, ob er in den Einstellungen ausgeschaltet ist, und versuchen Sie es erneut.',
  'This browser shows each sale from now on.': 'Dieser Browser zeigt ab jetzt jeden Verkauf an.',
  'This browser no longer shows your sales.': 'Dieser Browser zeigt Ihre Verkäufe nicht mehr an.',
  '{device} no longer shows your sales.': '{device} zeigt Ihre Verkäufe nicht mehr an.',
  'In this browser': 'In diesem Browser',
  'Stop notifying me here': 'Hier nicht mehr benachrichtigen',
  'Notify me in this browser': 'In diesem Browser benachrichtigen',
  'Other browsers that show your sales': 'Andere Browser, die Ihre Verkäufe anzeigen',
  'Since {time}': 'Seit {time}',
  Stop: 'Beenden',
  'Stop notifying {device}': 'Beenden: Benachrichtigungen an {device}',
  'Your email address is now {email}.': 'Ihre E-Mail-Adresse ist jetzt {email}.',
  'You sign in with this address, and emails about your account are sent to it.':
    'Mit dieser Adresse melden Sie sich an, und an sie gehen E-Mails zu Ihrem Konto.',
  'Email address': 'E-Mail-Adresse',
  'If {email} is available, a six-digit code is on its way to it. Nothing changes until you enter it.':
    'Falls {email} verfügbar ist, ist ein sechsstelliger Code dorthin unterwegs. Bis Sie ihn eingeben, ändert sich nichts.',
  'Keep current address': 'Aktuelle Adresse behalten',
  'Change address': 'Adresse ändern',
  'Send code to new address': 'Code an neue Adresse senden',
  'New email address': 'Neue E-Mail-Adresse',
  'An email for each sale': 'Eine E-Mail für jeden Verkauf',
  'One email a day': 'Eine E-Mail am Tag',
  'No emails': 'Keine E-Mails',
  'How you hear about your sales.': 'Wie Sie von Ihren Verkäufen erfahren.',
  Notifications: 'Benachrichtigungen',
  Profile: 'Profil',
  Security: 'Sicherheit',
  Programs: 'Programme',
  'Save notifications': 'Benachrichtigungen speichern',
  'After {count} sales in an hour, the rest of that hour’s sales come in one email. Daily emails come after midnight UTC.':
    'Nach {count} Verkäufen innerhalb einer Stunde kommen die übrigen dieser Stunde in einer E-Mail. Tägliche E-Mails kommen nach Mitternacht UTC.',
  Sales: 'Verkäufe',
  'On Mondays: sales, refunds, your best links and your balance. None is sent after a week without sales or refunds.':
    'Montags: Verkäufe, Erstattungen, Ihre besten Links und Ihr Guthaben. Nach einer Woche ohne Verkäufe und Erstattungen wird keine gesendet.',
  'Email me a weekly summary': 'Jede Woche eine Zusammenfassung per E-Mail',
  'Added {name}.': '{name} wurde hinzugefügt.',
  'Removed {name}.': '{name} wurde entfernt.',
  'Sign in with your fingerprint, your face or a PIN instead of your password.':
    'Melden Sie sich mit Fingerabdruck, Gesicht oder PIN statt mit Ihrem Passwort an.',
  Passkeys: 'Passkeys',
  'No passkeys yet.': 'Noch keine Passkeys.',
  'Give the passkey a name.': 'Geben Sie dem Passkey einen Namen.',
  'New name of the passkey': 'Neuer Name des Passkeys',
  'Renamed to {name}.': 'Umbenannt in {name}.',
  Rename: 'Umbenennen',
  'Created for {domain}. It does not work here.':
    'Für {domain} erstellt. Hier funktioniert er nicht.',
  'Name of the new passkey': 'Name des neuen Passkeys',
  'Add a passkey': 'Passkey hinzufügen',
  'Adding...': 'Wird hinzugefügt …',
  'Added on {day}': 'Hinzugefügt am {day}',
  'Remove passkey': 'Passkey entfernen',
  'Remove {name}? You will no longer be able to sign in with it.':
    '{name} entfernen? Sie können sich damit dann nicht mehr anmelden.',
  'You sign in through another service and have no password here.':
    'Sie melden sich über einen anderen Dienst an und haben hier kein Passwort.',
  'Your password was changed, and you were signed out everywhere else.':
    'Ihr Passwort wurde geändert, und Sie wurden überall sonst abgemeldet.',
  'Your password was changed.': 'Ihr Passwort wurde geändert.',
  'Choose one that you do not use anywhere else.':
    'Wählen Sie eines, das Sie nirgendwo sonst verwenden.',
  'Change password': 'Passwort ändern',
  'Changing...': 'Wird geändert …',
  'New password': 'Neues Passwort',
  'Sign out everywhere else': 'Überall sonst abmelden',
  '{name} was revoked.': '{name} wurde widerrufen.',
  'For your own programs. You choose what each key can do; none can manage your account or pay out your money.':
    'Für Ihre eigenen Programme. Sie wählen, was jeder Schlüssel kann; Ihr Konto verwalten oder Ihr Geld auszahlen kann keiner.',
  'Secret keys': 'Geheime Schlüssel',
  'No secret keys yet.': 'Noch keine geheimen Schlüssel.',
  Read: 'Lesen',
  Sell: 'Verkaufen',
  Refund: 'Erstatten',
  'Give the key a name.': 'Geben Sie dem Schlüssel einen Namen.',
  'Choose what programs may do with the key.':
    'Wählen Sie, was Programme mit dem Schlüssel dürfen.',
  'Create key': 'Schlüssel erstellen',
  'What will use it, such as “Shop importer”. At most {count} characters.':
    'Was ihn verwenden wird, zum Beispiel „Shop-Import“. Höchstens {count} Zeichen.',
  'Name of a new key': 'Name eines neuen Schlüssels',
  'What programs may do with it': 'Was Programme mit ihm dürfen',
  'Your new key “{name}”': 'Ihr neuer Schlüssel „{name}“',
  'Copy it now: it will not be shown again. Anyone who has it can {what}.':
    'Kopieren Sie ihn jetzt: Er wird nicht noch einmal gezeigt. Wer ihn hat, kann {what}.',
  'the key {name}': 'den Schlüssel {name}',
  'I have saved it': 'Ich habe ihn gespeichert',
  'Created {time}': 'Erstellt am {time}',
  'Last used {time}': 'Zuletzt verwendet am {time}',
  'Never used': 'Nie verwendet',
  Revoke: 'Widerrufen',
  'Revoking...': 'Wird widerrufen …',
  'Revoke key': 'Schlüssel widerrufen',
  'Revoke {name}? Programs that use it will stop working at once. This cannot be undone.':
    '{name} widerrufen? Programme, die ihn verwenden, funktionieren dann sofort nicht mehr. Das lässt sich nicht rückgängig machen.',
  'Saved. Your page is public.': 'Gespeichert. Ihre Seite ist öffentlich.',
  'Saved. You have no page.': 'Gespeichert. Sie haben keine Seite.',
  'A page of your own with all your listed links. Leave the address blank to have none.':
    'Eine eigene Seite mit allen Ihren gelisteten Links. Lassen Sie die Adresse leer, um keine zu haben.',
  'Seller page': 'Anbieterseite',
  'Save seller page': 'Anbieterseite speichern',
  '{address} Letters from a to z, digits and hyphens. If you change it, the old address leads to the new one for a year.':
    '{address} Buchstaben von a bis z, Ziffern und Bindestriche. Wenn Sie die Adresse ändern, führt die frühere ein Jahr lang zur neuen.',
  Address: 'Adresse',
  'About you': 'Über Sie',
  'At most {count}, one on each line, such as https://example.com.':
    'Höchstens {count}, je Zeile eine, zum Beispiel https://example.com.',
  'Your other pages': 'Ihre anderen Seiten',
  Picture: 'Bild',
  'PNG, JPEG, WebP, AVIF or GIF, at most 10 MB. It is cropped to a square.':
    'PNG, JPEG, WebP, AVIF oder GIF, höchstens 10\u00a0MB. Es wird quadratisch zugeschnitten.',
  'Remove picture': 'Bild entfernen',
  'Saved. Your page shows the new picture.': 'Gespeichert. Ihre Seite zeigt das neue Bild.',
  'Sign out any device you do not recognize or no longer use, and change your password.':
    'Melden Sie Geräte ab, die Sie nicht kennen oder nicht mehr verwenden, und ändern Sie Ihr Passwort.',
  'Sign out any device you do not recognize or no longer use.':
    'Melden Sie Geräte ab, die Sie nicht kennen oder nicht mehr verwenden.',
  'Where you are signed in': 'Wo Sie angemeldet sind',
  'This device': 'Dieses Gerät',
  'Signed in {time}': 'Angemeldet am {time}',
  '{device} was signed out.': '{device} wurde abgemeldet.',
  'Sign out': 'Abmelden',
  'You are signed out everywhere else.': 'Sie sind überall sonst abgemeldet.',
  'Two-factor sign-in is {state}.': 'Die Zwei-Faktor-Anmeldung ist {state}.',
  on: 'eingeschaltet',
  off: 'ausgeschaltet',
  'Save these backup codes': 'Speichern Sie diese Backup-Codes',
  'Each one lets you sign in once when you do not have your app at hand. They will not be shown again.':
    'Mit jedem können Sie sich einmal anmelden, wenn Sie Ihre App nicht zur Hand haben. Sie werden nicht noch einmal gezeigt.',
  'the backup codes': 'die Backup-Codes',
  'I have saved them': 'Ich habe sie gespeichert',
  'Add this account to your app': 'Dieses Konto zu Ihrer App hinzufügen',
  'QR code with the key below': 'QR-Code mit dem Schlüssel darunter',
  'Scan the code with an authenticator app, or type this key into it:':
    'Scannen Sie den Code mit einer Authentifizierungs-App oder geben Sie dort diesen Schlüssel ein:',
  'the key': 'den Schlüssel',
  'Then enter the six-digit code from the app.':
    'Geben Sie dann den sechsstelligen Code aus der App ein.',
  'Asks for a code from an app on your phone after your password, so that a stolen password alone is not enough.':
    'Fragt nach dem Passwort nach einem Code aus einer App auf Ihrem Telefon, sodass ein gestohlenes Passwort allein nicht genügt.',
  'Two-factor sign-in': 'Zwei-Faktor-Anmeldung',
  'From now on, your password alone is enough to sign in.':
    'Ab jetzt genügt Ihr Passwort, um sich anzumelden.',
  'Turn off two-factor sign-in': 'Ausschalten: Zwei-Faktor-Anmeldung',
  'Turn on two-factor sign-in': 'Einschalten: Zwei-Faktor-Anmeldung',
} as const;
