/** What sellers are mailed of their sales, and what their browsers show. */
export const SALE_MAILS = {
  'Open your dashboard': 'Übersicht öffnen',
  'See your sales': 'Verkäufe ansehen',
  'You do not have to do anything.': 'Sie müssen nichts tun.',
  '1 more sale': '1 weiterer Verkauf',
  '{count} more sales': '{count} weitere Verkäufe',
  '1 other link': '1 weiterer Link',
  '{count} other links': '{count} weitere Links',
  '1 refund': '1 Erstattung',
  '{count} refunds': '{count} Erstattungen',
  'stop these emails': 'bestellen Sie diese E-Mails ab',
  '{choose}, or {stop}.': '{choose}, oder {stop}.',
  'You made a sale': 'Sie haben etwas verkauft',
  'Sold: {item}, {price}': 'Verkauft: {item}, {price}',
  '{item}, with discount code {code}': '{item}, mit Rabattcode {code}',
  'You get an email for each sale.': 'Sie erhalten eine E-Mail für jeden Verkauf.',
  'You made 1 sale': 'Sie haben 1 Verkauf erzielt',
  'You made {count} sales': 'Sie haben {count} Verkäufe erzielt',
  'You made 1 more sale': 'Sie haben 1 weiteren Verkauf erzielt',
  'You made {count} more sales': 'Sie haben {count} weitere Verkäufe erzielt',
  'After {number} sales in an hour, we send the rest of that hour’s sales in one email.':
    'Nach {number} Verkäufen innerhalb einer Stunde senden wir Ihnen die übrigen dieser Stunde in einer E-Mail.',
  'Discount codes used: {codes}.': 'Eingelöste Rabattcodes: {codes}.',
  'You get one email a day with your sales.':
    'Sie erhalten einmal am Tag eine E-Mail mit Ihren Verkäufen.',
  'Your week: {count}, {price}': 'Ihre Woche: {count}, {price}',
  'Your week until {day}': 'Ihre Woche bis {day}',
  'What you sold from Monday to Sunday, in UTC.':
    'Was Sie von Montag bis Sonntag (UTC) verkauft haben.',
  'What you sold from Monday to Sunday, in UTC, and what you receive.':
    'Was Sie von Montag bis Sonntag (UTC) verkauft haben und was Sie davon erhalten.',
  'Other links ({count})': 'Weitere Links ({count})',
  'Total ({count})': 'Gesamt ({count})',
  'The week before ({count})': 'Die Woche davor ({count})',
  'Returned ({count})': 'Zurückgezahlt ({count})',
  'Available balance': 'Verfügbares Guthaben',
  'You sold “{item}”: {price}': 'Sie haben „{item}“ verkauft: {price}',
  'You made many sales': 'Sie haben viel verkauft',
  'You made {count} sales within an hour: {price}':
    'Sie haben innerhalb einer Stunde {count} Verkäufe erzielt: {price}',
  'A payment was disputed: {item}': 'Eine Zahlung wurde beanstandet: {item}',
  'A buyer disputed this payment at their bank: {price} for {item}, paid on {day}.':
    'Ein Käufer hat diese Zahlung bei seiner Bank beanstandet: {price} für {item}, bezahlt am {day}.',
  'Until the dispute is decided, access to the content is on hold and the disputed amount is deducted from your account at the payment provider. If the dispute is won, both are restored.':
    'Bis über die Beanstandung entschieden ist, ist der Zugang zum Inhalt ausgesetzt, und der beanstandete Betrag wird von Ihrem Konto beim Zahlungsdienstleister abgezogen. Wird zu Ihren Gunsten entschieden, wird beides wiederhergestellt.',
  'Until the dispute is decided, access to the content is on hold and the disputed amount is deducted from your balance. If the dispute is won, both are restored.':
    'Bis über die Beanstandung entschieden ist, ist der Zugang zum Inhalt ausgesetzt, und der beanstandete Betrag wird von Ihrem Guthaben abgezogen. Wird zu Ihren Gunsten entschieden, wird beides wiederhergestellt.',
  'What was downloaded, and when, is shown to the bank automatically.':
    'Was wann heruntergeladen wurde, wird der Bank automatisch vorgelegt.',
  'If you have anything else that shows the buyer received what they paid for, such as messages from them, please add it to the dispute at the payment provider within a week.':
    'Wenn Sie noch etwas haben, das zeigt, dass der Käufer erhalten hat, was er bezahlt hat, zum Beispiel Nachrichten von ihm, fügen Sie es bitte innerhalb einer Woche beim Zahlungsdienstleister der Beanstandung hinzu.',
  'If you have anything else that shows the buyer received what they paid for, such as messages from them, please send it to support within a week.':
    'Wenn Sie noch etwas haben, das zeigt, dass der Käufer erhalten hat, was er bezahlt hat, zum Beispiel Nachrichten von ihm, senden Sie es bitte innerhalb einer Woche an den Support.',
  'If you have anything else that shows the buyer received what they paid for, such as messages from them, please send it to the operator of this site within a week.':
    'Wenn Sie noch etwas haben, das zeigt, dass der Käufer erhalten hat, was er bezahlt hat, zum Beispiel Nachrichten von ihm, senden Sie es bitte innerhalb einer Woche an den Betreiber dieser Website.',
  'A sale was refunded: {item}': 'Ein Verkauf wurde erstattet: {item}',
  'We are refunding {price} to a buyer of {item}. Reason: {reason}':
    'Wir erstatten einem Käufer von {item} {price}. Grund: {reason}',
  'It comes from your account at the payment provider.':
    'Der Betrag wird Ihrem Konto beim Zahlungsdienstleister entnommen.',
  'Your share of it is deducted from your balance.':
    'Ihr Anteil daran wird von Ihrem Guthaben abgezogen.',
  'That returns the payment in full, so the buyer’s access ends.':
    'Damit ist die Zahlung vollständig zurückgezahlt, und der Zugang des Käufers endet.',
  'The buyer keeps access.': 'Der Käufer behält den Zugang.',
  'A refund failed: {item}': 'Eine Erstattung ist fehlgeschlagen: {item}',
  'A refund was refused: {item}': 'Eine Erstattung wurde abgelehnt: {item}',
  'The refund of {price} for {item} was not made, because nothing is left of the payment to refund.':
    'Die Erstattung von {price} für {item} wurde nicht ausgeführt, weil von der Zahlung nichts mehr zu erstatten ist.',
  'The refund of {price} for {item} was not made, because it is more than is left of the payment.':
    'Die Erstattung von {price} für {item} wurde nicht ausgeführt, weil von der Zahlung weniger übrig ist.',
  'See how much is left, and refund that.':
    'Sehen Sie nach, wie viel übrig ist, und erstatten Sie das.',
  'The refund of {price} for {item} was not made: the payment is disputed at the buyer’s bank, which decides who gets the money.':
    'Die Erstattung von {price} für {item} wurde nicht ausgeführt: Die Zahlung wird bei der Bank des Käufers beanstandet, und die Bank entscheidet, wer das Geld bekommt.',
  'The payment provider refused the refund of {price} for {item}. Nothing was refunded.':
    'Der Zahlungsdienstleister hat die Erstattung von {price} für {item} abgelehnt. Es wurde nichts erstattet.',
  'Please try again. If it is refused again, pay the buyer back another way.':
    'Bitte versuchen Sie es noch einmal. Wird sie wieder abgelehnt, zahlen Sie dem Käufer das Geld auf anderem Weg zurück.',
  'See the purchase': 'Kauf ansehen',
  'The buyer’s bank did not accept the refund of {price} for {item}, so the money did not reach the buyer.':
    'Die Bank des Käufers hat die Erstattung von {price} für {item} nicht angenommen, daher hat ihn das Geld nicht erreicht.',
  'It is back in your account at the payment provider.':
    'Es ist wieder auf Ihrem Konto beim Zahlungsdienstleister.',
  'Your share of it is back in your balance.': 'Ihr Anteil daran ist wieder in Ihrem Guthaben.',
  'The buyer has access.': 'Der Käufer hat Zugang.',
  'The buyer was asked to contact you, so that you can pay it back another way.':
    'Der Käufer wurde gebeten, sich an Sie zu wenden, damit Sie es auf anderem Weg zurückzahlen können.',
  'The buyer was asked to contact the operator of this site, who can pay it back another way. You do not have to do anything.':
    'Der Käufer wurde gebeten, sich an den Betreiber dieser Website zu wenden, der es auf anderem Weg zurückzahlen kann. Sie müssen nichts tun.',
  'A buyer paid twice: {item}': 'Ein Käufer hat doppelt bezahlt: {item}',
  'A buyer paid twice for {item}, probably in two tabs at once. The second payment of {price} is being refunded. The first payment stays.':
    'Ein Käufer hat {item} doppelt bezahlt, vermutlich in zwei Tabs gleichzeitig. Die zweite Zahlung von {price} wird erstattet. Die erste Zahlung bleibt bestehen.',
  'A buyer paid twice for {item}, probably in two tabs at once. The second payment of {price} is being refunded, and your share of it is deducted from your balance again. The first payment stays.':
    'Ein Käufer hat {item} doppelt bezahlt, vermutlich in zwei Tabs gleichzeitig. Die zweite Zahlung von {price} wird erstattet, und Ihr Anteil daran wird wieder von Ihrem Guthaben abgezogen. Die erste Zahlung bleibt bestehen.',
  'Your file was refused: {name}': 'Ihre Datei wurde abgelehnt: {name}',
  'Your file “{name}” was refused because {because}. It is neither sold nor delivered.':
    'Ihre Datei „{name}“ wurde abgelehnt, weil {because}. Sie wird weder verkauft noch ausgeliefert.',
  'Upload another file and sell that one instead. If you think that this is a mistake, please contact support.':
    'Laden Sie eine andere Datei hoch und verkaufen Sie stattdessen diese. Wenn Sie das für einen Irrtum halten, wenden Sie sich bitte an den Support.',
  'Upload another file and sell that one instead. If you think that this is a mistake, please contact the operator of this site.':
    'Laden Sie eine andere Datei hoch und verkaufen Sie stattdessen diese. Wenn Sie das für einen Irrtum halten, wenden Sie sich bitte an den Betreiber dieser Website.',
} as const;
