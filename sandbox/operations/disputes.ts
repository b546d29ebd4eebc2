import type Stripe from 'stripe';
import { DISPUTE_COST } from '../money.ts';
import { newId } from '../new-id.ts';
import type { Scope } from '../scope.ts';
import { invalidRequest } from '../stripe-error.ts';
import { changeObject, emitEvent } from './emit-event.ts';
import { nulls } from './nulls.ts';
import { recordBalanceChange } from './record-balance-change.ts';

const DAY = 24 * 60 * 60;

/** How a dispute begins: only a chargeback takes the money at once. */
export const OPENING_STATUSES = ['needs_response', 'prevented', 'warning_needs_response'] as const;

/**
 * The buyer's bank takes a payment back, or inquires after it, or is kept from doing either.
 * @returns the dispute; undefined where nothing is left to be disputed
 */
export function openDispute(
  scope: Scope,
  chargeId: string,
  status: (typeof OPENING_STATUSES)[number] = 'needs_response',
): Stripe.Dispute | undefined {
  const charge = scope.objects.get('charge', chargeId);
  const amount = charge.amount - charge.amount_refunded;
  if (charge.disputed || amount === 0) return undefined;

  const dispute: Stripe.Dispute = {
    id: newId('du'),
    object: 'dispute',
    amount,
    balance_transactions: [],
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
    is_charge_refundable: status === 'warning_needs_response',
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    payment_method_details: {
      type: 'card',
      card: {
        brand: 'visa',
        network: 'visa',
        case_type: status === 'warning_needs_response' ? 'inquiry' : 'chargeback',
        network_reason_code: '10.4',
      },
    },
    reason: 'fraudulent',
    status,
  };
  scope.objects.insert('dispute', dispute);
  const opened = status === 'needs_response' ? withdraw(scope, dispute) : dispute;
  emitEvent(scope, 'charge.dispute.created', opened);
  if (status === 'needs_response') emitEvent(scope, 'charge.dispute.funds_withdrawn', opened);
  return opened;
}

/** The disputed amount and the dispute's cost leave the balance. */
function withdraw(scope: Scope, dispute: Stripe.Dispute): Stripe.Dispute {
  const charge = scope.objects.get('charge', dispute.charge as string);
  const withdrawn = recordBalanceChange(scope, {
    type: 'adjustment',
    amount: -dispute.amount,
    fee: DISPUTE_COST,
    feeDescription: 'Dispute fee',
    reportingCategory: 'dispute',
    description: `Chargeback withdrawal for ${charge.id}`,
    source: dispute.id,
  });
  const opened: Stripe.Dispute = { ...dispute, balance_transactions: [withdrawn] };
  scope.objects.update('dispute', opened);
  scope.objects.update('charge', { ...charge, disputed: true });
  return opened;
}

interface TextEvidence
  extends Partial<
    Record<
      | 'access_activity_log'
      | 'customer_email_address'
      | 'customer_purchase_ip'
      | 'product_description'
      | 'service_date'
      | 'uncategorized_text',
      string | undefined
    >
  > {
  /** The only one that an appeal takes. */
  appeal?: { card: { reason_for_filing: string } } | undefined;
}

/** The statuses that await an answer, and what an answer makes of them. */
const ANSWERED: Partial<Record<Stripe.Dispute.Status, Stripe.Dispute.Status>> = {
  warning_needs_response: 'warning_under_review',
  needs_response: 'under_review',
  appeal_needs_response: 'appeal_under_review',
};

/**
 * Adds evidence to a dispute and, when told so, submits it. As in the provider's test mode the
 * text `winning_evidence` wins the dispute, `losing_evidence` loses it and
 * `escalate_inquiry_evidence` makes a chargeback of an inquiry; `appealable_evidence` is the
 * sandbox's own and loses a dispute whose decision may be appealed. Anything else leaves it under
 * review.
 * @throws StripeError when the dispute awaits no answer, or another one
 */
