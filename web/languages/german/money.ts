/** What a seller has earned, and how it is paid out. {provider} stands in the dative. */
export const MONEY = {
  'Your money': 'Ihr Geld',
  'Your balance': 'Die Angaben zu Ihrem Guthaben',
  '{sum} of it reserved': 'davon {sum} zurückgehalten',
  'Being paid out': 'Wird ausgezahlt',
  'Only the operator of this site sells here: what buyers pay goes straight to the operator’s own account at {provider}. Padlink keeps the books and holds no money.':
    'Hier verkauft nur der Betreiber dieser Website: Was Käufer bezahlen, geht direkt auf dessen eigenes Konto bei {provider}. Padlink führt die Bücher und verwahrt kein Geld.',
  'Refunds and disputes took back more than your sales had left. You do not have to pay anything: your next sales make up for it.':
    'Durch Erstattungen und Beanstandungen wurde mehr abgezogen, als von Ihren Verkäufen übrig war. Sie müssen nichts zahlen: Ihre nächsten Verkäufe gleichen es von selbst aus.',
  'Refunds and disputes took back {sum} more than was available. What is pending makes up for it.':
    'Durch Erstattungen und Beanstandungen wurden {sum} mehr abgezogen, als verfügbar waren. Die vorgemerkten Beträge gleichen das aus.',
  'Your share of each sale is added here at once.':
    'Ihr Anteil an jedem Verkauf wird hier sofort gutgeschrieben.',
  'How you are paid': 'So werden Sie bezahlt',
  'the operator of this site': 'der Betreiber dieser Website',
  '{operator} pays you what is available. Each payout is listed below once it is made.':
    '{operator} zahlt Ihnen aus, was verfügbar ist. Jede Auszahlung steht unten, sobald sie erfolgt ist.',
  'Questions about a payout: {email}': 'Fragen zu einer Auszahlung: {email}',
  'Get paid': 'Auszahlen lassen',
  '{sum} will arrive at {account}.': '{sum} gehen auf folgendem Konto ein: {account}.',
  'The payout costs {sum}.': 'Die Auszahlung kostet {sum}.',
  'Requesting a payout requires JavaScript, which is turned off in this browser.':
    'Um eine Auszahlung anzufordern, wird JavaScript benötigt, das in diesem Browser ausgeschaltet ist.',
  'Payouts go to {account}.': 'Auszahlungen gehen auf dieses Konto: {account}.',
  'the sandbox': 'der Testumgebung',
  'Change it at {provider}': 'Bei {provider} ändern',
  'Get paid {sum}?': '{sum} auszahlen lassen?',
  'From your balance': 'Von Ihrem Guthaben',
  'Cost of the payout': 'Kosten der Auszahlung',
  'Arrives at {account}': 'Eingang auf: {account}',
  'Your first payout is sent once {operator} has approved it.':
    'Ihre erste Auszahlung wird gesendet, sobald {operator} sie genehmigt hat.',
  'Banks usually take a few business days.': 'Banken brauchen meist einige Werktage.',
  'For your security, a payout requires a sign-in within the last 10 minutes. You come back here afterward.':
    'Zu Ihrer Sicherheit müssen Sie sich für eine Auszahlung in den letzten 10 Minuten angemeldet haben. Danach kommen Sie hierher zurück.',
  'Requesting...': 'Wird angefordert …',
  'Request this payout': 'Diese Auszahlung anfordern',
  'Not now': 'Nicht jetzt',
  'You requested a payout of {sum}.': 'Sie haben eine Auszahlung von {sum} angefordert.',
  Payouts: 'Auszahlungen',
  'Your payouts': 'Ihre Auszahlungen',
  'No payouts yet.': 'Noch keine Auszahlungen.',
  'Show older payouts': 'Ältere Auszahlungen zeigen',
  'Paid manually': 'Manuell ausgezahlt',
  'Reference: {reference}': 'Referenz: {reference}',
  Requested: 'Angefordert',
  'On its way': 'Unterwegs',
  'Back in your balance': 'Wieder in Ihrem Guthaben',
  'Paid on {day}.': 'Ausgezahlt am {day}.',
  'To {account}.': 'An {account}.',
  '{sum} less the cost of {cost}.': '{sum} abzüglich der Kosten von {cost}.',
  'The payout of {sum} from {day} was canceled. The money is back in your balance.':
    'Die Auszahlung von {sum} vom {day} wurde abgebrochen. Das Geld ist wieder in Ihrem Guthaben.',
  'Cancel the payout of {sum} from {day}': 'Die Auszahlung von {sum} vom {day} abbrechen',
  'Canceling...': 'Wird abgebrochen …',
  'Your payout account': 'Ihr Auszahlungskonto',
  'Set up payouts': 'Auszahlungen einrichten',
  'The link to {provider} has expired. Continue to open a new one.':
    'Der Link zu {provider} ist abgelaufen. Fahren Sie fort, um einen neuen zu öffnen.',
  'The sandbox is checking what you entered. There is nothing to do: this page tells you once you can be paid.':
    'Die Testumgebung prüft Ihre Angaben. Sie müssen nichts tun: Diese Seite sagt Ihnen, sobald Auszahlungen möglich sind.',
  'Stripe is checking what you entered. There is nothing to do: this page tells you once you can be paid.':
    'Stripe prüft Ihre Angaben. Sie müssen nichts tun: Diese Seite sagt Ihnen, sobald Auszahlungen möglich sind.',
  'Before you can be paid, {provider} still needs:':
    'Bevor Sie Auszahlungen erhalten können, fehlt {provider} noch:',
  'Tell {provider}, which handles the payments, who you are and which bank account to pay. It takes a few minutes. We only see your bank’s name and the last digits of the account.':
    'Teilen Sie {provider} als Zahlungsdienstleister mit, wer Sie sind und auf welches Bankkonto ausgezahlt werden soll. Das dauert einige Minuten. Wir sehen nur den Namen Ihrer Bank und die letzten Ziffern des Kontos.',
  'Setting up payouts requires JavaScript, which is turned off in this browser.':
    'Um Auszahlungen einzurichten, wird JavaScript benötigt, das in diesem Browser ausgeschaltet ist.',
  'Country of your bank account': 'Land Ihres Bankkontos',
  'Continue at {provider}': 'Weiter bei {provider}',
  'When pending money becomes available': 'Wann vorgemerktes Geld verfügbar wird',
  '{sum} from 1 sale': '{sum} aus 1 Verkauf',
  '{sum} from {count} sales': '{sum} aus {count} Verkäufen',
  'on {day}': 'am {day}',
  '{sum} reserved': '{sum} zurückgehalten',
  'until {cases} are decided': 'bis {cases} entschieden sind',
  'refunds and disputes': 'Erstattungen und Beanstandungen',
  'The money of a sale is pending until {provider} has made the payment available.':
    'Das Geld aus einem Verkauf bleibt vorgemerkt, bis die Zahlung bei {provider} verfügbar ist.',
  'The money of a sale is pending for 1 day, because a buyer may still be refunded, and until {provider} has made the payment available.':
    'Das Geld aus einem Verkauf bleibt 1 Tag vorgemerkt, weil ein Käufer noch eine Erstattung erhalten kann, und bis die Zahlung bei {provider} verfügbar ist.',
  'The money of a sale is pending for {days} days, because a buyer may still be refunded, and until {provider} has made the payment available.':
    'Das Geld aus einem Verkauf bleibt {days} Tage vorgemerkt, weil ein Käufer noch eine Erstattung erhalten kann, und bis die Zahlung bei {provider} verfügbar ist.',
  Records: 'Aufzeichnungen',
  'Export all payouts (CSV)': 'Alle Auszahlungen exportieren (CSV)',
} as const;
