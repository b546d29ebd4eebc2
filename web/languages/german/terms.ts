/** The terms. {operator} stands in the accusative. */
export const TERMS = {
  'The terms of selling and buying through {site}, in plain language.':
    'Die Bedingungen für das Verkaufen und Kaufen mit {site} in klaren Worten.',
  'On this site we sell access to files and web addresses through links. “We” are {operator}, who runs the site; nobody else sells here. Anyone who pays for a link is a “buyer”. By using the site you agree to these terms.':
    'Auf dieser Website verkaufen wir über Links den Zugang zu Dateien und Webadressen. Sie wird durch {operator} betrieben, im Folgenden „wir“ genannt; niemand sonst verkauft hier. Wer für einen Link bezahlt, ist „Käufer“. Mit der Nutzung der Website stimmen Sie diesen Bedingungen zu.',
  'With {site}, anyone can sell access to a file or a web address through one link. This site is run by {operator}, called “we” below. Anyone who sells here is a “seller”; anyone who pays for a link is a “buyer”. By using the site you agree to these terms.':
    'Mit {site} kann jeder über einen Link den Zugang zu einer Datei oder einer Webadresse verkaufen. Diese Website wird durch {operator} betrieben, im Folgenden „wir“ genannt. Wer hier verkauft, ist „Anbieter“; wer für einen Link bezahlt, ist „Käufer“. Mit der Nutzung der Website stimmen Sie diesen Bedingungen zu.',
  'In short': 'Kurz gefasst',
  'The minimum age is 13.': 'Das Mindestalter beträgt 13 Jahre.',
  'All sales are final.': 'Alle Verkäufe sind endgültig.',
  'We keep a small platform fee per transaction.':
    'Wir behalten pro Transaktion eine kleine Plattformgebühr ein.',
  'Prices are typically 1 to 5 dollars.': 'Die Preise liegen meist bei 1 bis 5 Dollar.',
  'Sellers set their own prices, typically 1 to 5 dollars.':
    'Anbieter legen ihre Preise selbst fest, meist 1 bis 5 Dollar.',
  'Stripe, our card payment provider, handles the payments.':
    'Stripe, unser Dienstleister für Kartenzahlungen, wickelt die Zahlungen ab.',
  'Who may use the site': 'Wer die Website nutzen darf',
  'You must be at least 13 years old. If you are under the age of majority where you live, a parent or guardian must agree to these terms for you.':
    'Sie müssen mindestens 13 Jahre alt sein. Wenn Sie nach dem Recht Ihres Wohnorts noch nicht volljährig sind, muss ein gesetzlicher Vertreter (in der Regel ein Elternteil) diesen Bedingungen für Sie zustimmen.',
  'You must be at least 13 years old. If you are under the age of majority where you live, a parent or guardian must agree to these terms for you, and receives what you earn where the law says so.':
    'Sie müssen mindestens 13 Jahre alt sein. Wenn Sie nach dem Recht Ihres Wohnorts noch nicht volljährig sind, muss ein gesetzlicher Vertreter (in der Regel ein Elternteil) diesen Bedingungen für Sie zustimmen; er erhält Ihre Einnahmen, soweit das Gesetz es vorsieht.',
  Buying: 'Kaufen',
  'We set the price, and you see it before you pay.':
    'Wir legen den Preis fest, und Sie sehen ihn, bevor Sie bezahlen.',
  'The seller sets the price, and you see it before you pay.':
    'Der Anbieter legt den Preis fest, und Sie sehen ihn, bevor Sie bezahlen.',
  'Taxes that the law requires are added at checkout, where you see the total before you pay.':
    'Gesetzlich vorgeschriebene Steuern werden beim Bezahlen aufgeschlagen; dort sehen Sie den Gesamtbetrag, bevor Sie bezahlen.',
  'It is the whole amount: we add nothing to it.':
    'Er ist der Gesamtbetrag: Wir schlagen nichts darauf auf.',
  'You buy from us, whatever name a link is sold under.':
    'Sie kaufen bei uns, unter welchem Namen ein Link auch verkauft wird.',
  'You buy from the seller, whose name is on the link and on your receipt unless they sell without one. We pass the payment on and deliver the content.':
    'Sie kaufen beim Anbieter, dessen Name auf dem Link und auf Ihrem Beleg steht, wenn er nicht ohne Namen verkauft. Wir leiten die Zahlung weiter und liefern den Inhalt.',
  'The card payment provider handles the payment on its own checkout page; your card number never reaches us.':
    'Der Dienstleister für Kartenzahlungen wickelt die Zahlung auf seiner eigenen Seite ab; Ihre Kartennummer erreicht uns nie.',
  'The content is delivered as soon as the payment succeeds. By paying, you ask for this and agree that any right to withdraw from the purchase that the law gives you ends with delivery.':
    'Der Inhalt wird geliefert, sobald die Zahlung erfolgt ist. Mit der Zahlung verlangen Sie das und stimmen zu, dass ein gesetzliches Widerrufsrecht mit der Lieferung erlischt.',
  'You have no right to a refund because you changed your mind. Legal rights that cannot be waived are not affected: if what you received is not as described, or does not open, contact us. We may refund a payment; a full refund ends your access.':
    'Sie haben keinen Anspruch auf Erstattung, weil Sie es sich anders überlegt haben. Unabdingbare gesetzliche Rechte bleiben unberührt: Wenn das Gelieferte nicht der Beschreibung entspricht oder sich nicht öffnen lässt, wenden Sie sich an uns. Wir können eine Zahlung erstatten; eine vollständige Erstattung beendet Ihren Zugang.',
  'You have no right to a refund because you changed your mind. Legal rights that cannot be waived are not affected: if what you received is not as described, or does not open, contact us. The seller or we may refund a payment; a full refund ends your access.':
    'Sie haben keinen Anspruch auf Erstattung, weil Sie es sich anders überlegt haben. Unabdingbare gesetzliche Rechte bleiben unberührt: Wenn das Gelieferte nicht der Beschreibung entspricht oder sich nicht öffnen lässt, wenden Sie sich an uns. Der Anbieter oder wir können eine Zahlung erstatten; eine vollständige Erstattung beendet Ihren Zugang.',
  'If you buy the same thing twice with one email address, you can give the second purchase back within 24 hours: its receipt has the link.':
    'Wenn Sie dasselbe mit derselben E-Mail-Adresse zweimal kaufen, können Sie den zweiten Kauf 24 Stunden lang zurückgeben: Der Link steht in seinem Beleg.',
  'If you dispute a payment with your bank, access is suspended until the dispute is decided, and ends if it is decided in your favor.':
    'Wenn Sie eine Zahlung bei Ihrer Bank beanstanden, wird der Zugang ausgesetzt, bis über die Beanstandung entschieden ist, und endet, wenn zu Ihren Gunsten entschieden wird.',
  'What you buy is for your own use. Do not share the file, the download address or the personal link in your receipt.':
    'Was Sie kaufen, ist für Ihren eigenen Gebrauch bestimmt. Geben Sie weder die Datei noch die Downloadadresse noch den persönlichen Link in Ihrem Beleg weiter.',
  Selling: 'Verkaufen',
  'Sell only what is yours to sell. You keep every right to your content. You allow us to store it and to deliver it to the people who pay for it, and for nothing else.':
    'Verkaufen Sie nur, was Sie verkaufen dürfen. Alle Rechte an Ihren Inhalten bleiben bei Ihnen. Sie gestatten uns, sie zu speichern und an diejenigen zu liefern, die dafür bezahlen, und nichts darüber hinaus.',
  'Describe it honestly. You are responsible to your buyers for what you sell, and you owe the taxes on what you earn.':
    'Beschreiben Sie sie wahrheitsgemäß. Sie sind Ihren Käufern gegenüber für das Verkaufte verantwortlich, und Sie schulden die Steuern auf Ihre Einnahmen.',
  'You may pause or delete a link at any time. People who have bought it keep their access.':
    'Sie können einen Link jederzeit pausieren oder löschen. Wer ihn gekauft hat, behält den Zugang.',
  'Do not sell anything that is unlawful or infringes the rights of others, malware, or anything that exploits or endangers people. We may take such links down without notice.':
    'Verkaufen Sie nichts, was rechtswidrig ist oder die Rechte anderer verletzt, keine Schadsoftware und nichts, was Menschen ausbeutet oder gefährdet. Solche Links können wir ohne Vorankündigung entfernen.',
  'Fees and your balance': 'Gebühren und Ihr Guthaben',
  'We keep a small platform fee per transaction. It varies with the price: {fee}, never more than the price. Card processing is included and nothing else is deducted. The fee in force when a checkout starts applies to that sale, and you see what you will receive while you set the price.':
    'Wir behalten pro Transaktion eine kleine Plattformgebühr ein. Sie richtet sich nach dem Preis: {fee}, nie mehr als der Preis. Die Kartenzahlung ist darin enthalten, und sonst wird nichts abgezogen. Für einen Verkauf gilt die Gebühr, die zu Beginn des Bezahlvorgangs gilt, und Sie sehen schon beim Festlegen des Preises, was Sie erhalten.',
  'The price less the fee is added to your balance.':
    'Der Preis abzüglich der Gebühr wird Ihrem Guthaben gutgeschrieben.',
  'A refund takes back what you earned from the sale, and we return our fee for it. A payment reversed by a dispute is deducted from your balance. A balance below zero is settled by your next sales or by you.':
    'Bei einer Erstattung wird abgezogen, was Sie mit dem Verkauf verdient haben, und wir geben unsere Gebühr dafür zurück. Eine durch eine Beanstandung zurückgebuchte Zahlung wird von Ihrem Guthaben abgezogen. Ein Guthaben unter null wird durch Ihre nächsten Verkäufe oder durch Sie ausgeglichen.',
  'An account that is owed money, or owes it, cannot be deleted until that is settled.':
    'Ein Konto, das Geld zu erhalten hat oder schuldet, kann erst gelöscht werden, wenn das ausgeglichen ist.',
  'Your account': 'Ihr Konto',
  'Give a working email address and keep it up to date. Keep your password and your keys to yourself: you are responsible for what is done with them. Tell us at once if someone else may have them. You can delete your account on the account page. We may suspend an account that breaks these terms.':
    'Geben Sie eine funktionierende E-Mail-Adresse an und halten Sie sie aktuell. Behalten Sie Ihr Passwort und Ihre Schlüssel für sich: Sie sind dafür verantwortlich, was damit geschieht. Sagen Sie uns sofort Bescheid, wenn jemand anderes sie haben könnte. Sie können Ihr Konto auf der Kontoseite löschen. Ein Konto, das gegen diese Bedingungen verstößt, können wir sperren.',
  'Give a working email address and keep it up to date. Keep your password and your keys to yourself: you are responsible for what is done with them. Tell us at once if someone else may have them. You can delete your account on the account page. We may suspend an account that breaks these terms; what it has rightfully earned is still owed.':
    'Geben Sie eine funktionierende E-Mail-Adresse an und halten Sie sie aktuell. Behalten Sie Ihr Passwort und Ihre Schlüssel für sich: Sie sind dafür verantwortlich, was damit geschieht. Sagen Sie uns sofort Bescheid, wenn jemand anderes sie haben könnte. Sie können Ihr Konto auf der Kontoseite löschen. Ein Konto, das gegen diese Bedingungen verstößt, können wir sperren; was es rechtmäßig verdient hat, bleibt geschuldet.',
  'Reporting content': 'Inhalte melden',
  'If a link infringes your rights or breaks the law, tell us its address, what is wrong with it, and how to reach you. We look at every report and take down what must not stay up.':
    'Wenn ein Link Ihre Rechte verletzt oder gegen das Gesetz verstößt, nennen Sie uns seine Adresse, was damit nicht stimmt und wie wir Sie erreichen. Wir prüfen jede Meldung und entfernen, was nicht bleiben darf.',
  'If a link infringes your rights or breaks the law, tell us its address, what is wrong with it, and how to reach you. We look at every report, inform the seller where that is allowed, and take down what must not stay up.':
    'Wenn ein Link Ihre Rechte verletzt oder gegen das Gesetz verstößt, nennen Sie uns seine Adresse, was damit nicht stimmt und wie wir Sie erreichen. Wir prüfen jede Meldung, informieren den Anbieter, soweit das erlaubt ist, und entfernen, was nicht bleiben darf.',
  'Availability and liability': 'Verfügbarkeit und Haftung',
  'We work to keep the site running and what you bought safe, but cannot promise that it will never be interrupted. Keep a copy of what you buy. The site is provided as it is. As far as the law allows, we are not liable for indirect losses or lost profit, and for anything else up to the amount you paid here in the twelve months before. Nothing here limits liability for intent, gross negligence, or harm to a person.':
    'Wir bemühen uns, die Website in Betrieb und Ihre Käufe sicher zu halten, können aber nicht versprechen, dass sie nie unterbrochen wird. Bewahren Sie eine Kopie von dem auf, was Sie kaufen. Die Website wird so bereitgestellt, wie sie ist. Soweit das Gesetz es zulässt, haften wir nicht für mittelbare Schäden oder entgangenen Gewinn und im Übrigen höchstens bis zu dem Betrag, den Sie hier in den zwölf Monaten zuvor bezahlt haben. Die Haftung für Vorsatz, grobe Fahrlässigkeit und Personenschäden wird hierdurch nicht beschränkt.',
  'We work to keep the site running and your files safe, but cannot promise that it will never be interrupted. Keep a copy of what you upload. The site is provided as it is. As far as the law allows, we are not liable for indirect losses or lost profit, and for anything else up to the amount you paid or were paid here in the twelve months before. Nothing here limits liability for intent, gross negligence, or harm to a person.':
    'Wir bemühen uns, die Website in Betrieb und Ihre Dateien sicher zu halten, können aber nicht versprechen, dass sie nie unterbrochen wird. Bewahren Sie eine Kopie von dem auf, was Sie hochladen. Die Website wird so bereitgestellt, wie sie ist. Soweit das Gesetz es zulässt, haften wir nicht für mittelbare Schäden oder entgangenen Gewinn und im Übrigen höchstens bis zu dem Betrag, den Sie hier in den zwölf Monaten zuvor bezahlt oder erhalten haben. Die Haftung für Vorsatz, grobe Fahrlässigkeit und Personenschäden wird hierdurch nicht beschränkt.',
  'Changes and law': 'Änderungen und anwendbares Recht',
  'We may change these terms; the version on this page is the one in force.':
    'Wir können diese Bedingungen ändern; es gilt die Fassung auf dieser Seite.',
  'We may change these terms; the version on this page is the one in force, and sellers are told of important changes by email.':
    'Wir können diese Bedingungen ändern; es gilt die Fassung auf dieser Seite, und Anbieter werden über wichtige Änderungen per E-Mail informiert.',
  'A purchase is governed by the terms at the time it was made. If one of these terms is invalid, the others still apply. The law of the place where we are established applies; consumers keep the protection of the law where they live.':
    'Für einen Kauf gelten die Bedingungen zum Zeitpunkt des Kaufs. Ist eine dieser Bedingungen unwirksam, gelten die übrigen weiter. Es gilt das Recht des Ortes, an dem wir unseren Sitz haben; Verbraucher behalten den Schutz des Rechts ihres Wohnorts.',
  Contact: 'Kontakt',
  'Contact the person who gave you the link to this site.':
    'Wenden Sie sich an die Person, von der Sie den Link zu dieser Website haben.',
} as const;
