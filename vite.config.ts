import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [react(), tailwindcss()],
  // The server owns every route; Vite only compiles what the pages load.
  appType: 'custom',
  publicDir: false,
  build: {
    manifest: true,
    // The content security policy allows no data: addresses for scripts, styles or fonts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: 'web/client.tsx',
      output: {
        // Two shared files rather than one request for each small module.
        codeSplitting: {
          groups: [
            { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\// },
            // What the entry begins with stays in it: a file with React comes later.
            { name: 'entry', tags: ['$initial'] },
            { name: 'shared', test: /\/(web|contract)\//, minShareCount: 5 },
          ],
        },
      },
    },
  },
});
