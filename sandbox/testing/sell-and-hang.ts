/**
 * Sells something with the card that is disputed later, delivers no webhook, says the session's id
 * and then waits to be killed. Its argument is the data folder.
 */
import Stripe from 'stripe';
import { startSandbox } from '../start-sandbox.ts';

const publicUrl = 'http://localhost:3000';
const silent = { info() {}, warn() {}, error() {} };
const sandbox = await startSandbox({
  dataDir: process.argv[2] as string,
  port: 0,
  publicUrl,
  webhookUrl: () => publicUrl,
  webhookSecrets: { platform: 'whsec_test', connected: '', thin: '' },
  log: silent,
});
const { port } = new URL(sandbox.apiUrl);
const stripe = new Stripe('sk_test_x', { host: '127.0.0.1', port, protocol: 'http' });
const session = await stripe.checkout.sessions.create({
  mode: 'payment',
  line_items: [
    {
      quantity: 1,
      price_data: { currency: 'usd', unit_amount: 500, product_data: { name: 'Pack' } },
    },
  ],
  success_url: publicUrl,
});
const card = {
  cardNumber: '4000000000000259',
  expiry: '12/34',
  cvc: '123',
  email: 'a@example.com',
};
await fetch(String(session.url).replace(publicUrl, sandbox.apiUrl), {
  method: 'POST',
  body: new URLSearchParams(card),
  redirect: 'manual',
});
console.log(session.id);
