/** What accounts are mailed of themselves. */
export const ACCOUNT_MAILS = {
  Hello: 'Guten Tag',
  'Hello,': 'Guten Tag,',
  'Hello, {name}': 'Guten Tag, {name}',
  Welcome: 'Willkommen',
  'Open your account page': 'Kontoseite öffnen',
  '{list} and {next}': '{list} und {next}',
  '{list} or {next}': '{list} oder {next}',
  'This email arrived': 'Diese E-Mail ist angekommen',
  'Enter this code on the page where you set up the site:':
    'Geben Sie diesen Code auf der Seite ein, auf der Sie die Website einrichten:',
  'It works for ten minutes. If you did not request it, you can ignore this email.':
    'Er gilt zehn Minuten. Falls Sie ihn nicht angefordert haben, können Sie diese E-Mail ignorieren.',
  'Enter this code to use this address for your account:':
    'Geben Sie diesen Code ein, um diese Adresse für Ihr Konto zu verwenden:',
  'Enter this code to choose a new password:':
    'Geben Sie diesen Code ein, um ein neues Passwort zu wählen:',
  'Enter this code to confirm your email address:':
    'Geben Sie diesen Code ein, um Ihre E-Mail-Adresse zu bestätigen:',
  'If you did not request it, you can ignore this email. Nothing changes without the code.':
    'Wenn Sie ihn nicht angefordert haben, können Sie diese E-Mail ignorieren. Ohne den Code ändert sich nichts.',
  'If you did not request it, you can ignore this email. Your password stays as it is.':
    'Wenn Sie ihn nicht angefordert haben, können Sie diese E-Mail ignorieren. Ihr Passwort bleibt, wie es ist.',
  'If you did not sign up, you can ignore this email.':
    'Wenn Sie sich nicht registriert haben, können Sie diese E-Mail ignorieren.',
  'You already have an account at {site}': 'Sie haben bereits ein {site}-Konto',
  'Someone, probably you, tried to sign up with this address. You can simply sign in.':
    'Jemand, vermutlich Sie, wollte sich mit dieser Adresse registrieren. Sie können sich einfach anmelden.',
  'Forgot your password? Choose a new one on the sign-in page. Nothing has changed.':
    'Passwort vergessen? Wählen Sie auf der Anmeldeseite ein neues. Es hat sich nichts geändert.',
  'Your {site} password was changed': 'Ihr {site}-Passwort wurde geändert',
  'The password of your account has just been changed with a code from this mailbox. All devices were signed out and all secret keys revoked.':
    'Das Passwort Ihres Kontos wurde soeben mit einem Code aus diesem Postfach geändert. Alle Geräte wurden abgemeldet und alle geheimen Schlüssel widerrufen.',
  'The password of your account has just been changed.':
    'Das Passwort Ihres Kontos wurde soeben geändert.',
  'If this was not you, choose a new password at once with “Forgot your password?” on the sign-in page.':
    'Wenn Sie das nicht waren, wählen Sie sofort mit „Passwort vergessen?“ auf der Anmeldeseite ein neues Passwort.',
  'Your {site} email address was changed': 'Ihre E-Mail-Adresse bei {site} wurde geändert',
  'You now sign in with {email}. This address no longer belongs to your account.':
    'Sie melden sich jetzt mit {email} an. Diese Adresse gehört nicht mehr zu Ihrem Konto.',
  'If this was not you, someone else knows your password: contact us at once.':
    'Wenn Sie das nicht waren, kennt jemand anderes Ihr Passwort: Wenden Sie sich sofort an uns.',
  'Your {site} account was deleted': 'Ihr {site}-Konto wurde gelöscht',
  'Your account, your name and your links were deleted. Your buyers keep what they bought.':
    'Ihr Konto, Ihr Name und Ihre Links wurden gelöscht. Ihre Käufer behalten, was sie gekauft haben.',
  'You can still open your own purchases with the personal links in your receipts.':
    'Ihre eigenen Käufe können Sie weiterhin mit den persönlichen Links in Ihren Belegen öffnen.',
  'Two-factor sign-in was turned off': 'Die Zwei-Faktor-Anmeldung wurde ausgeschaltet',
  'Signing in to your account no longer asks for a code from your app.':
    'Bei der Anmeldung an Ihrem Konto wird kein Code aus Ihrer App mehr verlangt.',
  'If this was not you, someone else knows your password: choose a new one at once, with “Forgot your password?”, and turn two-factor sign-in on again.':
    'Wenn Sie das nicht waren, kennt jemand anderes Ihr Passwort: Wählen Sie sofort mit „Passwort vergessen?“ ein neues und schalten Sie die Zwei-Faktor-Anmeldung wieder ein.',
  'A passkey was added to your account': 'Ihrem Konto wurde ein Passkey hinzugefügt',
  'A device can now sign in to your account with a passkey, without your password. If this was not you, remove it on your account page and choose a new password at once.':
    'Ein Gerät kann sich jetzt mit einem Passkey an Ihrem Konto anmelden, ohne Ihr Passwort. Wenn Sie das nicht waren, entfernen Sie ihn auf Ihrer Kontoseite und wählen Sie sofort ein neues Passwort.',
  'A secret key was created for your account':
    'Für Ihr Konto wurde ein geheimer Schlüssel erstellt',
  'With the new secret key “{name}”, a program can {powers}. If this was not you, revoke it on your account page and choose a new password at once.':
    'Mit dem neuen geheimen Schlüssel „{name}“ kann ein Programm {powers}. Wenn Sie das nicht waren, widerrufen Sie ihn auf Ihrer Kontoseite und wählen Sie sofort ein neues Passwort.',
  'see your links, files, sales and money': 'Ihre Links, Dateien, Verkäufe und Ihr Geld sehen',
  'upload files, and see, create, change and delete your links and files':
    'Dateien hochladen sowie Ihre Links und Dateien sehen, erstellen, ändern und löschen',
  'refund your sales': 'Ihre Verkäufe erstatten',
  'For three days, no payout can be requested or sent.':
    'Drei Tage lang kann keine Auszahlung angefordert oder gesendet werden.',
  'These still give access to it: {keys}. Remove any that you do not recognize on your account page.':
    'Weiterhin Zugang zu Ihrem Konto geben: {keys}. Entfernen Sie auf Ihrer Kontoseite alles, was Sie nicht kennen.',
  '1 passkey': '1 Passkey',
  '{count} passkeys': '{count} Passkeys',
  '1 secret key': '1 geheimer Schlüssel',
  '{count} secret keys': '{count} geheime Schlüssel',
  'Signing in with {services} still works: if you do not use that, contact us.':
    'Die Anmeldung mit {services} funktioniert weiterhin: Wenn Sie sie nicht nutzen, wenden Sie sich an uns.',
  'A webhook of your account was turned off': 'Ein Webhook Ihres Kontos wurde ausgeschaltet',
  'For three days, {address} accepted nothing that we sent, so it was turned off. Your webhooks page shows what it answered.':
    'Drei Tage lang hat {address} nichts von dem angenommen, was wir gesendet haben, daher wurde der Webhook ausgeschaltet. Ihre Webhook-Seite zeigt, was geantwortet wurde.',
  'Once it works, turn it on again. What was not delivered can be sent again on that page for 30 days.':
    'Schalten Sie ihn wieder ein, sobald er funktioniert. Was nicht zugestellt wurde, kann auf dieser Seite 30 Tage lang erneut gesendet werden.',
  'Open your webhooks': 'Webhooks öffnen',
  'You are invited to help run {host}': 'Sie sind eingeladen, {host} mit zu betreiben',
  'You are invited to sell on {host}': 'Sie sind eingeladen, auf {host} zu verkaufen',
  'Create an account with this email address, or sign in if you have one.':
    'Erstellen Sie mit dieser E-Mail-Adresse ein Konto, oder melden Sie sich an, wenn Sie eines haben.',
  'Accept the invitation': 'Einladung annehmen',
  'The invitation is valid until {time}. If you did not expect it, you do not have to do anything.':
    'Die Einladung gilt bis {time}. Wenn Sie sie nicht erwartet haben, müssen Sie nichts tun.',
  'Your {site} account was restored': 'Ihr {site}-Konto wurde wiederhergestellt',
  'You can sign in again. Your links are on sale as they were, and payouts can be sent again.':
    'Sie können sich wieder anmelden. Ihre Links werden verkauft wie zuvor, und Auszahlungen können wieder gesendet werden.',
  'Your {site} account was suspended': 'Ihr {site}-Konto wurde gesperrt',
  'The operator of this site has suspended your account. Reason: {reason}':
    'Der Betreiber dieser Website hat Ihr Konto gesperrt. Grund: {reason}',
  'You cannot sign in, your links are not on sale, and your payouts are held. Your buyers keep what they bought, and the personal links in your own receipts still work.':
    'Sie können sich nicht anmelden, Ihre Links werden nicht verkauft, und Ihre Auszahlungen werden zurückgehalten. Ihre Käufer behalten, was sie gekauft haben, und die persönlichen Links in Ihren eigenen Belegen funktionieren weiterhin.',
} as const;
