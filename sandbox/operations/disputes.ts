import type Stripe from 'stripe';
import { DISPUTE_COST } from '../money.ts';
import { newId } from '../new-id.ts';
import type { Scope } from '../scope.ts';
import { invalidRequest } from '../stripe-error.ts';
import { emitEvent } from './emit-event.ts';
import { recordBalanceChange } from './record-balance-change.ts';

const DAY = 24 * 60 * 60;

/** The buyer's bank takes a payment back: its money and the dispute's cost leave the balance. */
export function openDispute(scope: Scope, chargeId: string): void {
  const charge = scope.objects.get('charge', chargeId);
  const amount = charge.amount - charge.amount_refunded;
  if (charge.disputed || amount === 0) return;

  const id = newId('du');
  const withdrawn = recordBalanceChange(scope, {
    type: 'adjustment',
    amount: -amount,
    fee: DISPUTE_COST,
    feeDescription: 'Dispute fee',
    reportingCategory: 'dispute',
    description: `Chargeback withdrawal for ${charge.id}`,
    source: id,
  });
  const dispute: Stripe.Dispute = {
    id,
    object: 'dispute',
    amount,
    balance_transactions: [withdrawn],
    charge: charge.id,
    created: scope.now,
    currency: 'usd',
    enhanced_eligibility_types: [],
    evidence: NO_EVIDENCE,
    evidence_details: {
      due_by: scope.now + 7 * DAY,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted',
    },
    intended_submission_method: null,
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    payment_method_details: {
      type: 'card',
      card: {
        brand: 'visa',
        network: 'visa',
        case_type: 'chargeback',
        network_reason_code: '10.4',
      },
    },
    reason: 'fraudulent',
    status: 'needs_response',
  };
  scope.objects.insert('dispute', dispute);
  scope.objects.update('charge', { ...charge, disputed: true });
  emitEvent(scope, 'charge.dispute.created', dispute);
  emitEvent(scope, 'charge.dispute.funds_withdrawn', dispute);
}

type TextEvidence = Partial<
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

/** The evidence of a dispute to which nobody has answered yet. */
const NO_EVIDENCE: Stripe.Dispute.Evidence = {
  access_activity_log: null,
  billing_address: null,
  cancellation_policy: null,
  cancellation_policy_disclosure: null,
  cancellation_rebuttal: null,
  customer_communication: null,
  customer_email_address: null,
  customer_name: null,
  customer_purchase_ip: null,
  customer_signature: null,
  duplicate_charge_documentation: null,
  duplicate_charge_explanation: null,
  duplicate_charge_id: null,
  enhanced_evidence: {},
  product_description: null,
  receipt: null,
  refund_policy: null,
  refund_policy_disclosure: null,
  refund_refusal_explanation: null,
  service_date: null,
  service_documentation: null,
  shipping_address: null,
  shipping_carrier: null,
  shipping_date: null,
  shipping_documentation: null,
  shipping_tracking_number: null,
  uncategorized_file: null,
  uncategorized_text: null,
};
