import { defineConfig } from '@medusajs/framework/utils';

export default defineConfig({
  projectConfig: {
    databaseUrl: process.env.DATABASE_URL,
    http: {
      storeCors: '',
      adminCors: '',
      authCors: '',
      jwtSecret: process.env.JWT_SECRET,
      cookieSecret: process.env.COOKIE_SECRET,
    },
  },
  // Nobody looks at it, and it takes most of the build.
  admin: { disable: true },
  modules: [
    {
      resolve: '@medusajs/medusa/payment',
      options: {
        providers: [
          {
            resolve: './src/stripe-checkout',
            id: 'sandbox',
            options: {
              apiKey: 'sk_test_medusa',
              webhookSecret: 'unused',
              providerUrl: process.env.PROVIDER_URL,
            },
          },
        ],
      },
    },
  ],
});