export function answerDispute(
  scope: Scope,
  dispute: Stripe.Dispute,
  evidence: TextEvidence,
  submit: boolean,
): Stripe.Dispute {
  const reviewed = ANSWERED[dispute.status];
  if (!reviewed) throw alreadyDecided(dispute);
  const isAppeal = dispute.status === 'appeal_needs_response';
  if (isAppeal !== (evidence.appeal !== undefined)) {
    throw invalidRequest('Only a dispute that needs a response to its appeal takes `appeal`.');
  }
  const answered = changeObject(scope, dispute, 'charge.dispute.updated', {
    evidence: { ...dispute.evidence, ...evidence },
    evidence_details: {
      ...dispute.evidence_details,
      has_evidence: true,
      submission_count: dispute.evidence_details.submission_count + (submit ? 1 : 0),
      submission_method: submit ? 'manual' : 'not_submitted',
    },
    status: submit ? reviewed : dispute.status,
  });
  if (!submit) return answered;
  const { appeal, uncategorized_text: text } = answered.evidence;
  return decide(scope, answered, isAppeal ? appeal?.card?.reason_for_filing : text);
}

function decide(
  scope: Scope,
  dispute: Stripe.Dispute,
  word: string | null | undefined,
): Stripe.Dispute {
  const isInquiry = dispute.status === 'warning_under_review';
  if (word === 'winning_evidence') {
    return isInquiry ? close(scope, dispute, 'warning_closed') : winDispute(scope, dispute);
  }
  if (isInquiry) return word === 'escalate_inquiry_evidence' ? escalate(scope, dispute) : dispute;
  if (word === 'losing_evidence') return close(scope, dispute, 'lost');
  return word === 'appealable_evidence' ? letAppeal(scope, dispute) : dispute;
}

function escalate(scope: Scope, inquiry: Stripe.Dispute): Stripe.Dispute {
  const disputed = withdraw(scope, { ...inquiry, status: 'needs_response' });
  emitEvent(scope, 'charge.dispute.updated', disputed);
  emitEvent(scope, 'charge.dispute.funds_withdrawn', disputed);
  return disputed;
}

/** A dispute is lost, and its decision may be appealed. */
function letAppeal(scope: Scope, dispute: Stripe.Dispute): Stripe.Dispute {
  const status = 'appeal_needs_response';
  return changeObject(scope, close(scope, dispute, 'lost'), 'charge.dispute.updated', { status });
}

/**
 * Accepts a dispute as lost.
 * @throws StripeError when it is already decided
 */
export function closeDispute(scope: Scope, dispute: Stripe.Dispute): Stripe.Dispute {
  const isOpen = ['needs_response', 'appeal_needs_response'].includes(dispute.status);
  if (!isOpen) throw alreadyDecided(dispute);
  return close(scope, dispute, 'lost');
}

function alreadyDecided({ status, charge }: Stripe.Dispute): Error {
  return invalidRequest(`This dispute is already ${status.replaceAll('_', ' ')}.`, {
    charge: charge as string,
  });
}

function close(scope: Scope, dispute: Stripe.Dispute, status: 'lost' | 'warning_closed') {
  return changeObject(scope, dispute, 'charge.dispute.closed', { status });
}

function winDispute(scope: Scope, dispute: Stripe.Dispute): Stripe.Dispute {
  const reinstated = recordBalanceChange(scope, {
    type: 'adjustment',
    amount: dispute.amount,
    reportingCategory: 'dispute_reversal',
    description: `Chargeback reversal for ${dispute.charge}`,
    source: dispute.id,
  });
  const won = changeObject(scope, dispute, 'charge.dispute.closed', {
    balance_transactions: [...dispute.balance_transactions, reinstated],
    status: 'won',
  });
  emitEvent(scope, 'charge.dispute.funds_reinstated', won);
  return won;
}

/** The evidence of a dispute to which nobody has answered yet. */
const NO_EVIDENCE: Stripe.Dispute.Evidence = {
  ...nulls(
    ['access_activity_log', 'billing_address', 'cancellation_policy'],
    ['cancellation_policy_disclosure', 'cancellation_rebuttal', 'customer_communication'],
    ['customer_email_address', 'customer_name', 'customer_purchase_ip', 'customer_signature'],
    ['duplicate_charge_documentation', 'duplicate_charge_explanation', 'duplicate_charge_id'],
    ['product_description', 'receipt', 'refund_policy', 'refund_policy_disclosure'],
    ['refund_refusal_explanation', 'service_date', 'service_documentation', 'shipping_address'],
    ['shipping_carrier', 'shipping_date', 'shipping_documentation', 'shipping_tracking_number'],
    ['uncategorized_file', 'uncategorized_text'],
  ),
  enhanced_evidence: {},
};
