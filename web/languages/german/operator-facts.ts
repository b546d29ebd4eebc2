/** What the server tells operators: # is any number, @ any moment, and * any other words. */
export const OPERATOR_FACTS = {
  'the bucket *': 'der Bucket *',
  'Files cannot be stored in *. Check that it is there and can be written to; the log says what failed.':
    'Dateien können nicht gespeichert werden: *. Prüfen Sie, ob der Speicherort vorhanden und beschreibbar ist; was fehlgeschlagen ist, steht im Log.',
  'Less than a tenth of the disk is free. Make room before uploads are refused.':
    'Weniger als ein Zehntel der Festplatte ist frei. Schaffen Sie Platz, bevor Uploads abgelehnt werden.',
  'Some jobs were given up. Find the cause below, put it right, then retry them.':
    'Einige Aufgaben wurden aufgegeben. Finden Sie unten die Ursache, beheben Sie sie und versuchen Sie es dann erneut.',
  'Jobs that are due have waited for more than ten minutes. Look in the log for what holds them up, and restart Padlink.':
    'Fällige Aufgaben warten seit mehr als zehn Minuten. Sehen Sie im Log nach, was sie aufhält, und starten Sie Padlink neu.',
  'Events of the payment provider have waited for more than ten minutes. Look in the log for what holds them up; “npm run cli -- reconcile” repairs what they missed.':
    'Ereignisse des Zahlungsdienstleisters warten seit mehr als zehn Minuten. Sehen Sie im Log nach, was sie aufhält; „npm run cli -- reconcile“ holt Versäumtes nach.',
  'The checkout began, for * (Unknown device).':
    'Der Bezahlvorgang begann, über * (unbekanntes Gerät).',
  'The checkout began, for * (* on *).': 'Der Bezahlvorgang begann, über * (* unter *).',
  'The checkout began, for * (*).': 'Der Bezahlvorgang begann, über * (*).',
  'The checkout began, for *.': 'Der Bezahlvorgang begann, über *.',
  'The payment failed.': 'Die Zahlung ist fehlgeschlagen.',
  'The checkout expired without a payment.': 'Der Bezahlvorgang ist ohne Zahlung abgelaufen.',
  '$# was paid; the fee is $#.': '#\u00a0$ wurden bezahlt; die Gebühr beträgt #\u00a0$.',
  'Nothing had been downloaded, so the buyer was reminded by email.':
    'Es war nichts heruntergeladen worden, daher wurde der Käufer per E-Mail erinnert.',
  'The mail server of the buyer refused an email.':
    'Der Mailserver des Käufers hat eine E-Mail abgewiesen.',
  'The mail server of the recipient refused an email.':
    'Der Mailserver des Empfängers hat eine E-Mail abgewiesen.',
  'Access is suspended, because the payment is disputed.':
    'Der Zugang ist ausgesetzt, weil die Zahlung beanstandet wird.',
  'Access has ended, because the payment was returned.':
    'Der Zugang ist beendet, weil die Zahlung erstattet wurde.',
  'The personal link was opened.': 'Der persönliche Link wurde geöffnet.',
  '* was downloaded: * were sent.': '* wurde heruntergeladen: * wurden gesendet.',
  'A download of * broke off: * were sent.': 'Ein Download von * brach ab: * wurden gesendet.',
  '* was handed over to be sent.': '* wurde zum Senden übergeben.',
  '* “*”': '* „*“',
  'A refund of * was asked for, by the creator.':
    'Eine Erstattung von * wurde vom Anbieter angefordert.',
  'A refund of * was asked for, by the operator.':
    'Eine Erstattung von * wurde vom Betreiber angefordert.',
  'A refund of * was asked for, at the payment provider.':
    'Eine Erstattung von * wurde beim Zahlungsdienstleister angefordert.',
  'A refund of * is under way, by the creator.': 'Eine Erstattung von * durch den Anbieter läuft.',
  'A refund of * is under way, by the operator.':
    'Eine Erstattung von * durch den Betreiber läuft.',
  'A refund of * is under way, at the payment provider.':
    'Eine Erstattung von * läuft beim Zahlungsdienstleister.',
  'A refund of * was made, by the creator.': 'Eine Erstattung von * erfolgte durch den Anbieter.',
  'A refund of * was made, by the operator.': 'Eine Erstattung von * erfolgte durch den Betreiber.',
  'A refund of * was made, at the payment provider.':
    'Eine Erstattung von * erfolgte beim Zahlungsdienstleister.',
  'A refund of * failed, by the creator.':
    'Eine Erstattung von * durch den Anbieter ist fehlgeschlagen.',
  'A refund of * failed, by the operator.':
    'Eine Erstattung von * durch den Betreiber ist fehlgeschlagen.',
  'A refund of * failed, at the payment provider.':
    'Eine Erstattung von * beim Zahlungsdienstleister ist fehlgeschlagen.',
  'The bank of the buyer asked about it: *.': 'Die Bank des Käufers hat nachgefragt: *.',
  'The payment was disputed: *.': 'Die Zahlung wurde beanstandet: *.',
  'The payment was disputed, and the dispute lost: *.':
    'Die Zahlung wurde beanstandet und die Beanstandung verloren: *.',
  'The payment was disputed, and the dispute is over: *.':
    'Die Zahlung wurde beanstandet, und die Beanstandung ist beendet: *.',
  'The job * waits.': 'Die Aufgabe * wartet.',
  'The job * was given up.': 'Die Aufgabe * wurde aufgegeben.',
  'There is no failing or given-up job with this id.':
    'Es gibt keine fehlgeschlagene oder aufgegebene Aufgabe mit dieser ID.',
  'There is no given-up job with this id.': 'Es gibt keine aufgegebene Aufgabe mit dieser ID.',
  'It does not wait for approval: it is *.': 'Sie wartet nicht auf Genehmigung: *.',
  requested: 'angefordert',
  sent: 'gesendet',
  paid: 'ausgezahlt',
  failed: 'fehlgeschlagen',
  reversed: 'zurückgebucht',
  'Give the reason, in a sentence.': 'Geben Sie den Grund in einem Satz an.',
  'The reason is longer than # characters.': 'Der Grund ist länger als # Zeichen.',
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
  'This is the last operator. Make another one first.':
    'Dies ist der letzte Betreiber. Ernennen Sie zuerst einen anderen.',
  'Give a valid email address.': 'Geben Sie eine gültige E-Mail-Adresse an.',
  'Only the operator sells here: PAYOUTS is solo.':
    'Hier verkauft nur der Betreiber: PAYOUTS ist solo.',
  'This account is an operator already.': 'Dieses Konto ist bereits Betreiber.',
  'There is an account with this address already.': 'Zu dieser Adresse gibt es bereits ein Konto.',
  'No new accounts can be created: SIGN_UP is closed. Set it to invite.':
    'Es können keine neuen Konten angelegt werden: SIGN_UP ist closed. Setzen Sie es auf invite.',
  'There is no open invitation with this id.': 'Es gibt keine offene Einladung mit dieser ID.',
  'Refund the last # to # days.': 'Erstatten Sie die letzten # bis # Tage.',
  'This link is already taken down.': 'Dieser Link ist bereits entfernt.',
  'No objection waits for an answer.': 'Es wartet kein Widerspruch auf eine Antwort.',
  'There is no such open report.': 'Es gibt keine solche offene Meldung.',
  'Say why in # to # characters.': 'Begründen Sie es in # bis # Zeichen.',
  'There is no receipt to send of this order.':
    'Zu dieser Bestellung gibt es keinen Beleg zu senden.',
} as const;
