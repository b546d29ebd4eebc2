/** After a payment, and what personal links open. */
export const CHECKOUT = {
  'Payment Failed': 'Zahlung fehlgeschlagen',
  'Unfortunately, your payment did not go through. Please try again or contact support if the issue persists.':
    'Leider ist Ihre Zahlung fehlgeschlagen. Bitte versuchen Sie es erneut oder wenden Sie sich an den Support, falls das Problem weiterhin besteht.',
  'Try Again': 'Erneut versuchen',
  'Back to the link': 'Zurück zum Link',
  'Bought twice': 'Zweimal gekauft',
  'You already bought {item} on {day} with the same address. If you give this second purchase back, {price} is refunded to you, and the first one stays yours.':
    'Mit derselben Adresse haben Sie {item} bereits am {day} gekauft. Wenn Sie diesen zweiten Kauf zurückgeben, werden Ihnen {price} erstattet, und den ersten behalten Sie.',
  'You gave back your second purchase of {item}: {price} is being refunded to you. It usually takes 5 to 10 days for the money to reach your card.':
    'Sie haben Ihren zweiten Kauf von {item} zurückgegeben: {price} werden Ihnen erstattet. Es dauert meist 5 bis 10 Tage, bis das Geld wieder auf Ihrer Karte ist.',
  'Your first purchase stays yours.': 'Ihren ersten Kauf behalten Sie.',
  'Your bank is looking into your second purchase of {item}, and will decide whether you get the money back.':
    'Ihre Bank prüft Ihren zweiten Kauf von {item} und entscheidet, ob Sie das Geld zurückerhalten.',
  'The 24 hours for giving back your second purchase of {item} are over.':
    'Die 24 Stunden, in denen Sie Ihren zweiten Kauf von {item} zurückgeben konnten, sind vorbei.',
  'Your first purchase of {item} no longer gives access, so this one stays yours.':
    'Ihr erster Kauf von {item} gibt keinen Zugang mehr, daher behalten Sie diesen.',
  'You already bought this on {day} with the same address. {return} within 24 hours, and keep the first one.':
    'Mit derselben Adresse haben Sie das bereits am {day} gekauft. {return}: Das geht 24 Stunden lang, und den ersten Kauf behalten Sie.',
  'Payment Successful': 'Zahlung erfolgreich',
  'Thank you for your purchase. Your file is now unlocked and should be downloading.':
    'Vielen Dank für Ihren Kauf. Ihre Datei ist jetzt freigeschaltet und wird gerade heruntergeladen.',
  'What you bought is not available at the moment.':
    'Was Sie gekauft haben, ist zurzeit nicht verfügbar.',
  'You bought a web address. Use this button to open it.':
    'Sie haben eine Webadresse gekauft. Öffnen Sie sie mit dieser Schaltfläche.',
  'Everything in the bundle is unlocked now.': 'Alles in diesem Paket ist jetzt freigeschaltet.',
  'Go to your bundle': 'Zu Ihrem Paket',
  'what you bought': 'Gekauftes',
  'Your files': 'Ihre Dateien',
  'Everything you bought is unlocked now.':
    'Alles, was Sie gekauft haben, ist jetzt freigeschaltet.',
  '{price} in one payment.': '{price} in einer Zahlung.',
  'Your receipt is on its way to {email}. Its personal link opens your purchase on any device. You can also find it under {purchases}.':
    'Ihr Beleg ist unterwegs an {email}. Der persönliche Link darin öffnet Ihren Kauf auf jedem Gerät. Sie finden ihn auch unter {purchases}.',
  'A gift for you': 'Ein Geschenk für Sie',
  'Your gift': 'Ihr Geschenk',
  'Open your gift': 'Geschenk öffnen',
  'This personal link unlocks your gift on this device. Please keep it to yourself.':
    'Dieser persönliche Link schaltet Ihr Geschenk auf diesem Gerät frei. Bitte geben Sie ihn nicht weiter.',
  'You gave {item} to {email}.': 'Sie haben {item} an {email} verschenkt.',
  'It is on its way again.': 'Es ist erneut unterwegs.',
  'It has been opened.': 'Es wurde geöffnet.',
  'It has not been opened yet. If the address is wrong, correct it here: the link that was sent before no longer works then.':
    'Es wurde noch nicht geöffnet. Wenn die Adresse falsch ist, berichtigen Sie sie hier: Der zuvor gesendete Link gilt dann nicht mehr.',
  'It has not been opened yet.': 'Es wurde noch nicht geöffnet.',
  'Send it again': 'Erneut senden',
  'Send it again, or correct the address': 'Erneut senden oder die Adresse berichtigen',
  'Not arrived yet? {again}': 'Noch nicht angekommen? {again}',
  'Your gift is on its way to {email}.': 'Ihr Geschenk ist unterwegs an {email}.',
  'We are sending your receipt to {email}.': 'Ihren Beleg senden wir an {email}.',
  'Your payment was returned, so the gift has ended.':
    'Ihre Zahlung wurde erstattet, daher ist das Geschenk beendet.',
  'Your payment is disputed, so the gift is on hold.':
    'Ihre Zahlung wird beanstandet, daher ist das Geschenk ausgesetzt.',
  'Nothing downloading? {find}.': 'Wird nichts heruntergeladen? {find}.',
  'Find your purchase by email': 'Kauf über die E-Mail-Adresse finden',
  'Nothing downloading? If you paid in another browser or app, your personal link was sent to the email address you entered at checkout. You can also {find}.':
    'Wird nichts heruntergeladen? Wenn Sie in einem anderen Browser oder einer App bezahlt haben, ging Ihr persönlicher Link an die E-Mail-Adresse, die Sie beim Bezahlen angegeben haben. Sie können {find}.',
  'find your purchase by that address': 'Ihren Kauf auch über diese Adresse finden',
  'If there is a purchase, its link is on its way. We send it at most once an hour, so please check your inbox.':
    'Falls es einen Kauf gibt, ist der Link dazu unterwegs. Er wird höchstens einmal in der Stunde gesendet: Bitte sehen Sie in Ihrem Posteingang nach.',
  'Send the link again': 'Link erneut senden',
  'Sending it again requires JavaScript, which is turned off in this browser.':
    'Zum erneuten Senden wird JavaScript benötigt, das in diesem Browser ausgeschaltet ist.',
  'Confirming your payment': 'Ihre Zahlung wird bestätigt',
  'Confirming your payment…': 'Ihre Zahlung wird bestätigt …',
  'Payment processing': 'Zahlung in Bearbeitung',
  'Checkout expired': 'Bezahlvorgang abgelaufen',
  'Purchase on hold': 'Kauf ausgesetzt',
  'Purchase ended': 'Kauf beendet',
  'Thank you': 'Vielen Dank',
  'We will email you at {email}.': 'Wir schreiben Ihnen an {email}.',
  'This checkout expired before it was paid. Nothing was charged.':
    'Dieser Bezahlvorgang ist abgelaufen, bevor bezahlt wurde. Es wurde nichts abgebucht.',
  'This payment was disputed.': 'Diese Zahlung wurde beanstandet.',
  'This usually takes a second or two.': 'Das dauert meist ein bis zwei Sekunden.',
  'This is taking longer than usual. You can stay here or close this page: if the payment went through, you will get a receipt with your personal link by email.':
    'Das dauert länger als üblich. Sie können hier warten oder diese Seite schließen: Wenn die Zahlung angekommen ist, erhalten Sie einen Beleg mit Ihrem persönlichen Link per E-Mail.',
  'Your purchase': 'Ihr Kauf',
  'One more browser': 'Ein weiterer Browser',
  'The first operator': 'Der erste Betreiber',
  'Nobody runs this site yet. Continue, then sign in or create your account: it becomes the operator’s account, which sees all sales, pays sellers and decides what is sold.':
    'Noch betreibt niemand diese Website. Fahren Sie fort und melden Sie sich an oder erstellen Sie Ihr Konto: Es wird das Konto des Betreibers, das alle Verkäufe sieht, Anbieter auszahlt und entscheidet, was verkauft wird.',
  'Continue as operator': 'Als Betreiber fortfahren',
  'New versions': 'Neue Versionen',
  'Emails about sales': 'E-Mails über Verkäufe',
  'Weekly summaries': 'Wöchentliche Zusammenfassungen',
  'We send you a weekly summary on Mondays.':
    'Wir senden Ihnen montags eine Zusammenfassung Ihrer Woche.',
  'You no longer get weekly summaries.': 'Sie erhalten keine wöchentlichen Zusammenfassungen mehr.',
  'This personal link unlocks your purchase on this device. Please keep it to yourself.':
    'Dieser persönliche Link schaltet Ihren Kauf auf diesem Gerät frei. Bitte geben Sie ihn nicht weiter.',
  'Open your purchase': 'Kauf öffnen',
  'On this device, this link unlocks everything that was paid for with your email address. Please keep it to yourself.':
    'Dieser Link schaltet auf diesem Gerät alles frei, was mit Ihrer E-Mail-Adresse bezahlt wurde. Bitte geben Sie ihn nicht weiter.',
  'Open your purchases': 'Käufe öffnen',
  'You do not get an email when there is a new version of what you bought.':
    'Sie erhalten keine E-Mail, wenn es von Ihrem Kauf eine neue Version gibt.',
  'Email me about new versions': 'Bei neuen Versionen benachrichtigen',
  'You get an email when there is a new version of what you bought. The seller does not see your address.':
    'Sie erhalten eine E-Mail, wenn es von Ihrem Kauf eine neue Version gibt. Der Anbieter sieht Ihre Adresse nicht.',
  'Stop these emails': 'Diese E-Mails abbestellen',
  'You get emails about your sales.': 'Sie erhalten E-Mails über Ihre Verkäufe.',
  'You no longer get emails about your sales.':
    'Sie erhalten keine E-Mails über Ihre Verkäufe mehr.',
  'Choose what we email you': 'E-Mail-Benachrichtigungen auswählen',
  'This personal link is already in use in several browsers. To open your purchase here too, enter a code that we send to the address that paid for it.':
    'Dieser persönliche Link wird bereits in mehreren Browsern verwendet. Um Ihren Kauf auch hier zu öffnen, geben Sie einen Code ein, den wir an die Adresse senden, mit der bezahlt wurde.',
  'A six-digit code is on its way to {email}. It works for ten minutes.':
    'Ein sechsstelliger Code ist unterwegs an {email}. Er gilt zehn Minuten.',
  'Send a new code': 'Neuen Code senden',
  'Send a code to {email}': 'Code an {email} senden',
  'There is no address to send a code to.':
    'Es gibt keine Adresse, an die ein Code gesendet werden könnte.',
} as const;
