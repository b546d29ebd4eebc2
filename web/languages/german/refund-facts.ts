/** Why the server refuses a refund, or made one. */
export const REFUND_FACTS = {
  'Give a reason of 1 to {limit} characters.':
    'Geben Sie einen Grund mit 1 bis {limit} Zeichen an.',
  'There is nothing left of this payment to refund.':
    'Von dieser Zahlung ist nichts mehr zu erstatten.',
  'That is more than is left of this payment. Reload the page to see what is.':
    'Das ist mehr, als von dieser Zahlung übrig ist. Laden Sie die Seite neu, um zu sehen, was übrig ist.',
  'This payment is disputed at the buyer’s bank, which decides who gets the money.':
    'Diese Zahlung wird bei der Bank des Käufers beanstandet, die entscheidet, wer das Geld erhält.',
  'It was paid through another account at the payment provider. Refund it there.':
    'Bezahlt wurde über ein anderes Konto beim Zahlungsdienstleister. Erstatten Sie dort.',
  'It was paid elsewhere, before this account or sale came here, and can only be refunded there.':
    'Bezahlt wurde anderswo, bevor dieses Konto oder dieser Verkauf hierher kam, und nur dort kann es erstattet werden.',
  'The payment provider refused this refund. Nothing was refunded.':
    'Der Zahlungsdienstleister hat diese Erstattung abgelehnt. Es wurde nichts erstattet.',
  'Refund at least $0.01.': 'Erstatten Sie mindestens 0,01\u00a0$.',
  'Only {price} of this payment is left to refund.':
    'Von dieser Zahlung sind nur noch {price} zu erstatten.',
  'The buyer had bought it before, and gave the second purchase back.':
    'Der Käufer hatte es schon gekauft und hat den zweiten Kauf zurückgegeben.',
  'You have no sale with this ID.': 'Sie haben keinen Verkauf mit dieser ID.',
  'There is no sale with this ID.': 'Es gibt keinen Verkauf mit dieser ID.',
} as const;
