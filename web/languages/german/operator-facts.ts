/** What the server tells operators. */
export const OPERATOR_FACTS = {
  'the bucket {bucket}': 'der Bucket {bucket}',
  'Files cannot be stored in {place}. Check that it is there and can be written to; the log says what failed.':
    'Dateien können nicht gespeichert werden: {place}. Prüfen Sie, ob der Speicherort vorhanden und beschreibbar ist; was fehlgeschlagen ist, steht im Log.',
  'Less than a tenth of the disk is free. Make room before uploads are refused.':
    'Weniger als ein Zehntel der Festplatte ist frei. Schaffen Sie Platz, bevor Uploads abgelehnt werden.',
  'Some jobs were given up. Find the cause below, fix it, then retry them.':
    'Einige Aufgaben wurden aufgegeben. Finden Sie unten die Ursache, beheben Sie sie und versuchen Sie es dann erneut.',
  'Jobs that are due have waited for more than ten minutes. Look in the log for what holds them up, and restart Padlink.':
    'Fällige Aufgaben warten seit mehr als zehn Minuten. Sehen Sie im Log nach, was sie aufhält, und starten Sie Padlink neu.',
  'Events of the payment provider have waited for more than ten minutes. Look in the log for what holds them up; “npm run cli -- reconcile” repairs what they missed.':
    'Ereignisse des Zahlungsdienstleisters warten seit mehr als zehn Minuten. Sehen Sie im Log nach, was sie aufhält; „npm run cli -- reconcile“ holt Versäumtes nach.',
  'The checkout started, for {price} ({device}).':
    'Der Bezahlvorgang begann, über {price} ({device}).',
  'The checkout started, for {price}.': 'Der Bezahlvorgang begann, über {price}.',
  'The payment failed.': 'Die Zahlung ist fehlgeschlagen.',
  'The checkout expired without a payment.': 'Der Bezahlvorgang ist ohne Zahlung abgelaufen.',
  '{price} was paid; the fee is {fee}.': '{price} wurden bezahlt; die Gebühr beträgt {fee}.',
  'Nothing had been downloaded, so the buyer was reminded by email.':
    'Es war nichts heruntergeladen worden, daher wurde der Käufer per E-Mail erinnert.',
  'The buyer’s mail server refused an email.':
    'Der Mailserver des Käufers hat eine E-Mail abgewiesen.',
  'The recipient’s mail server refused an email.':
    'Der Mailserver des Empfängers hat eine E-Mail abgewiesen.',
  'Access is suspended, because the payment is disputed.':
    'Der Zugang ist ausgesetzt, weil die Zahlung beanstandet wird.',
  'Access has ended, because the payment was returned.':
    'Der Zugang ist beendet, weil die Zahlung erstattet wurde.',
  'The personal link was opened.': 'Der persönliche Link wurde geöffnet.',
  '{file} was downloaded: {sent} were sent.':
    '{file} wurde heruntergeladen: {sent} wurden gesendet.',
  'A download of {file} was interrupted: {sent} were sent.':
    'Ein Download von {file} wurde unterbrochen: {sent} wurden gesendet.',
  '{file} was handed over to be sent.': '{file} wurde zum Senden übergeben.',
  '{refund} “{reason}”': '{refund} „{reason}“',
  'The buyer requested a refund of {price}.':
    'Der Käufer hat eine Erstattung von {price} angefordert.',
  'A refund of {price} requested by the buyer is under way.':
    'Eine vom Käufer angeforderte Erstattung von {price} läuft.',
  'The buyer gave it back and was refunded {price}.':
    'Der Käufer hat es zurückgegeben und {price} zurückerhalten.',
  'A refund of {price} requested by the buyer failed.':
    'Eine vom Käufer angeforderte Erstattung von {price} ist fehlgeschlagen.',
  'It is a gift to {email}.': 'Es ist ein Geschenk an {email}.',
  'Nothing of the gift had been downloaded.': 'Vom Geschenk war nichts heruntergeladen worden.',
  '{job} {error}': '{job} {error}',
  'The seller requested a refund of {price}.':
    'Der Anbieter hat eine Erstattung von {price} angefordert.',
  'The operator requested a refund of {price}.':
    'Der Betreiber hat eine Erstattung von {price} angefordert.',
  'A refund of {price} was requested at the payment provider.':
    'Eine Erstattung von {price} wurde beim Zahlungsdienstleister angefordert.',
  'A refund of {price} requested by the seller is under way.':
    'Eine vom Anbieter angeforderte Erstattung von {price} läuft.',
  'A refund of {price} requested by the operator is under way.':
    'Eine vom Betreiber angeforderte Erstattung von {price} läuft.',
  'A refund of {price} at the payment provider is under way.':
    'Eine Erstattung von {price} läuft beim Zahlungsdienstleister.',
  'The seller refunded {price}.': 'Der Anbieter hat {price} erstattet.',
  'The operator refunded {price}.': 'Der Betreiber hat {price} erstattet.',
  '{price} was refunded at the payment provider.':
    '{price} wurden beim Zahlungsdienstleister erstattet.',
  'A refund of {price} requested by the seller failed.':
    'Eine vom Anbieter angeforderte Erstattung von {price} ist fehlgeschlagen.',
  'A refund of {price} requested by the operator failed.':
    'Eine vom Betreiber angeforderte Erstattung von {price} ist fehlgeschlagen.',
  'A refund of {price} at the payment provider failed.':
    'Eine Erstattung von {price} beim Zahlungsdienstleister ist fehlgeschlagen.',
  'The buyer’s bank asked about it: {price}.': 'Die Bank des Käufers hat nachgefragt: {price}.',
  'The payment was disputed: {price}.': 'Die Zahlung wurde beanstandet: {price}.',
  'The payment was disputed, and the dispute was lost: {price}.':
    'Die Zahlung wurde beanstandet und die Beanstandung verloren: {price}.',
  'The payment was disputed, and the dispute is over: {price}.':
    'Die Zahlung wurde beanstandet, und die Beanstandung ist beendet: {price}.',
  'The job {kind} is waiting.': 'Die Aufgabe {kind} wartet.',
  'The job {kind} was given up.': 'Die Aufgabe {kind} wurde aufgegeben.',
  'There is no failing or given-up job with this ID.':
    'Es gibt keine fehlgeschlagene oder aufgegebene Aufgabe mit dieser ID.',
  'There is no given-up job with this ID.': 'Es gibt keine aufgegebene Aufgabe mit dieser ID.',
  'It is not waiting for approval: it is {state}.': 'Sie wartet nicht auf Genehmigung: {state}.',
  requested: 'angefordert',
  sent: 'gesendet',
  paid: 'ausgezahlt',
  failed: 'fehlgeschlagen',
  reversed: 'zurückgebucht',
  'Give the reason, in a sentence.': 'Geben Sie den Grund in einem Satz an.',
  'The reason is longer than {limit} characters.': 'Der Grund ist länger als {limit} Zeichen.',
  'You cannot suspend your own account.': 'Sie können Ihr eigenes Konto nicht sperren.',
  'This account is suspended already.': 'Dieses Konto ist bereits gesperrt.',
  'This account is not suspended.': 'Dieses Konto ist nicht gesperrt.',
  'A quota is a whole number, not below zero.':
    'Ein Kontingent ist eine ganze Zahl, nicht unter null.',
  'You cannot remove yourself. Ask another operator.':
    'Sie können sich nicht selbst entfernen. Bitten Sie einen anderen Betreiber.',
  'This account is not an operator.': 'Dieses Konto ist kein Betreiber.',
  'OPERATOR_EMAILS names this operator: take the address out of it, and restart Padlink.':
    'OPERATOR_EMAILS nennt diesen Betreiber: Nehmen Sie die Adresse dort heraus und starten Sie Padlink neu.',
  'This is the last operator. Invite another one first.':
    'Dies ist der letzte Betreiber. Laden Sie zuerst einen anderen ein.',
  'Give a valid email address.': 'Geben Sie eine gültige E-Mail-Adresse an.',
  'Only the operator sells here: PAYOUTS is solo.':
    'Hier verkauft nur der Betreiber: PAYOUTS ist solo.',
  'This account is an operator already.': 'Dieses Konto ist bereits Betreiber.',
  'There is an account with this address already.': 'Zu dieser Adresse gibt es bereits ein Konto.',
  'No new accounts can be created: SIGN_UP is closed. Set it to invite.':
    'Es können keine neuen Konten erstellt werden: SIGN_UP ist closed. Setzen Sie es auf invite.',
  'There is no open invitation with this ID.': 'Es gibt keine offene Einladung mit dieser ID.',
  'Refund the last 1 to {limit} days.': 'Erstatten Sie die letzten 1 bis {limit} Tage.',
  'This link is already taken down.': 'Dieser Link ist bereits entfernt.',
  'No objection is waiting for an answer.': 'Es wartet kein Widerspruch auf eine Antwort.',
  'There is no such open report.': 'Es gibt keine solche offene Meldung.',
  'Say why in 1 to {limit} characters.': 'Begründen Sie es in 1 bis {limit} Zeichen.',
  'There is no receipt to send for this order.':
    'Zu dieser Bestellung gibt es keinen Beleg zu senden.',
} as const;
