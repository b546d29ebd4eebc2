import type Stripe from 'stripe';
import type { Scope } from '../scope.ts';
import { invalidRequest } from '../stripe-error.ts';
import { emitEvent } from './emit-event.ts';
import { recordBalanceChange } from './record-balance-change.ts';

export type TextEvidence = Partial<
  Record<'access_activity_log' | 'product_description' | 'uncategorized_text', string>
>;

/**
 * Adds evidence to a dispute and, when told so, submits it. As in the provider's test mode the
 * text `winning_evidence` wins the dispute and `losing_evidence` loses it; anything else leaves it
 * under review.
 * @throws StripeError when the dispute awaits no answer
 */
export function answerDispute(
  scope: Scope,
  dispute: Stripe.Dispute,
  evidence: TextEvidence,
  submit: boolean,
): Stripe.Dispute {
  refuseUnlessOpen(dispute);
  const answered: Stripe.Dispute = {
    ...dispute,
    evidence: { ...dispute.evidence, ...evidence },
    evidence_details: {
      ...dispute.evidence_details,
      has_evidence: true,
      submission_count: dispute.evidence_details.submission_count + (submit ? 1 : 0),
      submission_method: submit ? 'manual' : 'not_submitted',
    },
    status: submit ? 'under_review' : dispute.status,
  };
  scope.objects.update('dispute', answered);
  emitEvent(scope, 'charge.dispute.updated', answered);
  if (!submit) return answered;
  if (answered.evidence.uncategorized_text === 'winning_evidence')
    return winDispute(scope, answered);
  if (answered.evidence.uncategorized_text === 'losing_evidence')
    return loseDispute(scope, answered);
  return answered;
}

/**
 * Accepts a dispute as lost.
 * @throws StripeError when it is already decided
 */
export function closeDispute(scope: Scope, dispute: Stripe.Dispute): Stripe.Dispute {
  refuseUnlessOpen(dispute);
  return loseDispute(scope, dispute);
}

function refuseUnlessOpen(dispute: Stripe.Dispute): void {
  if (dispute.status !== 'needs_response') {
    throw invalidRequest(`This dispute is already ${dispute.status.replace('_', ' ')}.`, {
      charge: dispute.charge as string,
    });
  }
}

function loseDispute(scope: Scope, dispute: Stripe.Dispute): Stripe.Dispute {
  const lost: Stripe.Dispute = { ...dispute, status: 'lost' };
  scope.objects.update('dispute', lost);
  emitEvent(scope, 'charge.dispute.closed', lost);
  return lost;
}

function winDispute(scope: Scope, dispute: Stripe.Dispute): Stripe.Dispute {
  const reinstated = recordBalanceChange(scope, {
    type: 'adjustment',
    amount: dispute.amount,
    reportingCategory: 'dispute_reversal',
    description: `Chargeback reversal for ${dispute.charge}`,
    source: dispute.id,
  });
  const won: Stripe.Dispute = {
    ...dispute,
    balance_transactions: [...dispute.balance_transactions, reinstated],
    status: 'won',
  };
  scope.objects.update('dispute', won);
  emitEvent(scope, 'charge.dispute.closed', won);
  emitEvent(scope, 'charge.dispute.funds_reinstated', won);
  return won;
}
