import type { Mutant } from '../mutant.ts';

const shown = ['tests/books/shown-sales.test.ts'];
const weeks = ['tests/sellers/week-summaries.test.ts'];
const browsers = 'server/notices/notifications/browsers.ts';
const telling = 'server/notices/notifications/tell-browsers.ts';

export const mutants: Mutant[] = [
  {
    fault: 'a browser that is signed out goes on showing sales',
    file: telling,
    find: "    .innerJoin('session', 'session.id', 'notified_browser.session_id')\n",
    replace: '',
    tests: shown,
    titles: 'sqlite.+shows nothing any more',
  },
  {
    fault: 'a browser shows the sales of whoever turned it on first',
    file: browsers,
    find: "      .where('session_id', '!=', sessionId)\n",
    replace: "      .where('session_id', '=', '')\n",
    tests: shown,
    titles: 'sqlite.+shows nothing any more',
  },
  {
    fault: 'anybody ends what the browser of another shows',
    file: browsers,
    find: "    .where('session_id', '=', sessionId)\n    .where('owner_id', '=', ownerId)\n",
    replace: "    .where('session_id', '=', sessionId)\n",
    tests: shown,
    titles: 'sqlite.+shows nothing any more',
  },
  {
    fault: 'an account may have any number of browsers',
    file: browsers,
    find: 'others.slice(MAX_NOTIFIED_BROWSERS - 1)',
    replace: 'others.slice(MAX_NOTIFIED_BROWSERS * 9)',
    tests: shown,
    titles: 'sqlite.+is refused what is no',
  },
  {
    fault: 'a push service may be spoken to without TLS',
    file: browsers,
    find: "(allowPrivate || new URL(endpoint).protocol === 'https:'",
    replace: "(allowPrivate || new URL(endpoint).protocol !== 'ftp:'",
    tests: shown,
    titles: 'sqlite.+no push service within',
  },
  {
    fault: 'a browser that its push service knows no more is kept',
    file: telling,
    find: "if (outcome === 'gone') return forget(db, same);",
    replace: "if (outcome === 'gone') return;",
    tests: shown,
    titles: 'sqlite.+knows no more',
  },
  {
    fault: 'what a push service did not take is lost',
    file: telling,
    find: '  again(at + Math.max(MINUTE_MS, at - soldBy));\n',
    replace: '',
    tests: shown,
    titles: 'sqlite.+knows no more',
  },
  {
    fault: 'a browser that fails for a day is tried forever',
    file: telling,
    find: 'if (at - since >= PUSH_PATIENCE_MS) return forget(db, same);',
    replace: '',
    tests: shown,
    titles: 'sqlite.+knows no more',
  },
  {
    fault: 'each of very many sales is shown',
    file: 'server/notices/notifications/tell-seller.ts',
    find: '  if (number <= MAX_TOLD_SINGLY) {',
    replace: '  if (number > 0) {',
    tests: shown,
    titles: 'sqlite.+sales of an hour together',
  },
  {
    fault: 'a week is told before it is over',
    file: 'server/notices/notifications/plan-weeks.ts',
    find: 'const thisWeek = weekOf(now);',
    replace: 'const thisWeek = weekOf(now) + 1;',
    tests: weeks,
    titles: 'sqlite.+comes once',
  },
  {
    fault: 'a summary that was chosen again skips the week that waits',
    file: 'server/notices/notifications/choice.ts',
    find: 'then notification_choice.told_week else',
    replace: 'then excluded.told_week else',
    tests: weeks,
    titles: 'sqlite.+begins with the week',
  },
  {
    fault: 'a week without anything is told',
    file: 'server/notices/mails/sold-notices.ts',
    find: 'if (sales === 0 && refunds === 0 && returnedCents === 0) return [];',
    replace: '',
    tests: weeks,
    titles: 'sqlite.+comes once',
  },
  {
    fault: 'a summary is sent to who wants none any more',
    file: 'server/notices/mails/sold-notices.ts',
    find: 'if (seller?.weekly !== 1) return [];',
    replace: 'if (!seller) return [];',
    tests: weeks,
    titles: 'sqlite.+ends by one press',
  },
];
