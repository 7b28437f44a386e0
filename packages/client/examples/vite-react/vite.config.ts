import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig } from 'vite';

/** The page and the gateway have one origin, so the gateway needs no CORS settings. */
const proxy = { '/graphql': process.env.GATEWAY_URL ?? 'http://127.0.0.1:4000' };

export default defineConfig({
  plugins: [react()],
  // Only in this repository: uses the sources of @sluice/client instead of its build.
  resolve: { conditions: ['@sluice/source', ...defaultClientConditions] },
  server: { proxy },
  preview: { proxy },
});
