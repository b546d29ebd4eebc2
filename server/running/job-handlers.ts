import type { Logger } from 'pino';
import { openScanner } from '../adapters/clamd/open-scanner.ts';
import { readFacts } from '../adapters/facts/read-facts.ts';
import { createPostHook } from '../adapters/hooks/post-hook.ts';
import { drawPreview } from '../adapters/previews/draw-preview.ts';
import { createSendPush } from '../adapters/push/send-push.ts';
import { indexOldWords } from '../catalog/links/index-old-words.ts';
import { makePreview } from '../catalog/links/preview.ts';
import { type StampedCopies, tryStamp } from '../catalog/links/stamp.ts';
import type { MailedTickets } from '../delivery/buyers/mailed-tickets.ts';
import { signReceipt } from '../delivery/receipts/sign-receipt.ts';
import type { WebApp } from '../edge/pages/built-web-app.ts';
import type { FileStore } from '../files/file-store.ts';
import { createFileJobs } from '../files/jobs.ts';
import type { Config } from '../ground/config/read-config.ts';
import type { DatabaseContext } from '../ground/database/tables.ts';
import type { SendLetter } from '../ground/lib/letter.ts';
import { DAY_MS } from '../ground/lib/time.ts';
import type { JobHandlers } from '../ground/outbox/worker.ts';
import { createPaymentJobs } from '../money/payments/jobs.ts';
import type { ReviewContext } from '../money/payments/review-payment.ts';
import type { PayoutContext } from '../money/payouts/context.ts';
import { createPayoutJobs } from '../money/payouts/jobs.ts';
import { serveHook } from '../notices/hooks/serve-hook.ts';
import { createMailJobs } from '../notices/mails/jobs.ts';
import { createMailLinks } from '../notices/mails/links.ts';
import { createSellerSigner } from '../notices/notifications/choice.ts';
import { tellBrowser, tellBrowsers } from '../notices/notifications/tell-browsers.ts';
import { createModerationJobs } from '../office/moderation/jobs.ts';
import { createInvitationSigner } from '../people/accounts/invitations.ts';
import type { Payments } from './open-payments.ts';
import { VERSION } from './version.ts';

interface Context extends DatabaseContext {
  config: Config;
  log: Logger;
  store: FileStore;
  /** The installation's. */
  secret: string;
  sendLetter: SendLetter;
  web: Pick<WebApp, 'pushTexts'>;
  payments: Payments;
  payouts: PayoutContext;
  /** What reviews payments. */
  books: ReviewContext;
  tickets: MailedTickets;
  copies: StampedCopies;
}

/** What runs each kind of job. */
export function createJobHandlers(context: Context): JobHandlers {
  const { config, now, log, db, store, secret, payments, books, tickets, copies } = context;
  const { publicUrl, operator, operatorEmails, payouts } = config;
  const receiptContext = { db, secret, publicUrl, operator, now };
  const post = createPostHook({ allowPrivate: config.webhookAllowPrivate, version: VERSION });
  const sendPush = createSendPush({ secret, publicUrl, post });
  const openScan = config.clamd === null ? null : openScanner(config.clamd);
  const { pushTexts } = context.web;
  return {
    ...createPaymentJobs(
      { ...books, signReceipt: (sale) => signReceipt(receiptContext, sale) },
      payments.providerOfPages,
      log,
    ),
    ...createPayoutJobs(context.payouts),
    ...createModerationJobs(books),
    ...createMailJobs({
      db,
      sendLetter: context.sendLetter,
      links: createMailLinks(publicUrl, {
        ...tickets,
        invitationSigner: createInvitationSigner(secret),
        sellerSigner: createSellerSigner(secret),
      }),
      hashCode: tickets.hashCode,
      operatorEmails,
      mode: payments.provider.mode,
      holdMs: payouts.kind === 'solo' ? null : payouts.holdDays * DAY_MS,
      now,
    }),
    ...createFileJobs({ db, store, openScan, readFacts, now }, log),
    'index-old-words': ({ after }) => indexOldWords({ db, now }, after),
    'serve-hook': ({ hookId }, again) =>
      serveHook({ db, post, secret, operatorEmails, now }, hookId, again),
    'tell-browsers': (sales) => tellBrowsers({ db, now }, sales),
    'tell-browser': (sales, again) => tellBrowser({ db, sendPush, pushTexts, now }, sales, again),
    'make-preview': ({ linkId }, again) =>
      makePreview({ db, store, drawPreview, now }, linkId, again),
    'try-stamp': ({ linkId }, again) => tryStamp({ db, copies, now }, linkId, again),
  };
}
