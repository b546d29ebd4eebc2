import { digitsOf } from '../../../contract/account-checks.ts';
import { asFact, putIntoEnglish, type Said } from '../../../contract/fact.ts';
import { builder, type GraphqlContext, requireUser } from '../../edge/graphql/builder.ts';
import { requireActingOperator, requireOperator } from '../../ground/acts/operator-of.ts';
import type { User } from '../../ground/lib/viewer.ts';
import type { MailProof } from './mail-proof.ts';

interface Check {
  name: string;
  state: 'ok' | 'warning' | 'fault';
  says: Said;
  remedy: Said | null;
}

declare module '../../edge/graphql/builder.ts' {
  interface SharedContext {
    /** Looks at the site as it is reached, paid at and mailed from now; takes seconds. */
    examineSetup(): Promise<Check[]>;
    mailProof: MailProof;
  }
}

const SetupCheck = builder.simpleObject('SetupCheck', {
  description: 'Something that a site needs before strangers can buy.',
  fields: (t) => ({
    name: t.string({
      description: 'address, certificate, webhook, payments, mail, clock, backup or payouts.',
    }),
    state: t.string({ description: "'ok', 'warning' or 'fault'." }),
    says: t.string({ description: 'What was found.' }),
    saysFact: t.field({ type: 'Fact' }),
    remedy: t.string({ nullable: true, description: 'What to do; null where nothing is to be.' }),
    remedyFact: t.field({ type: 'Fact', nullable: true }),
  }),
});

builder.queryField('examineSetup', (t) =>
  t.field({
    type: [SetupCheck],
    nullable: true,
    description:
      'For operators: whether the site is set up, looked at now; what does not apply is left out.',
    resolve: async (_root, _args, context) => {
      await requireOperator(context);
      return (await context.examineSetup()).map(({ says, remedy, ...check }) => ({
        ...check,
        says: putIntoEnglish(says),
        saysFact: asFact(says),
        remedy: remedy === null ? null : putIntoEnglish(remedy),
        remedyFact: remedy === null ? null : asFact(remedy),
      }));
    },
  }),
);

builder.mutationField('sendMailCode', (t) =>
  t.string({
    description:
      'For operators: mails them a code, which `confirmMailCode` takes for ten minutes. Answers the address.',
    resolve: async (_root, _args, context) => {
      const operator = await requireMailedOperator(context);
      await context.limits.take('codesSent', ofMailProof(operator));
      await context.mailProof.sendCode(operator);
      return operator.email;
    },
  }),
);

builder.mutationField('confirmMailCode', (t) =>
  t.boolean({
    description: 'For operators: enters the code that was mailed, which proves that mail arrives.',
    args: { code: t.arg.string({ required: true }) },
    resolve: async (_root, { code }, context) => {
      const operator = await requireMailedOperator(context);
      const giveBack = await context.limits.take('codeFailures', ofMailProof(operator));
      await context.mailProof.enterCode(digitsOf(code));
      giveBack();
      return true;
    },
  }),
);

const ofMailProof = ({ id }: User) => `mail proof ${id}`;

/** @throws DomainError NOT_FOUND for everybody else, SESSION_NOT_FRESH, UNAUTHORIZED for the service key */
async function requireMailedOperator(context: GraphqlContext): Promise<User> {
  await requireActingOperator(context);
  return requireUser(context);
}
