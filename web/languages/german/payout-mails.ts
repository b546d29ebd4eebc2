/** What creators and operators are mailed of payouts. */
export const PAYOUT_MAILS = {
  'See your money': 'Ihr Geld ansehen',
  'your bank account': 'Ihr Bankkonto',
  'The payout took {amount} from your balance: it costs {cost}.':
    'Für die Auszahlung wurden {amount} von Ihrem Guthaben abgezogen: Sie kostet {cost}.',
  'Your payout is on its way: {arrives}': 'Ihre Auszahlung ist unterwegs: {arrives}',
  '{arrives} is on its way to {bank}. Banks usually take one to three business days.':
    '{arrives} sind unterwegs an {bank}. Banken brauchen meist ein bis drei Werktage.',
  'Your payout was paid: {arrives}': 'Ihre Auszahlung wurde überwiesen: {arrives}',
  '{arrives} was paid to {bank}.': '{arrives} wurden an {bank} überwiesen.',
  'Your payout did not go through: {arrives}': 'Ihre Auszahlung ist fehlgeschlagen: {arrives}',
  '{bank} did not accept your payout of {arrives}. {reason}':
    '{bank} hat Ihre Auszahlung von {arrives} nicht angenommen. {reason}',
  'You do not have to request it again.': 'Sie müssen sie nicht erneut anfordern.',
  'Your payout was returned to your balance: {amount}':
    'Ihre Auszahlung wurde Ihrem Guthaben wieder gutgeschrieben: {amount}',
  'Your payout could not be made, and {amount} is back in your balance. Reason: {reason}':
    'Ihre Auszahlung war nicht möglich, und {amount} sind wieder in Ihrem Guthaben. Grund: {reason}',
  'Nothing was charged for it.': 'Dafür wurde nichts berechnet.',
  'The bank account for your payouts was changed':
    'Das Bankkonto für Ihre Auszahlungen wurde geändert',
  'Payouts from your account now go to {bank}.':
    'Auszahlungen von Ihrem Konto gehen jetzt an {bank}.',
  'The bank account that your payouts went to was removed.':
    'Das Bankkonto, an das Ihre Auszahlungen gingen, wurde entfernt.',
  'To protect your money, no payout can be requested until {time}.':
    'Zum Schutz Ihres Geldes kann bis {time} keine Auszahlung angefordert werden.',
  'If this was not you, choose a new password at once, and contact us.':
    'Wenn Sie das nicht waren, wählen Sie sofort ein neues Passwort und wenden Sie sich an uns.',
  'A first payout waits for you: {amount}': 'Eine erste Auszahlung wartet auf Sie: {amount}',
  '{email} has requested a first payout of {amount}. To send it, run: npm run cli -- payouts approve {id}':
    '{email} hat eine erste Auszahlung von {amount} angefordert. Um sie zu senden, führen Sie aus: npm run cli -- payouts approve {id}',
  'To refuse it, run: npm run cli -- payouts refuse {id} --reason, followed by a sentence for the seller.':
    'Um sie abzulehnen, führen Sie aus: npm run cli -- payouts refuse {id} --reason, gefolgt von einem Satz für den Anbieter.',
} as const;
