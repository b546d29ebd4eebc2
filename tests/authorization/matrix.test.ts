import { beforeAll, expect, test } from 'vitest';
import { schema } from '../../server/api/schema.ts';
import { BUYER_EMAIL } from '../factories/payment.ts';
import { SERVICE_KEY } from '../factories/secret-key.ts';
import { describeOnSqliteFirst } from '../harness/on-both-databases.ts';
import type { Person } from '../harness/person.ts';
import { useApp } from '../harness/use-app.ts';
import { CALLERS, type CallerName, gatherCallers } from './callers.ts';
import { LINKS, sellLinks } from './links.ts';
import { LINK_OPERATIONS, OPERATIONS, type World } from './operations.ts';
import { readTable } from './read-table.ts';

/**
 * One letter for each link: unpaid, paid, free, paused, deleted. The last two are web addresses.
 * U unlocked: key, url and content; o the same though `unlocked` is false; l locked; - not there; x
 * refused; s a key without the scope; d done; c led to the checkout; u needs no checkout; p paused; .
 * does not apply. The signed-in buyer bought the last two as well.
 * A web address is no archive.
 */
const BY_LINK = `
                             | none  | publ. | wrong | key   | read  | refund| other | serv. | other | owner | guest | buyer
                             | key   | key   | key   | owner | owner | owner | key   | key   | sess. | sess. | buyer | sess.
getPaywallLink               | xxxxx | llUl- | xxxxx | ooUo- | ooUo- | llUl- | llUl- | ooUoo | llUl- | ooUo- | lUUl- | lUUUU
listPaywallLinks             | xxxxx | llUl- | xxxxx | ooUo- | ooUo- | llUl- | llUl- | ooUo- | llUl- | ooUo- | lUUl- | lUUU-
listDeletedPaywallLinks      | xxxxx | xxxxx | xxxxx | ----l | ----l | sssss | ----- | xxxxx | ----- | ----l | xxxxx | -----
updatePaywallLink            | xxxxx | xxxxx | xxxxx | dddd- | sssss | sssss | xxxx- | dddd- | xxxx- | dddd- | xxxxx | xxxx-
POST /prod/checkout          | ccup- | ccup- | ccup- | uuuu- | uuuu- | ccup- | ccup- | uuuuu | ccup- | uuuu- | cuup- | cuuuu
GET /p/:id/content           | llUll | llUll | llUll | UUUUl | UUUUl | llUll | llUll | UUUUU | llUll | UUUUl | lUUll | lUUUU
GET /p/:id/content?open=1    | llUll | llUll | llUll | UUUUl | UUUUl | llUll | llUll | UUUUU | llUll | UUUUl | lUUll | lUUUU
GET /p/:id/content.zip       | llUll | llUll | llUll | UUU-l | UUU-l | llUll | llUll | UUU-- | llUll | UUU-l | lUUll | lUU--
GET /p/:id/receipt           | lllll | lllll | lllll | lllll | lllll | lllll | lllll | lllll | lllll | lllll | lUlll | lUlUU
GET /storage/url             | xxU.. | xxU.. | xxU.. | UUU.. | UUU.. | xxU.. | xxU.. | UUU.. | xxU.. | UUU.. | xUU.. | xUU..
GET /storage/list            | xxx.. | ---.. | xxx.. | UUU.. | UUU.. | ---.. | ---.. | ---.. | ---.. | UUU.. | -U-.. | -U-..
`;

/**
 * What concerns the owner's account, or something new of the owner's. own: of the caller alone.
 * The owner's first key is to sell, the other creator's for everything.
 */
