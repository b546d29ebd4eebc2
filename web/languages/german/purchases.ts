/** What a browser or an account bought, and how to find the rest. */
export const PURCHASES = {
  'Your purchases': 'Ihre Käufe',
  'Show the newest': 'Neueste zeigen',
  'Show older purchases': 'Ältere Käufe zeigen',
  'A signed receipt proves what you bought.':
    'Ein signierter Beleg beweist, was Sie gekauft haben.',
  'Verify one': 'Beleg prüfen',
  'They are still yours, and will be here in a moment.':
    'Sie gehören Ihnen weiterhin und sind gleich wieder hier.',
  'Everything you bought here, newest first.':
    'Alles, was Sie hier gekauft haben, das Neueste zuerst.',
  'Neither your account nor this browser has bought anything yet.':
    'Weder mit Ihrem Konto noch in diesem Browser wurde bisher etwas gekauft.',
  'This browser holds no purchases. Find them by the email address that you paid with.':
    'In diesem Browser sind keine Käufe gespeichert. Finden Sie sie über die E-Mail-Adresse, mit der Sie bezahlt haben.',
  'If something was paid for with {email}, an email with a link is on its way to that address. Please check your inbox.':
    'Falls mit {email} etwas bezahlt wurde, ist eine E-Mail mit einem Link an diese Adresse unterwegs. Bitte sehen Sie in Ihrem Posteingang nach.',
  'This browser no longer holds any purchases.':
    'In diesem Browser sind keine Käufe mehr gespeichert.',
  'On hold': 'Ausgesetzt',
  Ended: 'Beendet',
  'Not available': 'Nicht verfügbar',
  'Signed receipt of {name}': 'Signierter Beleg: {name}',
  'Find them by email': 'Per E-Mail finden',
  'Find others by email': 'Weitere per E-Mail finden',
  'We send a link that opens everything that was paid for with an address.':
    'Wir senden einen Link, der alles öffnet, was mit einer Adresse bezahlt wurde.',
  'Email address you paid with': 'E-Mail-Adresse, mit der Sie bezahlt haben',
  'Send the link': 'Link senden',
  'Forget this browser': 'Diesen Browser vergessen',
  'Forget this browser?': 'Diesen Browser vergessen?',
  'This browser will no longer open what was bought in it, unless the account you are signed in to bought it. Nothing is refunded or deleted: the personal link in each receipt still opens your purchase, and you can find all of them by email.':
    'Dieser Browser öffnet dann nicht mehr, was in ihm gekauft wurde, es sei denn, es wurde mit dem Konto gekauft, mit dem Sie angemeldet sind. Nichts wird erstattet oder gelöscht: Der persönliche Link in jedem Beleg öffnet Ihren Kauf weiterhin, und Sie können alle per E-Mail finden.',
  'The receipts are on their way. Please check your inbox before you go on.':
    'Die Belege sind unterwegs. Bitte sehen Sie in Ihrem Posteingang nach, bevor Sie fortfahren.',
  'Forgetting...': 'Wird vergessen …',
  'Send the receipts first': 'Zuerst die Belege senden',
  'Keep it': 'Behalten',
} as const;
