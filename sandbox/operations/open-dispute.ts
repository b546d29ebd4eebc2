import type Stripe from 'stripe';
import { DISPUTE_COST } from '../money.ts';
import { newId } from '../new-id.ts';
import type { Scope } from '../scope.ts';
import { emitEvent } from './emit-event.ts';
import { NO_EVIDENCE } from './no-evidence.ts';
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