const AT_LARGE = `
                             | none  | publ. | wrong | key   | read  | refund| other | serv. | other | owner | guest | buyer
                             | key   | key   | key   | owner | owner | owner | key   | key   | sess. | sess. | buyer | sess.
createPaywallLink            | x     | x     | x     | d     | s     | s     | x     | d     | x     | d     | x     | x
deletePaywallLink            | x     | x     | x     | d     | s     | s     | x     | d     | x     | d     | x     | x
restorePaywallLink           | x     | x     | x     | d     | s     | s     | -     | x     | -     | d     | x     | -
setChoices                   | x     | x     | x     | d     | s     | s     | x     | d     | x     | d     | x     | x
getUserBalance               | x     | x     | x     | x     | x     | x     | x     | x     | x     | d     | x     | x
getSalesByDay                | x     | x     | x     | s     | d     | s     | own   | x     | own   | d     | x     | own
listSources                  | x     | x     | x     | s     | d     | s     | own   | x     | own   | d     | x     | own
listSales                    | x     | x     | x     | s     | d     | s     | own   | x     | own   | d     | x     | own
countUndeliveredSales        | x     | x     | x     | s     | d     | s     | own   | x     | own   | d     | x     | own
listDiscounts                | x     | x     | x     | x     | x     | x     | x     | x     | own   | d     | x     | own
createDiscount               | x     | x     | x     | x     | x     | x     | x     | x     | own   | own   | x     | own
giveLink                     | x     | x     | x     | x     | x     | x     | x     | x     | own   | own   | x     | own
endDiscount                  | x     | x     | x     | x     | x     | x     | x     | x     | -     | d     | x     | -
listLicenseKeys              | x     | x     | x     | s     | d     | s     | x     | d     | x     | d     | x     | x
addLicenseKeys               | x     | x     | x     | d     | s     | s     | x     | d     | x     | d     | x     | x
removeLicenseKeys            | x     | x     | x     | d     | s     | s     | x     | d     | x     | d     | x     | x
clearLicenseActivations      | x     | x     | x     | d     | s     | s     | x     | d     | x     | d     | x     | x
getMoney                     | x     | x     | x     | s     | d     | s     | own   | x     | own   | d     | x     | own
listPayouts                  | x     | x     | x     | s     | own   | s     | own   | x     | own   | own   | x     | own
listBookedPayouts            | x     | x     | x     | s     | own   | s     | own   | x     | own   | own   | x     | own
requestPayout                | x     | x     | x     | x     | x     | x     | x     | x     | own   | own   | x     | own
cancelPayout                 | x     | x     | x     | x     | x     | x     | x     | x     | -     | d     | x     | -
beginPayoutOnboarding        | x     | x     | x     | x     | x     | x     | x     | x     | own   | own   | x     | own
openPayoutDashboard          | x     | x     | x     | x     | x     | x     | x     | x     | own   | own   | x     | own
resendReceiptOfSale          | x     | x     | x     | x     | x     | x     | x     | x     | -     | d     | x     | -
quoteRefund                  | x     | x     | x     | s     | s     | d     | -     | d     | -     | d     | x     | -
refundSale                   | x     | x     | x     | s     | s     | d     | -     | d     | -     | d     | x     | -
getCheckout                  | x     | -     | x     | -     | -     | -     | -     | -     | -     | -     | U     | -
listPurchases                | x     | -     | x     | -     | -     | -     | -     | -     | -     | -     | d     | own
resendReceipt                | x     | d     | x     | d     | d     | d     | d     | d     | d     | d     | d     | d
listSecretKeys               | x     | x     | x     | x     | x     | x     | x     | x     | -     | d     | x     | -
createSecretKey              | x     | x     | x     | x     | x     | x     | x     | x     | d     | d     | x     | d
revokeSecretKey              | x     | x     | x     | x     | x     | x     | x     | x     | -     | d     | x     | -
setSellerName                | x     | x     | x     | x     | x     | x     | x     | x     | d     | d     | x     | d
setNotifications             | x     | x     | x     | x     | x     | x     | x     | x     | d     | d     | x     | d
notifyBrowser                | x     | x     | x     | x     | x     | x     | x     | x     | d     | d     | x     | d
stopNotifyingBrowser         | x     | x     | x     | x     | x     | x     | x     | x     | d     | d     | x     | d
setSellerPage                | x     | x     | x     | x     | x     | x     | x     | x     | d     | d     | x     | d
getSeller                    | x     | d     | x     | d     | d     | d     | d     | d     | d     | d     | d     | d
listWaysToPay                | x     | d     | x     | d     | d     | d     | d     | d     | d     | d     | d     | d
pinLink                      | x     | x     | x     | x     | x     | x     | x     | x     | x     | d     | x     | x
listWebhooks                 | x     | x     | x     | x     | x     | x     | x     | x     | -     | d     | x     | -
listWebhookEvents            | x     | x     | x     | x     | x     | x     | x     | x     | -     | d     | x     | -
createWebhook                | x     | x     | x     | x     | x     | x     | x     | x     | d     | d     | x     | d
createWebhook of all sellers | x     | x     | x     | x     | x     | x     | x     | x     | -     | -     | x     | -
rotateWebhookSecret          | x     | x     | x     | x     | x     | x     | x     | x     | -     | d     | x     | -
setWebhookPaused             | x     | x     | x     | x     | x     | x     | x     | x     | -     | d     | x     | -
resendWebhookEvent           | x     | x     | x     | x     | x     | x     | x     | x     | -     | d     | x     | -
deleteWebhook                | x     | x     | x     | x     | x     | x     | x     | x     | -     | d     | x     | -
listAccounts                 | -     | -     | -     | -     | -     | -     | -     | d     | -     | -     | -     | -
listInvitations              | -     | -     | -     | -     | -     | -     | -     | d     | -     | -     | -     | -
listActs                     | -     | -     | -     | -     | -     | -     | -     | d     | -     | -     | -     | -
inviteAccount                | -     | -     | -     | -     | -     | -     | -     | d     | -     | -     | -     | -
revokeInvitation             | -     | -     | -     | -     | -     | -     | -     | d     | -     | -     | -     | -
suspendAccount               | -     | -     | -     | -     | -     | -     | -     | d     | -     | -     | -     | -
restoreAccount               | -     | -     | -     | -     | -     | -     | -     | d     | -     | -     | -     | -
removeOperator               | -     | -     | -     | -     | -     | -     | -     | INVALID_INPUT | -     | -     | -     | -
setAccountQuota              | -     | -     | -     | -     | -     | -     | -     | d     | -     | -     | -     | -
listOwnTakeDowns             | x     | x     | x     | x     | x     | x     | x     | x     | own   | d     | x     | own
objectToTakeDown             | x     | x     | x     | x     | x     | x     | x     | x     | -     | d     | x     | -
listReports                  | -     | -     | -     | -     | -     | -     | -     | d     | -     | -     | -     | -
listTakeDowns                | -     | -     | -     | -     | -     | -     | -     | d     | -     | -     | -     | -
takeDownLink                 | -     | -     | -     | -     | -     | -     | -     | d     | -     | -     | -     | -
undoTakeDown                 | -     | -     | -     | -     | -     | -     | -     | d     | -     | -     | -     | -
answerObjection              | -     | -     | -     | -     | -     | -     | -     | d     | -     | -     | -     | -
dismissReport                | -     | -     | -     | -     | -     | -     | -     | d     | -     | -     | -     | -
getOverview                  | -     | -     | -     | -     | -     | -     | -     | d     | -     | -     | -     | -
listFailedJobs               | -     | -     | -     | -     | -     | -     | -     | d     | -     | -     | -     | -
listWaitingPayouts           | -     | -     | -     | -     | -     | -     | -     | d     | -     | -     | -     | -
retryJob                     | -     | -     | -     | -     | -     | -     | -     | d     | -     | -     | -     | -
dropJob                      | -     | -     | -     | -     | -     | -     | -     | d     | -     | -     | -     | -
approvePayout                | -     | -     | -     | -     | -     | -     | -     | d     | -     | -     | -     | -
refusePayout                 | -     | -     | -     | -     | -     | -     | -     | INVALID_INPUT | -     | -     | -     | -
findLinks                    | -     | -     | -     | -     | -     | -     | -     | d     | -     | -     | -     | -
findPurchases                | -     | -     | -     | -     | -     | -     | -     | d     | -     | -     | -     | -
listUndeliveredPurchases     | -     | -     | -     | -     | -     | -     | -     | d     | -     | -     | -     | -
resendReceiptOfPurchase      | -     | -     | -     | -     | -     | -     | -     | d     | -     | -     | -     | -
examineSetup                 | -     | -     | -     | -     | -     | -     | -     | d     | -     | -     | -     | -
sendMailCode                 | -     | -     | -     | -     | -     | -     | -     | x     | -     | -     | -     | -
confirmMailCode              | -     | -     | -     | -     | -     | -     | -     | x     | -     | -     | -     | -
GET /dashboard/sales/:id/receipt | x | x     | x     | x     | x     | x     | x     | x     | -     | d     | x     | -
GET /api/user-attributes     | x     | x     | x     | x     | x     | x     | x     | x     | own   | d     | x     | own
POST /uploads                | x     | x     | x     | d     | x     | x     | d     | x     | d     | d     | x     | d
HEAD, PATCH and DELETE /uploads/:blob | xxx | xxx | xxx | ddd | xxx | xxx | --- | xxx   | ---   | ddd   | xxx   | ---
DELETE /storage              | x     | x     | x     | d     | x     | x     | x     | x     | x     | d     | x     | x
onCreatePaywallLink          | x     | d     | x     | d     | d     | d     | d     | d     | d     | d     | d     | d
onUpdatePaywallLink          | x     | d     | x     | d     | d     | d     | d     | d     | d     | d     | d     | d
onDeletePaywallLink          | x     | d     | x     | d     | d     | d     | d     | d     | d     | d     | d     | d
onCreateSale                 | x     | x     | x     | x     | x     | x     | x     | x     | x     | d     | x     | x
onUpdateUserBalance          | x     | x     | x     | x     | x     | x     | x     | x     | x     | d     | x     | x
`;

