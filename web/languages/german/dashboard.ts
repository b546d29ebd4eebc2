/** A seller's own links and sales. {balance} stands in the dative. */
export const DASHBOARD = {
  'Welcome back, {name}': 'Willkommen zurück, {name}',
  'Manage your paywall links below.': 'Verwalten Sie hier Ihre Bezahllinks.',
  'Only the operator of this site sells here. You can buy with your account.':
    'Hier verkauft nur der Betreiber dieser Website. Mit Ihrem Konto können Sie kaufen.',
  'Sign Out': 'Abmelden',
  'Balance: $...': 'Guthaben: …',
  'Your balance could not be loaded.': 'Ihr Guthaben konnte nicht geladen werden.',
  'Your links': 'Ihre Links',
  'Show older links': 'Ältere Links zeigen',
  'Show deleted links': 'Gelöschte Links zeigen',
  'Show all links': 'Alle Links zeigen',
  'You have no link “{id}” to edit.': 'Sie haben keinen Link „{id}“ zum Bearbeiten.',
  '{name} was saved.': '{name} wurde gespeichert.',
  '{name} was deleted.': '{name} wurde gelöscht.',
  '{name} was restored.': '{name} wurde wiederhergestellt.',
  '{name} is paused. Nobody can buy it.': '{name} ist pausiert und kann nicht gekauft werden.',
  '{name} can be bought again.': '{name} kann wieder gekauft werden.',
  'Share your link to make your first sale': 'Teilen Sie Ihren Link für Ihren ersten Verkauf',
  'Share the link to “{name}” wherever your audience is: in a post, on your site, in an email.':
    'Teilen Sie den Link zu „{name}“ überall, wo Ihr Publikum ist: in einem Beitrag, auf Ihrer Website, in einer E-Mail.',
  'Your Paywall Links': 'Ihre Bezahllinks',
  'Deleted links': 'Gelöschte Links',
  'Off sale until you restore them. Their sales stay in your records, and buyers keep what they bought.':
    'Nicht im Verkauf, bis Sie sie wiederherstellen. Ihre Verkäufe bleiben aufgezeichnet, und Käufer behalten, was sie gekauft haben.',
  'Back to your links': 'Zurück zu Ihren Links',
  'Back to the newest links': 'Zurück zu den neuesten Links',
  'Search your links': 'Ihre Links durchsuchen',
  'You have not deleted any links.': 'Sie haben keine Links gelöscht.',
  'No link so far contains “{words}”.': 'Bisher enthält kein Link „{words}“.',
  'None of your links contains “{words}”.': 'Keiner Ihrer Links enthält „{words}“.',
  'You have no paywall links.': 'Sie haben keine Bezahllinks.',
  'No paywall links yet.': 'Noch keine Bezahllinks.',
  '1 view': '1 Aufruf',
  '{count} views': '{count} Aufrufe',
  '1 checkout': '1 Bezahlvorgang',
  '{count} checkouts': '{count} Bezahlvorgänge',
  'the link {name}': 'Link {name}',
  '{id}, deleted on {day}': '{id}, gelöscht am {day}',
  Restore: 'Wiederherstellen',
  'Restore {name}': '{name} wiederherstellen',
  'Restoring...': 'Wird wiederhergestellt …',
  Incomplete: 'Unvollständig',
  Refused: 'Abgelehnt',
  'Being checked': 'Wird geprüft',
  'On sale': 'Im Verkauf',
  'Manage {name}': '{name} verwalten',
  'Replace content': 'Inhalt ersetzen',
  Visitors: 'Besucher',
  'Pausing...': 'Wird pausiert …',
  Resume: 'Fortsetzen',
  'Resuming...': 'Wird fortgesetzt …',
  'Delete “{name}”?': '„{name}“ löschen?',
  'Nobody will be able to buy it. Buyers keep what they bought. You can restore it for at least 30 days.':
    'Niemand kann den Link mehr kaufen. Käufer behalten, was sie gekauft haben. Sie können ihn mindestens 30 Tage lang wiederherstellen.',
  'Delete link': 'Link löschen',
  'Share “{name}”': '„{name}“ teilen',
  Done: 'Fertig',
  'Edit “{name}”': '„{name}“ bearbeiten',
  'Short address (optional)': 'Kurzadresse (optional)',
  'Such as “notes” in /s/ada/notes. Others may guess it.':
    'Wie „notes“ in /s/ada/notes. Andere können sie erraten.',
  'A different web address is a new version. Buyers keep the one they bought, and get the new one too.':
    'Eine andere Webadresse ist eine neue Version. Käufer behalten die gekaufte und erhalten auch die neue.',
  'Anyone can open it without paying.': 'Alle können den Link öffnen, ohne zu bezahlen.',
  'Hide from search engines': 'Vor Suchmaschinen verbergen',
  'Anyone with the link can still open it.': 'Wer den Link hat, kann ihn weiterhin öffnen.',
  'Show the first page': 'Erste Seite zeigen',
  'Stamp each page with the buyer’s email address':
    'Jede Seite mit der E-Mail-Adresse des Käufers stempeln',
  'In small letters at the bottom, with the order number. New buyers are told before they pay; earlier ones get it, too.':
    'Klein am unteren Rand, mit der Bestellnummer. Neue Käufer erfahren es vor dem Bezahlen; auch frühere bekommen es so.',
  'A PDF here is encrypted, signed, damaged or too large, so it cannot be stamped. Buyers get it as you uploaded it.':
    'Ein PDF hier ist verschlüsselt, signiert, beschädigt oder zu groß und lässt sich nicht stempeln. Käufer bekommen es so, wie Sie es hochgeladen haben.',
  'Everyone sees it before paying, 800 pixels wide; blurred if it is the only page.':
    'Alle sehen sie vor dem Bezahlen, 800 Pixel breit; unscharf, wenn es die einzige Seite ist.',
  'Show the picture blurred': 'Bild unscharf zeigen',
  'Everyone sees a blurred picture before paying.':
    'Alle sehen vor dem Bezahlen ein unscharfes Bild.',
  'Play the beginning': 'Anfang abspielen',
  'Everyone can hear up to 30 seconds before paying, but at most a quarter.':
    'Alle können vor dem Bezahlen bis zu 30 Sekunden hören, höchstens ein Viertel.',
  'No preview of this file could be created.':
    'Von dieser Datei konnte keine Vorschau erstellt werden.',
  'You are signed out. Your changes are still here: sign in, then save again.':
    'Sie sind abgemeldet. Ihre Änderungen sind noch hier: Melden Sie sich an und speichern Sie dann erneut.',
  'Sign in in a new tab': 'In einem neuen Tab anmelden',
  'Leave without saving your changes?': 'Ohne Speichern der Änderungen verlassen?',
  'Versions ({count})': 'Versionen ({count})',
  'Buyers keep the version they bought, and get the one on sale as well.':
    'Käufer behalten die gekaufte Version und erhalten auch die, die im Verkauf ist.',
  'Version {number}': 'Version {number}',
  'Version {number} is on sale again, as version {now}.':
    'Version {number} ist wieder im Verkauf, als Version {now}.',
  '1 buyer': '1 Käufer',
  '{count} buyers': '{count} Käufer',
  'files deleted': 'Dateien gelöscht',
  'Sell again': 'Wieder verkaufen',
  'Sell again: version {number}': 'Wieder verkaufen: Version {number}',
  'This could not be loaded. Please reload the page and try again.':
    'Das konnte nicht geladen werden. Bitte laden Sie die Seite neu und versuchen Sie es erneut.',
  'Taken down by the operator': 'Vom Betreiber entfernt',
  'Nobody can open, buy or download these links, not even those who bought them.':
    'Niemand kann diese Links öffnen, kaufen oder herunterladen, auch nicht, wer sie gekauft hat.',
  'Reason: {reason}.': 'Grund: {reason}.',
  'Your objection: {words}': 'Ihr Widerspruch: {words}',
  'Your objection was sent. We will email you the decision.':
    'Ihr Widerspruch wurde gesendet. Wir teilen Ihnen die Entscheidung per E-Mail mit.',
  'The operator’s answer: {words}': 'Die Antwort des Betreibers: {words}',
  'Say why the link should be restored.':
    'Begründen Sie, warum der Link wiederhergestellt werden soll.',
  'Is this a mistake? Tell the operator why.':
    'Ist das ein Irrtum? Begründen Sie es gegenüber dem Betreiber.',
  'You can object once.': 'Sie können einmal widersprechen.',
  Object: 'Widersprechen',
  'Sales by day': 'Verkäufe nach Tagen',
  Period: 'Zeitraum',
  '{count} days': '{count} Tage',
  'Show each sale': 'Jeden Verkauf zeigen',
  'Export all sales (CSV)': 'Alle Verkäufe exportieren (CSV)',
  'Not delivered yet: {count}': 'Noch nicht geliefert: {count}',
  Day: 'Tag',
  '{price} returned': '{price} erstattet',
  'Show as a table': 'Als Tabelle zeigen',
  'Sales by day, as a table': 'Verkäufe nach Tagen, als Tabelle',
  'Day (UTC)': 'Tag (UTC)',
  Views: 'Aufrufe',
  Checkouts: 'Bezahlvorgänge',
  Returned: 'Erstattet',
  'after {price} returned': 'abzüglich {price} Erstattungen',
  'of 1 view': 'von 1 Aufruf',
  'of {count} views': 'von {count} Aufrufen',
  'only 1 view counted': 'nur 1 Aufruf gezählt',
  'only {count} views counted': 'nur {count} Aufrufe gezählt',
  Conversion: 'Konversion',
  'Sold: {name}, {price}': 'Verkauft: {name}, {price}',
  '{count} sales since you opened this page, {price} in total':
    '{count} Verkäufe, seit Sie diese Seite geöffnet haben, insgesamt {price}',
  Dismiss: 'Schließen',
  'Your sales': 'Ihre Verkäufe',
  'Not delivered yet': 'Noch nicht geliefert',
  'Paid but not downloaded, although the buyer was reminded. You can resend the receipt to the buyer’s email.':
    'Bezahlt und trotz Erinnerung nicht heruntergeladen. Sie können den Beleg erneut an die E-Mail-Adresse des Käufers senden.',
  'Lost receipt? Resend it to the buyer’s email.':
    'Beleg verloren? Senden Sie ihn erneut an die E-Mail-Adresse des Käufers.',
  'Sending a receipt and refunding require JavaScript, which is turned off in this browser.':
    'Zum Senden eines Belegs und zum Erstatten wird JavaScript benötigt, das in diesem Browser ausgeschaltet ist.',
  'Every sale has been delivered.': 'Jeder Verkauf wurde geliefert.',
  'No sales yet.': 'Noch keine Verkäufe.',
  Newest: 'Neueste',
  Oldest: 'Älteste',
  'Highest price': 'Höchster Preis',
  'Show the oldest': 'Älteste zeigen',
  'Show the highest prices': 'Höchste Preise zeigen',
  'Show older sales': 'Ältere Verkäufe zeigen',
  'Show newer sales': 'Neuere Verkäufe zeigen',
  'Show lower prices': 'Niedrigere Preise zeigen',
  Disputed: 'Beanstandet',
  Delivered: 'Geliefert',
  'Handed over': 'Übergeben',
  'Not downloaded yet': 'Noch nicht heruntergeladen',
  'Partly delivered ({percent}%)': 'Teilweise geliefert ({percent}\u00a0%)',
  Date: 'Datum',
  Status: 'Status',
  'After the fee': 'Nach Abzug der Gebühr',
  Actions: 'Aktionen',
  Gift: 'Geschenk',
  'The recipient’s mail server refused the gift. If you send the receipt again, the buyer can correct the address.':
    'Der Mailserver des Empfängers hat das Geschenk abgewiesen. Wenn Sie den Beleg erneut senden, kann der Käufer die Adresse berichtigen.',
  'The buyer’s mail server refused the receipt.':
    'Der Mailserver des Käufers hat den Beleg abgewiesen.',
  'Refunded {price} of {paid}.': '{price} von {paid} erstattet.',
  'A refund of this amount is pending': 'Eine Erstattung dieses Betrags ist in Bearbeitung',
  'A refund of this amount failed': 'Eine Erstattung dieses Betrags ist fehlgeschlagen',
  'Refunded by you': 'Von Ihnen erstattet',
  'Refunded by the operator': 'Vom Betreiber erstattet',
  'Given back by the buyer': 'Vom Käufer zurückgegeben',
  Refunded: 'Erstattet',
  'The buyer’s bank is asking about this payment of {price}.':
    'Die Bank des Käufers hat eine Rückfrage zu dieser Zahlung von {price}.',
  '{price} is disputed at the buyer’s bank.': '{price} sind bei der Bank des Käufers beanstandet.',
  'A dispute of {price} was lost.': 'Eine Beanstandung von {price} wurde verloren.',
  'A dispute of {price} is over, and nothing was lost.':
    'Eine Beanstandung von {price} ist beendet, und es ging nichts verloren.',
  'The bank takes evidence until {day}.': 'Die Bank nimmt Nachweise bis {day} entgegen.',
  'A record of what was delivered is attached, and is sent to the bank a day before that.':
    'Ein Nachweis der Lieferung ist beigefügt und wird der Bank einen Tag vorher gesendet.',
  'A record of what was delivered was sent to the bank.':
    'Ein Nachweis der Lieferung wurde der Bank gesendet.',
  'No download is on record, so the answer is left to the operator of this site.':
    'Es ist kein Download verzeichnet, daher antwortet der Betreiber dieser Website.',
  'Refund: {name}': 'Erstatten: {name}',
  'Refund “{name}”?': '„{name}“ erstatten?',
  'Amount (USD)': 'Betrag (USD)',
  'Up to {most}. A full refund ends the buyer’s access.':
    'Bis zu {most}. Eine vollständige Erstattung beendet den Zugang des Käufers.',
  'Kept with the payment and shown in your sales. The buyer does not see it.':
    'Wird zur Zahlung vermerkt und bei Ihren Verkäufen gezeigt. Der Käufer sieht ihn nicht.',
  'Say why, for your own records.': 'Nennen Sie den Grund, für Ihre eigenen Unterlagen.',
  'Enter an amount of $0.01 or more.': 'Geben Sie einen Betrag ab 0,01\u00a0$ ein.',
  'Refund {price}': '{price} erstatten',
  'Refunding...': 'Wird erstattet …',
  'The buyer gets {price} back.': 'Der Käufer erhält {price} zurück.',
  'The buyer gets {price} back, {tax} of it tax.':
    'Der Käufer erhält {price} zurück, davon {tax} Steuer.',
  'your balance': 'Ihrem Guthaben',
  'the seller’s balance': 'dem Guthaben des Anbieters',
  '{price} is taken from {balance}.': '{price} werden von {balance} abgezogen.',
  '{price} is taken from {balance}; the platform returns its fee of {fee}.':
    '{price} werden von {balance} abgezogen; die Plattform gibt ihre Gebühr von {fee} zurück.',
  '{price} is taken from {balance}; the platform returns {fee} of its fee.':
    '{price} werden von {balance} abgezogen; die Plattform gibt {fee} ihrer Gebühr zurück.',
  'The payment provider does not return its processing cost.':
    'Der Zahlungsdienstleister gibt seine Kosten nicht zurück.',
  'The payment provider does not return its processing cost of {cost}.':
    'Der Zahlungsdienstleister gibt seine Kosten von {cost} nicht zurück.',
  'The payment provider does not return its processing cost: it is borne by the platform.':
    'Der Zahlungsdienstleister gibt seine Kosten nicht zurück: Sie trägt die Plattform.',
  'The payment provider does not return its processing cost of {cost}: it is borne by the platform.':
    'Der Zahlungsdienstleister gibt seine Kosten von {cost} nicht zurück: Sie trägt die Plattform.',
  'The payment provider does not return its processing cost: it is taken from {balance} as well.':
    'Der Zahlungsdienstleister gibt seine Kosten nicht zurück: Auch sie werden von {balance} abgezogen.',
  'The payment provider does not return its processing cost of {cost}: it is taken from {balance} as well.':
    'Der Zahlungsdienstleister gibt seine Kosten von {cost} nicht zurück: Auch sie werden von {balance} abgezogen.',
  'Your balance will be {price}.': 'Ihr Guthaben beträgt dann {price}.',
  'The seller’s balance will be {price}.': 'Das Guthaben des Anbieters beträgt dann {price}.',
  'You do not have to pay anything: later sales make up for it.':
    'Sie müssen nichts zahlen: Spätere Verkäufe gleichen es aus.',
  'This returns the payment in full, so the buyer’s access ends. A refund cannot be undone.':
    'Damit ist die Zahlung vollständig erstattet, und der Zugang des Käufers endet. Eine Erstattung kann nicht rückgängig gemacht werden.',
  'The buyer keeps access. A refund cannot be undone.':
    'Der Käufer behält den Zugang. Eine Erstattung kann nicht rückgängig gemacht werden.',
} as const;
