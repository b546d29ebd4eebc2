/** What a browser or an account bought, and how to find the rest. */
export const PURCHASES = {
  'Your purchases': 'Ihre Käufe',
  'Show the newest': 'Neueste zeigen',
  'Show older purchases': 'Ältere Käufe zeigen',
  'A signed receipt proves what you bought.':
    'Ein signierter Beleg beweist, was Sie gekauft haben.',
  'Verify a receipt': 'Beleg prüfen',
  'They are still yours, and will be here in a moment.':
    'Sie gehören Ihnen weiterhin und sind gleich wieder hier.',
  'Everything you bought here, newest first.':
    'Alles, was Sie hier gekauft haben, das Neueste zuerst.',
  'Nothing has been bought with your account or in this browser yet.':
    'Weder mit Ihrem Konto noch in diesem Browser wurde bisher etwas gekauft.',
  'There are no purchases in this browser. Find yours by the email address you paid with.':
    'In diesem Browser sind keine Käufe gespeichert. Finden Sie sie über die E-Mail-Adresse, mit der Sie bezahlt haben.',
  'If something was paid for with {email}, an email with a link is on its way to that address. Please check your inbox.':
    'Falls mit {email} etwas bezahlt wurde, ist eine E-Mail mit einem Link an diese Adresse unterwegs. Bitte sehen Sie in Ihrem Posteingang nach.',
  'There are no longer any purchases in this browser.':
    'In diesem Browser sind keine Käufe mehr gespeichert.',
  'On hold': 'Ausgesetzt',
  Ended: 'Beendet',
  'Not available': 'Nicht verfügbar',
  'Download {name}': '{name} herunterladen',
  'Signed receipt of {name}': 'Signierter Beleg: {name}',
  'Find them by email': 'Per E-Mail finden',
  'Find more purchases by email': 'Weitere Käufe per E-Mail finden',
  'We’ll email you a link to everything bought with this address.':
    'Wir senden Ihnen einen Link zu allem, was mit dieser Adresse gekauft wurde.',
  'Email address you paid with': 'E-Mail-Adresse, mit der Sie bezahlt haben',
  'Send the link': 'Link senden',
  'Forget this browser': 'Diesen Browser vergessen',
  'Forget this browser?': 'Diesen Browser vergessen?',
  'This browser will no longer open what was bought in it, unless the account you are signed in to bought it. Nothing is refunded or deleted: the personal link in each receipt still opens your purchase, and you can find all of them by email. Only what was free is lost.':
    'Dieser Browser öffnet dann nicht mehr, was in ihm gekauft wurde, es sei denn, es wurde mit dem Konto gekauft, mit dem Sie angemeldet sind. Nichts wird erstattet oder gelöscht: Der persönliche Link in jedem Beleg öffnet Ihren Kauf weiterhin, und Sie können alle per E-Mail finden. Nur was kostenlos war, geht verloren.',
  'The receipts are on their way. Please check your inbox before you go on.':
    'Die Belege sind unterwegs. Bitte sehen Sie in Ihrem Posteingang nach, bevor Sie fortfahren.',
  'Forgetting...': 'Wird vergessen …',
  'Send the receipts first': 'Zuerst die Belege senden',
  'Keep it': 'Behalten',
} as const;
