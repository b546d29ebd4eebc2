import { formatBytes } from '../../contract/format.ts';
import { isoTime } from '../ground/lib/time.ts';
import { findAccountId } from '../people/accounts/find-account.ts';
import { invite } from '../people/accounts/invitations.ts';
import { type AccountView, listAccounts } from '../people/accounts/list-accounts.ts';
import { setQuota } from '../people/accounts/set-quota.ts';
import { restoreAccount, suspendAccount } from '../people/accounts/suspend-account.ts';
import { findFirstOperatorUrl } from '../people/operators/first-operator.ts';
import { removeOperator } from '../people/operators/remove-operator.ts';
import {
  type Commands,
  DONE,
  FAILED,
  Misuse,
  readFirst,
  readReasoned,
  readWords,
} from './command-line.ts';
import { findSecret } from './open-configured.ts';

export const USAGE = `  operator invite   shows an address that makes whoever confirms it within a day and signs in the
                    first operator
  operator remove USER --reason TEXT
                    makes an operator an ordinary account; never the last one
  user invite EMAIL [--operator]
                    emails someone an invitation to sell here, or to help run the site; the same
                    again sends it anew
  user list [PREFIX]
                    lists the accounts whose addresses begin so, with what they have and sold
  user quota USER [--bytes N] [--links N] [--uploads-a-day N]
                    sets how much an account may have; the default limits apply to what is left out
  user suspend USER --reason TEXT
                    ends an account's sessions and keys, takes its links off sale and holds its
                    payouts; its owner is emailed the reason, a sentence
  user restore USER lets a suspended account be used again, and puts its links back on sale`;

/** Acts by a command are the operator's who can run it. */
const ACTOR = { kind: 'cli' } as const;

const REQUEST = 'Give the id or email address of an account, then --reason and a sentence.';

export const COMMANDS: Commands = {
  async 'operator invite'({ db, config, out }) {
    const { operatorEmails, publicUrl } = config;
    const secret = await findSecret(config, db);
    const url = await findFirstOperatorUrl({ db, operatorEmails, secret }, publicUrl, Date.now());
    out.log(
      url ??
        'There is an operator already, or OPERATOR_EMAILS names them. Invite others with “user invite EMAIL --operator”.',
    );
    return url ? { ok: true, url } : FAILED;
  },
  async 'operator remove'({ db, config, out, words }) {
    const { first, reason } = readReasoned(words, {}, REQUEST);
    const userId = await findAccountId(db, first);
    const context = { db, now: Date.now, operatorEmails: config.operatorEmails };
    await removeOperator(context, ACTOR, { userId, reason });
    out.log('The account is no longer an operator.');
    return DONE;
  },
  async 'user invite'({ db, config, out, words }) {
    const { positionals, values } = readWords(words, { operator: { type: 'boolean' } });
    const [email, ...more] = positionals;
    if (!email || more.length > 0) {
      throw new Misuse('Give an email address and, for an operator, --operator.');
    }
    const { signUp, sellers } = config;
    const role = values.operator ? 'operator' : 'seller';
    const context = { db, now: Date.now, signUp, sellers };
    const invitation = await invite(context, ACTOR, { email, role });
    out.log(
      `An invitation is on its way to ${invitation.email}. It is valid until ${isoTime(invitation.expires_at)}.`,
    );
    return DONE;
  },
  async 'user suspend'({ db, out, words }) {
    const { first, reason } = readReasoned(words, {}, REQUEST);
    const userId = await findAccountId(db, first);
    await suspendAccount({ db, now: Date.now }, ACTOR, { userId, reason });
    out.log('The account is suspended; its owner is emailed the reason.');
    return DONE;
  },
  async 'user list'({ db, config, out, words }) {
    const [prefix = ''] = readWords(words, {}).positionals;
    const accounts: AccountView[] = [];
    let token: string | null = null;
    do {
      const list = await listAccounts({ ...config, db }, { prefix, token });
      accounts.push(...list.accounts);
      for (const account of list.accounts) {
        const { id, email, isOperator, suspendedAt, links, usedBytes, sales } = account;
        const role = isOperator ? 'operator' : 'account';
        const standing = suspendedAt ? 'suspended' : role;
        out.log(
          `${id}  ${standing.padEnd(9)}  ${email}  links ${links}, ${formatBytes(usedBytes)}, sales ${sales}`,
        );
      }
      token = list.nextToken;
    } while (token !== null);
    return { ok: true, accounts };
  },
  async 'user quota'({ db, out, words }) {
    const { user, ...quota } = readQuota(words);
    const userId = await findAccountId(db, user);
    await setQuota({ db, now: Date.now }, ACTOR, { userId, ...quota });
    out.log('The quota is set; the default limits apply to what was left out.');
    return DONE;
  },
  async 'user restore'({ db, out, words }) {
    const user = readFirst(words, 'Give the id or email address of an account.');
    await restoreAccount({ db, now: Date.now }, ACTOR, await findAccountId(db, user));
    out.log('The account can be used again, and its links are on sale as they were.');
    return DONE;
  },
};

/** What is not given is null. @throws Misuse */
function readQuota(words: string[]) {
  const { positionals, values } = readWords(words, {
    bytes: { type: 'string' },
    links: { type: 'string' },
    'uploads-a-day': { type: 'string' },
  });
  const [user, ...more] = positionals;
  const figures = [values.bytes, values.links, values['uploads-a-day']].map((text) =>
    text === undefined ? null : Number(text),
  );
  if (!user || more.length > 0 || figures.some(Number.isNaN)) {
    throw new Misuse(
      'Give the id or email address of an account, then any of --bytes, --links and --uploads-a-day with a whole number.',
    );
  }
  const [bytes = null, links = null, uploadsADay = null] = figures;
  return { user, bytes, links, uploadsADay };
}
