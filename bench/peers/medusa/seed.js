import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import {
  createApiKeysWorkflow,
  createProductsWorkflow,
  createRegionsWorkflow,
  createSalesChannelsWorkflow,
  linkSalesChannelsToApiKeyWorkflow,
  uploadFilesWorkflow,
} from '@medusajs/medusa/core-flows';

const MEBIBYTE = 1024 * 1024;

/** A shop with one product, a file of 1 MiB for $5; what a storefront has to know goes to a file. */
export default async function seed({ container, args: [shopFile = ''] }) {
  const { result: regions } = await createRegionsWorkflow(container).run({
    input: {
      regions: [
        {
          name: 'US',
          currency_code: 'usd',
          countries: ['us'],
          payment_providers: ['pp_stripe-checkout_sandbox'],
        },
      ],
    },
  });
  const { result: channels } = await createSalesChannelsWorkflow(container).run({
    input: { salesChannelsData: [{ name: 'Shop' }] },
  });
  const { result: keys } = await createApiKeysWorkflow(container).run({
    input: { api_keys: [{ title: 'Storefront', type: 'publishable', created_by: '' }] },
  });
  const channel = channels[0].id;
  await linkSalesChannelsToApiKeyWorkflow(container).run({
    input: { id: keys[0].id, add: [channel] },
  });
  // Without a shipping profile and without an inventory, nothing is shipped.
  const { result: products } = await createProductsWorkflow(container).run({
    input: {
      products: [
        {
          title: 'Field recordings',
          status: 'published',
          sales_channels: [{ id: channel }],
          options: [{ title: 'Format', values: ['File'] }],
          variants: [
            {
              title: 'File',
              manage_inventory: false,
              options: { Format: 'File' },
              prices: [{ amount: 5, currency_code: 'usd' }],
            },
          ],
        },
      ],
    },
  });
  const { result: files } = await uploadFilesWorkflow(container).run({
    input: {
      files: [
        {
          filename: 'recordings.bin',
          mimeType: 'application/octet-stream',
          content: randomBytes(MEBIBYTE).toString('base64'),
          access: 'public',
        },
      ],
    },
  });
  const shop = {
    key: keys[0].token,
    region: regions[0].id,
    product: products[0].id,
    variant: products[0].variants[0].id,
    file: files[0].id,
  };
  writeFileSync(shopFile, JSON.stringify(shop));
}
