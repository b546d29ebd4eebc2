import { ModuleProvider, Modules, PaymentSessionStatus } from '@medusajs/framework/utils';
import { StripeProviderService } from '@medusajs/payment-stripe/dist/services/index.js';
import Stripe from 'stripe';

/**
 * Medusa's own Stripe provider against Padlink's sandbox, which takes payments on the hosted page
 * alone: it opens a session of Checkout where Medusa opens a payment intent, and asks as often.
 */
class StripeCheckout extends StripeProviderService {
  static identifier = 'stripe-checkout';

  constructor(container, options) {
    super(container, options);
    const { hostname, port } = new URL(options.providerUrl);
    this.stripe_ = new Stripe(options.apiKey, { host: hostname, port, protocol: 'http' });
  }

  async initiatePayment({ amount, currency_code: currency, context }) {
    const price = { currency, unit_amount: amount * 100, product_data: { name: 'Order' } };
    const { id, url } = await this.stripe_.checkout.sessions.create(
      {
        mode: 'payment',
        line_items: [{ quantity: 1, price_data: price }],
        success_url: 'http://localhost/',
      },
      { idempotencyKey: context?.idempotency_key },
    );
    return { id, data: { id, url }, status: PaymentSessionStatus.PENDING };
  }

  async getPaymentStatus({ data }) {
    const session = await this.stripe_.checkout.sessions.retrieve(data.id);
    if (session.payment_status !== 'paid') return { data, status: PaymentSessionStatus.PENDING };
    return { data: { id: session.payment_intent }, status: PaymentSessionStatus.CAPTURED };
  }
}

export default ModuleProvider(Modules.PAYMENT, { services: [StripeCheckout] });
