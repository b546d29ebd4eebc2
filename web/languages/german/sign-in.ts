/** How an account is made and entered. */
export const SIGN_IN = {
  'Sign in to {site}, or create an account to sell your files.':
    'Melden Sie sich bei {site} an oder erstellen Sie ein Konto, um Ihre Dateien zu verkaufen.',
  'Enter your code': 'Code eingeben',
  'Create your account': 'Konto erstellen',
  'What is your name?': 'Wie heißen Sie?',
  'Forgot your password?': 'Passwort vergessen?',
  'Check your email': 'Prüfen Sie Ihre E-Mails',
  'Choose a new password': 'Neues Passwort wählen',
  'Ask the operator for an invitation to create an account.':
    'Bitten Sie den Betreiber um eine Einladung, um ein Konto zu erstellen.',
  'Loading dashboard...': 'Übersicht wird geladen …',
  'The sign-in was canceled. You can try again at any time.':
    'Die Anmeldung wurde abgebrochen. Sie können es jederzeit erneut versuchen.',
  'That account does not share an email address, so it cannot be used here.':
    'Dieses Konto gibt keine E-Mail-Adresse weiter, daher kann es hier nicht verwendet werden.',
  'The email address of that account is not confirmed. Confirm it there, then sign in again.':
    'Die E-Mail-Adresse dieses Kontos ist nicht bestätigt. Bestätigen Sie sie dort und melden Sie sich dann erneut an.',
  'The sign-in service did not give a valid response. Please try again.':
    'Der Anmeldedienst hat keine gültige Antwort gegeben. Bitte versuchen Sie es erneut.',
  'That sign-in took too long or was started in another browser. Please try again.':
    'Diese Anmeldung hat zu lange gedauert oder wurde in einem anderen Browser begonnen. Bitte versuchen Sie es erneut.',
  'There were too many sign-ins from your network. Wait a minute and try again; if that does not help, try tomorrow.':
    'Aus Ihrem Netzwerk gab es zu viele Anmeldungen. Warten Sie eine Minute und versuchen Sie es dann erneut; wenn das nicht hilft, versuchen Sie es morgen.',
  'Two-factor sign-in protects the account with this address. Sign in with your password or a passkey.':
    'Das Konto mit dieser Adresse ist durch die Zwei-Faktor-Anmeldung geschützt. Melden Sie sich mit Ihrem Passwort oder einem Passkey an.',
  'The response of the sign-in service could not be trusted. Please try again.':
    'Der Antwort des Anmeldedienstes war nicht zu trauen. Bitte versuchen Sie es erneut.',
  'Sign-in failed. Please try again.':
    'Die Anmeldung ist fehlgeschlagen. Bitte versuchen Sie es erneut.',
  'Create account': 'Konto erstellen',
  'Creating your account...': 'Konto wird erstellt …',
  'Signing in...': 'Anmeldung läuft …',
  'Sign in with a passkey': 'Mit einem Passkey anmelden',
  'Sign in with {service}': 'Mit {service} anmelden',
  or: 'oder',
  'By creating an account you agree to the {terms} and the {privacy} page. Minimum age 13.':
    'Mit dem Erstellen eines Kontos stimmen Sie den {terms} und der Seite {privacy} zu. Das Mindestalter ist 13 Jahre.',
  'We sent a six-digit code to {email}. Enter it to confirm your address.':
    'Wir haben einen sechsstelligen Code an {email} gesendet. Geben Sie ihn ein, um Ihre Adresse zu bestätigen.',
  Confirm: 'Bestätigen',
  'Use a different email': 'Andere E-Mail-Adresse verwenden',
  'You are signed in. One thing is missing: your first name.':
    'Sie sind angemeldet. Eines fehlt noch: Ihr Vorname.',
  'A new code is on its way.': 'Ein neuer Code ist unterwegs.',
  'Open the mailbox': 'Postfach öffnen',
  'Open the mailbox in a new tab': 'Postfach in einem neuen Tab öffnen',
  'Enter your email address, and we will send you a code to choose a new password.':
    'Geben Sie Ihre E-Mail-Adresse ein. Wir senden Ihnen einen Code, mit dem Sie ein neues Passwort wählen können.',
  'Send code': 'Code senden',
  'If {email} has an account, a six-digit code is on its way to it. A new password signs you out everywhere and revokes your secret keys.':
    'Falls es zu {email} ein Konto gibt, ist ein sechsstelliger Code dorthin unterwegs. Mit einem neuen Passwort werden Sie überall abgemeldet und Ihre geheimen Schlüssel widerrufen.',
  'Save new password': 'Neues Passwort speichern',
  'Your new password is saved.': 'Ihr neues Passwort ist gespeichert.',
  'Enter the six-digit code from your authenticator app.':
    'Geben Sie den sechsstelligen Code aus Ihrer Authentifizierungs-App ein.',
  'Use a backup code': 'Backup-Code verwenden',
  'Enter one of the backup codes you saved. Each works once.':
    'Geben Sie einen der Backup-Codes ein, die Sie gespeichert haben. Jeder gilt einmal.',
  'Enter a backup code.': 'Geben Sie einen Backup-Code ein.',
  'Use your authenticator app': 'Authentifizierungs-App verwenden',
  'Back to sign in': 'Zurück zur Anmeldung',
  'Backup code': 'Backup-Code',
  'Enter the six-digit code from the email.':
    'Geben Sie den sechsstelligen Code aus der E-Mail ein.',
  'Enter the six-digit code from your app.': 'Geben Sie den sechsstelligen Code aus Ihrer App ein.',
  'Enter your email address.': 'Geben Sie Ihre E-Mail-Adresse ein.',
  'Enter a full email address, like name@example.com.':
    'Geben Sie eine vollständige E-Mail-Adresse ein, zum Beispiel name@example.com.',
  'Enter your first name.': 'Geben Sie Ihren Vornamen ein.',
  'Enter your password.': 'Geben Sie Ihr Passwort ein.',
  'Confirm Password': 'Passwort bestätigen',
  'The passwords do not match.': 'Die Passwörter stimmen nicht überein.',
  done: 'erfüllt',
  missing: 'fehlt noch',
  'You are signed out': 'Sie sind abgemeldet',
  'Sign in to see this page again. Any unsaved changes are still here.':
    'Melden Sie sich an, um diese Seite wieder zu sehen. Nicht gespeicherte Änderungen sind noch da.',
  'Another account is signed in': 'Ein anderes Konto ist angemeldet',
  'This page belongs to the account that was signed in before. Sign in to that account to see it again. Any unsaved changes are still here.':
    'Diese Seite gehört zu dem Konto, das vorher angemeldet war. Melden Sie sich mit diesem Konto an, um sie wieder zu sehen. Nicht gespeicherte Änderungen sind noch da.',
  'Open the dashboard': 'Übersicht öffnen',
  'This page is hidden for now': 'Diese Seite ist vorerst ausgeblendet',
  'Your sign-in could not be checked. This is tried again every minute. Any unsaved changes are still here.':
    'Ihre Anmeldung konnte nicht geprüft werden. Das wird jede Minute erneut versucht. Nicht gespeicherte Änderungen sind noch da.',
} as const;
