/** What buyers are mailed. */
export const MAILS = {
  '{code} is your {site} code': '{code} ist Ihr {site}-Code',
  'Open your purchase in one more browser': 'Kauf in einem weiteren Browser öffnen',
  'The personal link of your purchase “{item}” is already in use in several browsers. To open it in one more, enter this code there:':
    'Der persönliche Link zu Ihrem Kauf „{item}“ wird bereits in mehreren Browsern verwendet. Um ihn in einem weiteren zu öffnen, geben Sie dort diesen Code ein:',
  'It works for ten minutes. If you did not request it, someone else has your personal link; without the code, they cannot open your purchase.':
    'Er gilt zehn Minuten. Wenn Sie ihn nicht angefordert haben, hat jemand anderes Ihren persönlichen Link; ohne den Code lässt sich Ihr Kauf damit nicht öffnen.',
  'Order number: {number}': 'Bestellnummer: {number}',
  'Questions? Write to {email}.': 'Fragen? Schreiben Sie an {email}.',
  'Your purchase: {item}': 'Ihr Kauf: {item}',
  'Your purchases: {items}': 'Ihr Einkauf: {items}',
  '1 item': '1 Artikel',
  '{count} items': '{count} Artikel',
  'Thank you for your purchase': 'Vielen Dank für Ihren Kauf',
  'Thank you for your purchases': 'Vielen Dank für Ihren Einkauf',
  'sold by {name}': 'verkauft von {name}',
  'Paid to {payee}.': 'Bezahlt an {payee}.',
  'Free, with a discount code.': 'Kostenlos, mit einem Rabattcode.',
  'The payment is passed on to the seller.': 'Die Zahlung wird an den Anbieter weitergeleitet.',
  'The payment is passed on to the seller, who sells without a name.':
    'Die Zahlung wird an den Anbieter weitergeleitet, der ohne Namen verkauft.',
  'Each seller’s part of it is passed on to them.':
    'Der Anteil jedes Anbieters wird an ihn weitergeleitet.',
  'Paid to {payee}, by one card payment.': 'Bezahlt an {payee}, mit einer Kartenzahlung.',
  'the operator of {host}': 'den Betreiber von {host}',
  'Paid on {day}': 'Bezahlt am {day}',
  'paid on {day}': 'bezahlt am {day}',
  'Tax: {tax}.': 'Steuer: {tax}.',
  'Total: {total}.': 'Gesamt: {total}.',
  'Total: {total}, paid on {day}': 'Gesamt: {total}, bezahlt am {day}',
  'This link is personal: anyone who has it can open your purchase. Please keep it to yourself.':
    'Dieser Link ist persönlich: Wer ihn hat, kann Ihren Kauf öffnen. Bitte geben Sie ihn nicht weiter.',
  'These links are personal: anyone who has them can open your purchases. Please keep them to yourself.':
    'Diese Links sind persönlich: Wer sie hat, kann Ihre Käufe öffnen. Bitte geben Sie sie nicht weiter.',
  'Open it: {address}': 'Öffnen: {address}',
  'You already bought this on {day} with this address. If you did not mean to buy it again, you can give this purchase back within 24 hours: {price} is refunded to you, and the first one stays yours.':
    'Mit dieser Adresse haben Sie das bereits am {day} gekauft. Wenn Sie es nicht noch einmal kaufen wollten, können Sie diesen Kauf innerhalb von 24 Stunden zurückgeben: {price} werden Ihnen erstattet, und den ersten Kauf behalten Sie.',
  'Give this purchase back': 'Diesen Kauf zurückgeben',
  '{page} has a signed receipt, which proves what you bought.':
    '{page} enthält einen signierten Beleg, der beweist, was Sie gekauft haben.',
  'The page of your purchase': 'Die Seite Ihres Kaufs',
  'The page of your purchase has a signed receipt, which proves what you bought: {address}':
    'Die Seite Ihres Kaufs enthält einen signierten Beleg, der beweist, was Sie gekauft haben: {address}',
  'If this email ever gets lost, {find}.': 'Falls diese E-Mail verloren geht, {find}.',
  'find your purchases by your address': 'finden Sie Ihre Käufe über Ihre Adresse',
  'If this email ever gets lost, find your purchases by your address: {address}':
    'Falls diese E-Mail verloren geht, finden Sie Ihre Käufe über Ihre Adresse: {address}',
  'Get an email when there is a new version': 'Bei einer neuen Version benachrichtigt werden',
  'Your purchase is waiting: {item}': 'Ihr Kauf wartet: {item}',
  'Your purchase is waiting for you': 'Ihr Kauf wartet auf Sie',
  'Your purchase has not been fully downloaded yet. It is yours to keep: this link opens it on any device.':
    'Ihr Kauf wurde noch nicht vollständig heruntergeladen. Er gehört Ihnen auf Dauer: Dieser Link öffnet ihn auf jedem Gerät.',
  'This link is personal: anyone who has it can open your purchase. This is the only reminder.':
    'Dieser Link ist persönlich: Wer ihn hat, kann Ihren Kauf öffnen. Dies ist die einzige Erinnerung.',
  'Your payment did not go through': 'Ihre Zahlung ist fehlgeschlagen',
  'Your payment did not go through: {item}': 'Ihre Zahlung ist fehlgeschlagen: {item}',
  'The payment of {price} for {item} was not completed. Nothing was charged.':
    'Die Zahlung von {price} für {item} wurde nicht abgeschlossen. Es wurde nichts abgebucht.',
  'Your refund: {item}': 'Ihre Erstattung: {item}',
  'You are getting a refund': 'Sie erhalten eine Erstattung',
  '{price} for {item} is being refunded to you. That returns your payment in full, so your access ends.':
    '{price} für {item} werden Ihnen erstattet. Damit ist Ihre Zahlung vollständig zurückgezahlt, und Ihr Zugang endet.',
  '{price} of what you paid for {item} is being refunded to you. Your purchase stays yours.':
    '{price} von dem, was Sie für {item} bezahlt haben, werden Ihnen erstattet. Ihren Kauf behalten Sie.',
  '{price} for your gift {item} is being refunded to you. That returns your payment in full, so the gift ends.':
    '{price} für Ihr Geschenk {item} werden Ihnen erstattet. Damit ist Ihre Zahlung vollständig zurückgezahlt, und das Geschenk endet.',
  '{price} of what you paid for your gift {item} is being refunded to you. The recipient keeps it.':
    '{price} von dem, was Sie für Ihr Geschenk {item} bezahlt haben, werden Ihnen erstattet. Der Empfänger behält es.',
  'Your gift: {item}': 'Ihr Geschenk: {item}',
  'Your gift was sent to {email}. Only its recipient can open it.':
    'Ihr Geschenk wurde an {email} gesendet. Nur der Empfänger kann es öffnen.',
  'A gift for you: {item}': 'Ein Geschenk für Sie: {item}',
  'Someone bought {item} for you.': 'Jemand hat {item} für Sie gekauft.',
  'Someone bought {item} for you, and wrote:':
    'Jemand hat {item} für Sie gekauft und schreibt dazu:',
  'The seller': 'Der Anbieter',
  '{seller} has given you {item}, and wrote:': '{seller} schenkt Ihnen {item} und schreibt:',
  '{seller} has given you {item}.': '{seller} schenkt Ihnen {item}.',
  'This link is personal: anyone who has it can open your gift. Nothing is charged to you, and you will not be reminded. If someone misuses gifts to bother you, report it: {report}':
    'Dieser Link ist persönlich: Wer ihn hat, kann Ihr Geschenk öffnen. Ihnen wird nichts berechnet, und Sie werden nicht erinnert. Wenn Sie jemand mit Geschenken belästigt, melden Sie es hier: {report}',
  '{price} for {item}, which you bought twice, is being refunded to you. Your first purchase stays yours.':
    '{price} für {item}, das Sie zweimal gekauft haben, werden Ihnen erstattet. Ihren ersten Kauf behalten Sie.',
  'Your refund did not arrive': 'Ihre Erstattung ist nicht angekommen',
  'Your refund did not arrive: {item}': 'Ihre Erstattung ist nicht angekommen: {item}',
  'Your refund was refused': 'Ihre Erstattung wurde abgelehnt',
  'Your refund was refused: {item}': 'Ihre Erstattung wurde abgelehnt: {item}',
  'We could not refund {price} for {item}: your bank is looking into this payment, and will decide whether you get the money back.':
    'Wir konnten {price} für {item} nicht erstatten: Ihre Bank prüft diese Zahlung und entscheidet, ob Sie das Geld zurückbekommen.',
  'We could not refund {price} for {item}: the payment provider refused it. The money was not returned to you.':
    'Wir konnten {price} für {item} nicht erstatten: Der Zahlungsdienstleister hat es abgelehnt. Sie haben das Geld nicht zurückbekommen.',
  'Your bank did not accept the refund of {price} for {item}: the card may have expired, or its account may be closed. The money did not reach you, and is back with us.':
    'Ihre Bank hat die Erstattung von {price} für {item} nicht angenommen: Die Karte kann abgelaufen oder ihr Konto geschlossen sein. Das Geld hat Sie nicht erreicht und ist wieder bei uns.',
  'Your purchase is still yours.': 'Ihr Kauf gehört weiterhin Ihnen.',
  'Your gift is still valid.': 'Ihr Geschenk gilt weiterhin.',
  'Please contact support, so that it can be paid to you another way.':
    'Bitte wenden Sie sich an den Support, damit Sie es auf anderem Weg erhalten.',
  'Please contact the operator of this site, so that it can be paid to you another way.':
    'Bitte wenden Sie sich an den Betreiber dieser Website, damit Sie es auf anderem Weg erhalten.',
  'It usually takes 5 to 10 days for the money to reach your card.':
    'Es dauert meist 5 bis 10 Tage, bis das Geld wieder auf Ihrer Karte ist.',
  'You paid twice': 'Sie haben doppelt bezahlt',
  'Your payment is being refunded': 'Ihre Zahlung wird erstattet',
  'You paid twice for {item}. We are refunding the second payment of {price}. Your purchase stays yours.':
    'Sie haben {item} doppelt bezahlt. Wir erstatten die zweite Zahlung von {price}. Ihren Kauf behalten Sie.',
  'The seller of {item} closed their account while you were paying. We are refunding your payment of {price}.':
    'Der Anbieter von {item} hat sein Konto geschlossen, während Sie bezahlten. Wir erstatten Ihre Zahlung von {price}.',
  'We had to take {item} down while you were paying. We are refunding your payment of {price}.':
    'Wir mussten {item} entfernen, während Sie bezahlten. Wir erstatten Ihre Zahlung von {price}.',
  '1 purchase was made with this address. Open this link on the device you want to use. It works for an hour.':
    'Mit dieser Adresse wurde 1 Kauf gemacht. Öffnen Sie diesen Link auf dem Gerät, das Sie verwenden möchten. Er gilt eine Stunde.',
  '{count} purchases were made with this address. Open this link on the device you want to use. It works for an hour.':
    'Mit dieser Adresse wurden {count} Käufe gemacht. Öffnen Sie diesen Link auf dem Gerät, das Sie verwenden möchten. Er gilt eine Stunde.',
  'If you did not request it, you can ignore this email.':
    'Wenn Sie sie nicht angefordert haben, können Sie diese E-Mail ignorieren.',
  'If you did not request it, you can ignore this email. Please keep the link to yourself: anyone who has it can open your purchases.':
    'Wenn Sie das nicht angefordert haben, können Sie diese E-Mail ignorieren. Bitte geben Sie den Link nicht weiter: Wer ihn hat, kann Ihre Käufe öffnen.',
  'A new version: {item}': 'Eine neue Version: {item}',
  'A new version is available': 'Eine neue Version ist verfügbar',
  'Version {version} of {item} is available. It is yours at no charge, and you keep the version you bought.':
    'Version {version} von {item} ist verfügbar. Sie erhalten sie ohne Aufpreis und behalten die gekaufte Version.',
  'You get this email because you asked to be told about new versions.':
    'Sie erhalten diese E-Mail, weil Sie über neue Versionen informiert werden möchten.',
  'No longer available: {item}': 'Nicht mehr verfügbar: {item}',
  'What you bought is no longer available': 'Ihr Kauf ist nicht mehr verfügbar',
  'We had to take {item} down, so it can no longer be opened or downloaded.':
    'Wir mussten {item} entfernen, daher kann der Inhalt nicht mehr geöffnet oder heruntergeladen werden.',
  'Part of what you bought is no longer available':
    'Ein Teil von dem, was Sie gekauft haben, ist nicht mehr verfügbar',
  'We had to take {item} down, a part of {bundle}, so it can no longer be opened or downloaded.':
    'Wir mussten {item} aus {bundle} entfernen, daher kann der Inhalt nicht mehr geöffnet oder heruntergeladen werden.',
  'Everything else in the bundle stays yours.': 'Alles andere in dem Paket behalten Sie.',
  'We are refunding your payment in full. A separate email confirms the refund.':
    'Wir erstatten Ihre Zahlung vollständig. Eine weitere E-Mail bestätigt die Erstattung.',
} as const;
