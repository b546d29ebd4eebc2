/** What sellers and operators are mailed of reports and take-downs. */
export const MODERATION_MAILS = {
  'Your link was taken down: {item}': 'Ihr Link wurde entfernt: {item}',
  'We took your link {item} down. Reason: {reason}. {words}':
    'Wir haben Ihren Link {item} entfernt. Grund: {reason}. {words}',
  'Nobody can open, buy or download it now, not even those who bought it, and its files cannot be uploaded again. If you think that this is a mistake, you can object once, on your dashboard.':
    'Niemand kann ihn jetzt öffnen, kaufen oder herunterladen, auch nicht, wer ihn gekauft hat, und seine Dateien können nicht erneut hochgeladen werden. Wenn Sie das für einen Irrtum halten, können Sie in Ihrer Übersicht einmal Widerspruch einlegen.',
  'Your objection was answered: {item}': 'Ihr Widerspruch wurde beantwortet: {item}',
  'We have looked at your objection, and your link {item} stays down. {words}':
    'Wir haben Ihren Widerspruch geprüft, und Ihr Link {item} bleibt entfernt. {words}',
  'Your link was restored: {item}': 'Ihr Link wurde wiederhergestellt: {item}',
  'Your link {item} is no longer taken down. It has been restored, and everyone who bought it and was not refunded can open it.':
    'Ihr Link {item} ist nicht mehr entfernt. Er wurde wiederhergestellt, und alle, die ihn gekauft und ihr Geld nicht zurückerhalten haben, können ihn öffnen.',
  'Waiting for you: {what}': 'Wartet auf Sie: {what}',
  '1 report': '1 Meldung',
  '{count} reports': '{count} Meldungen',
  '1 objection': '1 Widerspruch',
  '{count} objections': '{count} Widersprüche',
  '{what} about links on {host} is waiting for your decision.':
    '{what} zu Links auf {host} wartet auf Ihre Entscheidung.',
  '{what} about links on {host} are waiting for your decision.':
    '{what} zu Links auf {host} warten auf Ihre Entscheidung.',
  'Read what was said': 'Meldungen und Widersprüche lesen',
  'At most one such email is sent an hour. On the server, npm run cli -- link reports shows the same.':
    'Höchstens eine solche E-Mail wird in einer Stunde gesendet. Auf dem Server zeigt npm run cli -- link reports dasselbe.',
} as const;