const byLink = readTable(BY_LINK, CALLERS);
const atLarge = readTable(AT_LARGE, CALLERS);

test('the authorization matrix names every operation of the schema', () => {
  const fields = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]
    .flatMap((type) => Object.keys(type?.getFields() ?? {}))
    .sort();
  const named = [...Object.keys(byLink), ...Object.keys(atLarge)];
  expect(fields.filter((field) => !named.includes(field))).toEqual([]);
  expect([...Object.keys(LINK_OPERATIONS), ...Object.keys(OPERATIONS)].sort()).toEqual(
    named.toSorted(),
  );
});

describeOnSqliteFirst('the authorization matrix', (database) => {
  let ahead = 0;
  const now = () => Date.now() + ahead;
  const app = useApp({ database, env: { SERVICE_KEY }, overrides: { now } });
  let world: World;
  let ownEmail: Partial<Record<CallerName, string>>;
  let leaks: string[];

  beforeAll(async () => {
    const people = await gatherCallers(app);
    world = { ...people, ...(await sellLinks(people)), app };
    ownEmail = {
      "owner's session": people.emails.owner,
      "other creator's session": people.emails.other,
      'signed-in buyer': people.emails.buyer,
    };
  });

  /** What must not reach this caller, whatever it asks. */
  function forbiddenFor(caller: CallerName): string[] {
    const locked = LINKS.filter((_, n) => !/[Uo]/.test(byLink.getPaywallLink?.[caller][n] ?? ''));
    // A link that is open to everyone is open by its page also for who has no key.
    const closed = locked.filter((link) => link !== 'free');
    const secrets = closed.flatMap((link) => world.links[link].secrets);
    const emails = [...Object.values(world.emails), BUYER_EMAIL];
    return [...secrets, ...emails.filter((email) => email !== ownEmail[caller])];
  }

  /** The caller, with every answer searched for what must not be in it. */
  function watched(name: CallerName, operation: string) {
    const { person, keys } = world.callers[name];
    const forbidden = forbiddenFor(name);
    const fetch: Person['fetch'] = async (path, init) => {
      const answer = await person.fetch(path, init);
      const text = [...answer.headers].join('\n') + (await answer.clone().text());
      for (const canary of forbidden) {
        if (text.includes(canary)) leaks.push(`${operation} tells ${name}: ${canary}`);
      }
      return answer;
    };
    return { person: { ...person, fetch }, keys };
  }

  test.each(Object.entries(LINK_OPERATIONS))(
    '%s answers each caller for each link as the table says',
    async (operation, run) => {
      leaks = [];
      const found: Record<string, string> = {};
      for (const caller of CALLERS) {
        found[caller] = '';
        // All together, they begin more checkouts than one address may in a minute.
        ahead += 6_000;
        for (const link of LINKS) {
          found[caller] += await run(world, watched(caller, operation), world.links[link]);
        }
      }
      expect(found).toEqual(byLink[operation]);
      expect(leaks).toEqual([]);
    },
  );

  test.each(Object.entries(OPERATIONS))(
    '%s answers each caller as the table says',
    async (operation, run) => {
      leaks = [];
      const found: Record<string, string> = {};
      // All together, they are more than an account may change in a minute.
      ahead += 60_000;
      for (const caller of CALLERS) found[caller] = await run(world, watched(caller, operation));
      expect(found).toEqual(atLarge[operation]);
      expect(leaks).toEqual([]);
    },
  );
});
