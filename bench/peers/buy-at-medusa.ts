const FILE_BYTES = 1024 * 1024;
const PROVIDER = 'pp_stripe-checkout_sandbox';

/** What medusa/seed.js tells a storefront. */
export interface Shop {
  key: string;
  region: string;
  product: string;
  variant: string;
  file: string;
}

export interface Times {
  pageMs: number;
  checkoutMs: number;
}

type Ask = <Answer>(path: string, body?: object) => Promise<Answer>;

/**
 * What Medusa's storefront asks of it for one sale, from the product to the file, and what the buyer
 * sends to the card provider in between. Medusa's file has one public address, that nobody guards.
 * @throws when any step fails
 */
export async function buyAtMedusa(origin: string, shop: Shop, number: number): Promise<Times> {
  const ask = asStorefront(origin, shop.key);
  const begun = performance.now();
  await ask(`/products/${shop.product}?region_id=${shop.region}&fields=*variants.calculated_price`);
  const seen = performance.now();
  const email = `buyer${number}@example.com`;
  const { cartId, url } = await beginCheckout(ask, shop, email);
  const checkoutMs = performance.now() - seen;
  await pay(url, email);
  const { type } = await ask<{ type: string }>(`/carts/${cartId}/complete`, {});
  if (type !== 'order') throw new Error(`The cart became no order but ${type}.`);
  const file = await fetch(`${origin}/static/${shop.file}`);
  const { byteLength } = await file.arrayBuffer();
  if (byteLength !== FILE_BYTES) throw new Error(`The file came with ${byteLength} bytes.`);
  return { pageMs: seen - begun, checkoutMs };
}

function asStorefront(origin: string, key: string): Ask {
  const headers = { 'content-type': 'application/json', 'x-publishable-api-key': key };
  return async (path, body) => {
    const request = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers };
    const answer = await fetch(`${origin}/store${path}`, request);
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return answer.json();
  };
}

/** @returns the cart, and the address of the page where it is paid */
async function beginCheckout(ask: Ask, shop: Shop, email: string) {
  const items = [{ variant_id: shop.variant, quantity: 1 }];
  const { cart } = await ask<{ cart: { id: string } }>('/carts', {
    region_id: shop.region,
    email,
    items,
  });
  const { payment_collection: opened } = await ask<{ payment_collection: { id: string } }>(
    '/payment-collections',
    { cart_id: cart.id },
  );
  const { payment_collection: offered } = await ask<{
    payment_collection: { payment_sessions: [{ data: { url: string } }] };
  }>(`/payment-collections/${opened.id}/payment-sessions`, { provider_id: PROVIDER });
  return { cartId: cart.id, url: offered.payment_sessions[0].data.url };
}

async function pay(url: string, email: string): Promise<void> {
  const form = { cardNumber: '4242 4242 4242 4242', expiry: '12 / 34', cvc: '123', email };
  const body = new URLSearchParams(form);
  const { status } = await fetch(url, { method: 'POST', body, redirect: 'manual' });
  if (status !== 303) throw new Error(`The payment answered ${status}.`);
}
