/** What is stored about people. {operator} stands in the accusative. */
export const PRIVACY = {
  'What {site} stores about you, why, and for how long.':
    'Was {site} über Sie speichert, warum und wie lange.',
  'This site is run by {operator}, called “we” below, who is responsible for the data described here. We store what is needed to sell, pay for and deliver content, and nothing for advertising. There are no trackers and no third-party scripts on this site.':
    'Diese Website wird durch {operator} betrieben, im Folgenden „wir“ genannt. Wir sind für die hier beschriebenen Daten verantwortlich. Wir speichern, was nötig ist, um Inhalte zu verkaufen, zu bezahlen und zu liefern, und nichts für Werbung. Auf dieser Website gibt es keine Tracker und keine Skripte Dritter.',
  'The minimum age is 13. We do not knowingly store data about younger children.':
    'Das Mindestalter beträgt 13 Jahre. Wir speichern nicht wissentlich Daten jüngerer Kinder.',
  'Stripe, our card payment provider, handles the payments; your card number never reaches us.':
    'Stripe, unser Dienstleister für Kartenzahlungen, wickelt die Zahlungen ab; Ihre Kartennummer erreicht uns nie.',
  'Prices are typically 1 to 5 dollars, and all sales are final.':
    'Die Preise liegen meist bei 1 bis 5 Dollar, und alle Verkäufe sind endgültig.',
  'Sellers set their own prices, typically 1 to 5 dollars; we keep a small platform fee per transaction ({fee}), and all sales are final.':
    'Anbieter legen ihre Preise selbst fest, meist 1 bis 5 Dollar; wir behalten pro Transaktion eine kleine Plattformgebühr ein ({fee}), und alle Verkäufe sind endgültig.',
  'The records of a sale are therefore kept even when an account is deleted.':
    'Die Aufzeichnungen über einen Verkauf werden daher auch dann aufbewahrt, wenn ein Konto gelöscht wird.',
  'We use only strictly necessary cookies, and we do not sell data to anyone.':
    'Wir verwenden nur unbedingt erforderliche Cookies und verkaufen keine Daten.',
  'If you create an account': 'Wenn Sie ein Konto erstellen',
  'We store your first name, your email address, a one-way hash of your password, when and from which browser and network address you signed in, the links and files you create, and the record of your sales.':
    'Wir speichern Ihren Vornamen, Ihre E-Mail-Adresse, einen nicht umkehrbaren Hashwert Ihres Passworts, wann und von welchem Browser und welcher Netzwerkadresse aus Sie sich angemeldet haben, die Links und Dateien, die Sie erstellen, und die Aufzeichnungen über Ihre Verkäufe.',
  'We store your first name, your email address, a one-way hash of your password, when and from which browser and network address you signed in, the links and files you create, and the record of your sales and balance.':
    'Wir speichern Ihren Vornamen, Ihre E-Mail-Adresse, einen nicht umkehrbaren Hashwert Ihres Passworts, wann und von welchem Browser und welcher Netzwerkadresse aus Sie sich angemeldet haben, die Links und Dateien, die Sie erstellen, und die Aufzeichnungen über Ihre Verkäufe und Ihr Guthaben.',
  'Your name and email address are not shown to buyers. What you choose to show is public: the seller name and the page of your own, if you set them up, and the title, description and cover of each link. An unlisted link is shown only to people who have its address. Uploaded files can be read by you and by people who have bought them. If you sign in through another service, we receive your name, your email address and your identifier there. We need this to run your account; the legal basis is our contract with you.':
    'Ihr Name und Ihre E-Mail-Adresse werden Käufern nicht gezeigt. Was Sie zeigen wollen, ist öffentlich: der Anbietername und Ihre eigene Seite, wenn Sie sie einrichten, und der Titel, die Beschreibung und das Titelbild jedes Links. Ein nicht gelisteter Link wird nur denen gezeigt, die seine Adresse haben. Hochgeladene Dateien können Sie lesen und alle, die sie gekauft haben. Wenn Sie sich über einen anderen Dienst anmelden, erhalten wir von dort Ihren Namen, Ihre E-Mail-Adresse und Ihre dortige Kennung. Wir brauchen das, um Ihr Konto zu führen; Rechtsgrundlage ist unser Vertrag mit Ihnen.',
  'If you buy something': 'Wenn Sie etwas kaufen',
  'You need no account. The card payment provider receives your card details and tells us your email address, the amount and whether the payment succeeded. We use this to send your receipt and give you access; the legal basis is our contract with you. We record when, and how much of, your purchase was delivered, and from which browser and network address you bought and downloaded it, because we and the sellers have a legitimate interest in settling disputes fairly: if you dispute the payment at your bank, the bank is sent these records by our payment provider. Sellers see that a sale was made, not who you are; they can have your receipt sent to you again without seeing your address, and refund you.':
    'Sie brauchen kein Konto. Der Dienstleister für Kartenzahlungen erhält Ihre Kartendaten und teilt uns Ihre E-Mail-Adresse, den Betrag und den Erfolg der Zahlung mit. Wir verwenden das, um Ihnen den Beleg zu senden und Zugang zu geben; Rechtsgrundlage ist unser Vertrag mit Ihnen. Wir zeichnen auf, wann und wie viel von Ihrem Kauf geliefert wurde und von welchem Browser und welcher Netzwerkadresse aus Sie gekauft und heruntergeladen haben, weil wir und die Anbieter ein berechtigtes Interesse daran haben, Streitfälle fair zu klären: Wenn Sie die Zahlung bei Ihrer Bank beanstanden, sendet unser Zahlungsdienstleister der Bank diese Aufzeichnungen. Anbieter sehen, dass etwas verkauft wurde, nicht, wer Sie sind; sie können Ihnen den Beleg erneut senden lassen, ohne Ihre Adresse zu sehen, und Ihnen das Geld erstatten.',
  'If your purchase comes with a license key, the program that uses it may send us a name for each of your devices. The seller sees these names.':
    'Gehört zu Ihrem Kauf ein Lizenzschlüssel, kann das Programm, das ihn verwendet, uns für jedes Ihrer Geräte einen Namen senden. Der Anbieter sieht diese Namen.',
  'Each browser that opens your purchase holds a random value for it, of which we store a hash and when it was last used. “Forget this browser” on the page of {purchases} removes both; your purchases and their records stay. If you look for purchases by email, the address you enter is kept until the email is sent, or until it turns out that there is nothing to send.':
    'Jeder Browser, der Ihren Kauf öffnet, bewahrt dafür einen zufälligen Wert auf, von dem wir einen Hashwert und den Zeitpunkt der letzten Verwendung speichern. „Diesen Browser vergessen“ auf der Seite {purchases} entfernt beides; Ihre Käufe und die Aufzeichnungen darüber bleiben. Wenn Sie Käufe per E-Mail suchen, wird die eingegebene Adresse aufbewahrt, bis die E-Mail gesendet ist oder bis sich herausstellt, dass es nichts zu senden gibt.',
  'your purchases': '„Ihre Käufe“',
  'If you buy something for someone else, we email them once, with your message. Their address and your message are kept with your purchase, here and at the payment provider; nobody else sees them, except the bank if you dispute the payment.':
    'Wenn Sie etwas für jemand anderen kaufen, schreiben wir dieser Person einmal per E-Mail, mit Ihrer Nachricht. Deren Adresse und Ihre Nachricht werden mit Ihrem Kauf aufbewahrt, hier und beim Zahlungsdienstleister; sonst sieht sie niemand, außer der Bank, wenn Sie die Zahlung beanstanden.',
  'If you only look around': 'Wenn Sie sich nur umsehen',
  'The server uses your network address to respond to you and to slow down attacks. It keeps short technical records of errors, such as the time and address of a failed request. The legal basis is our legitimate interest in a site that is safe and works.':
    'Der Server verwendet Ihre Netzwerkadresse, um Ihnen zu antworten und Angriffe zu bremsen. Er bewahrt kurze technische Aufzeichnungen über Fehler auf, etwa Zeit und Adresse einer fehlgeschlagenen Anfrage. Rechtsgrundlage ist unser berechtigtes Interesse an einer sicheren und funktionierenden Website.',
  'Views of paywall pages are counted without cookies. To count each visitor once, your network address and browser are hashed together with a random value that changes every day; the hash stays in memory for a day at most and is never stored. Sellers see how many views there were and which sites they came from, not who viewed.':
    'Aufrufe der Seiten von Links werden ohne Cookies gezählt. Um jeden Besucher einmal zu zählen, wird aus Ihrer Netzwerkadresse, Ihrem Browser und einem täglich wechselnden zufälligen Wert ein Hashwert gebildet; er bleibt höchstens einen Tag im Arbeitsspeicher und wird nie gespeichert. Anbieter sehen, wie viele Aufrufe es gab und von welchen Websites sie kamen, nicht, wer aufgerufen hat.',
  'If you report a link, we keep what you write, and your email address if you give it, for a year. The seller sees neither.':
    'Wenn Sie einen Link melden, bewahren wir auf, was Sie schreiben, und, wenn Sie sie angeben, Ihre E-Mail-Adresse, ein Jahr lang. Der Anbieter sieht beides nicht.',
  Cookies: 'Cookies',
  '{cookie} keeps you signed in, for up to 30 days or until you sign out.':
    '{cookie} hält Sie angemeldet, bis zu 30 Tage oder bis Sie sich abmelden.',
  '{cookie} lets a browser open what you bought. It is set when you start a checkout, put something into your cart, or open a link that we sent you, and lasts 400 days or until you have the browser forgotten.':
    '{cookie} lässt einen Browser öffnen, was Sie gekauft haben. Es wird gesetzt, wenn Sie einen Bezahlvorgang beginnen, etwas in Ihren Warenkorb legen oder einen Link öffnen, den wir Ihnen gesendet haben, und bleibt 400 Tage oder bis Sie den Browser vergessen lassen.',
  '{cookie} tells your browser apart from a stranger’s when someone tries to guess your password. It is set when you sign in and lasts 180 days.':
    '{cookie} unterscheidet Ihren Browser von dem eines Fremden, wenn jemand Ihr Passwort zu erraten versucht. Es wird gesetzt, wenn Sie sich anmelden, und bleibt 180 Tage.',
  '{cookie} keeps the language that you choose at the foot of a page, for a year.':
    '{cookie} merkt sich ein Jahr lang die Sprache, die Sie am Fuß einer Seite wählen.',
  '{cookie} remembers for a year which kind of program you last exported a table for.':
    '{cookie} merkt sich ein Jahr lang, für welche Art von Programm Sie zuletzt eine Tabelle exportiert haben.',
  'While you sign up or sign in, a cookie that lasts a day at most may remember which step you are on and the address you typed. While content is being opened, one that lasts half a minute at most tells the page when it has started to arrive. All of them are strictly necessary, so we do not ask for consent; we set no others. Your browser also remembers the colors you chose, a random number by which two checkouts begun at once are known to be yours, how far you have played what you bought, and, once you have signed in here, which account is signed in, so that its other tabs notice when that changes, and whose sales it shows, if you turned that on.':
    'Während Sie sich registrieren oder anmelden, kann sich ein Cookie, das höchstens einen Tag bleibt, den aktuellen Schritt und die eingegebene Adresse merken. Während Inhalte geöffnet werden, sagt eines, das höchstens eine halbe Minute bleibt, der Seite, wann sie ankommen. Alle sind unbedingt erforderlich, daher fragen wir nicht nach einer Einwilligung; andere setzen wir nicht. Ihr Browser merkt sich außerdem die Farben, die Sie gewählt haben, eine Zufallszahl, an der zwei gleichzeitig begonnene Bezahlvorgänge als Ihre zu erkennen sind, wie weit Sie Gekauftes abgespielt haben, und, sobald Sie sich hier angemeldet haben, welches Konto angemeldet ist, damit seine anderen Tabs bemerken, wenn sich das ändert, und wessen Verkäufe er zeigt, wenn Sie das eingeschaltet haben.',
  'Who else receives data': 'Wer sonst Daten erhält',
  'Stripe, our card payment provider, under its own {policy}.':
    'Stripe, unser Dienstleister für Kartenzahlungen, gemäß seinen eigenen {policy}.',
  'privacy policy': 'Datenschutzbestimmungen',
  'The hosting and email services this site runs on, which act on our instructions.':
    'Die Hosting- und E-Mail-Dienste, auf denen diese Website läuft und die nach unseren Weisungen handeln.',
  'The push service of your browser’s maker, if you have that browser notify you of your sales. What we send is encrypted for your browser.':
    'Der Push-Dienst des Herstellers Ihres Browsers, wenn Sie sich von diesem Browser über Ihre Verkäufe benachrichtigen lassen. Was wir senden, ist für Ihren Browser verschlüsselt.',
  'Authorities, where the law requires it.': 'Behörden, soweit das Gesetz es verlangt.',
  'If data leaves your country, the safeguards required by the law where you live apply.':
    'Wenn Daten Ihr Land verlassen, gelten die Garantien, die das Recht Ihres Wohnorts verlangt.',
  'How long we keep it': 'Wie lange wir sie aufbewahren',
  'Account data: while you have the account. Deleting it erases your name and address.':
    'Kontodaten: solange Sie das Konto haben. Mit dem Konto werden Ihr Name und Ihre Adresse gelöscht.',
  'Records of payments: as long as tax and accounting law requires, also after an account is gone.':
    'Aufzeichnungen über Zahlungen: so lange, wie das Steuer- und Handelsrecht es verlangt, auch nach dem Ende eines Kontos.',
  'From which browser and network address you bought and downloaded: 180 days, or until you delete your account.':
    'Von welchem Browser und welcher Netzwerkadresse aus Sie gekauft und heruntergeladen haben: 180 Tage oder bis Sie Ihr Konto löschen.',
  'A file: as long as its link, or the access of someone who bought it, requires it.':
    'Eine Datei: solange ihr Link oder der Zugang von jemandem, der sie gekauft hat, es erfordert.',
  'Where a browser is notified of your sales: until it is signed out or you turn it off.':
    'Wo ein Browser über Ihre Verkäufe benachrichtigt wird: bis er abgemeldet wird oder Sie es ausschalten.',
  'Codes: ten minutes. Unfinished uploads: about a day after they were last continued.':
    'Codes: zehn Minuten. Unfertige Uploads: etwa einen Tag, nachdem sie zuletzt fortgesetzt wurden.',
  'How we protect it': 'Wie wir sie schützen',
  'Passwords, codes and purchase cookies are stored as hashes. Files are stored outside what the web server serves, and every download is checked. Staff access is limited to what running the site requires.':
    'Passwörter, Codes und Kauf-Cookies werden als Hashwerte gespeichert. Dateien liegen außerhalb dessen, was der Webserver ausliefert, und jeder Download wird geprüft. Der Zugriff von Mitarbeitern ist auf das beschränkt, was der Betrieb der Website erfordert.',
  'Your rights': 'Ihre Rechte',
  'You may ask for a copy of your data, have it corrected or deleted where no law requires us to keep it, restrict or object to its use, and take it with you. You can change your name and email address, and delete your account, on the account page. You may also complain to the data protection authority where you live.':
    'Sie können eine Kopie Ihrer Daten verlangen, sie berichtigen oder, soweit uns kein Gesetz zur Aufbewahrung verpflichtet, löschen lassen, ihre Verarbeitung einschränken lassen oder ihr widersprechen und sie mitnehmen. Ihren Namen und Ihre E-Mail-Adresse können Sie auf der Kontoseite ändern und dort auch Ihr Konto löschen. Sie können sich außerdem bei der Datenschutzbehörde Ihres Wohnorts beschweren.',
  Children: 'Kinder',
  'The site is not for children under 13. If you believe that we hold data about a child under 13, tell us and we will delete it.':
    'Die Website ist nicht für Kinder unter 13 Jahren bestimmt. Wenn Sie glauben, dass wir Daten eines Kindes unter 13 Jahren haben, sagen Sie es uns, und wir löschen sie.',
  Changes: 'Änderungen',
  'When this page changes in a way that matters, we tell sellers by email. The version shown here is the one in force.':
    'Wenn sich diese Seite wesentlich ändert, informieren wir Anbieter per E-Mail. Es gilt die hier gezeigte Fassung.',
} as const;
