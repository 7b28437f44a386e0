import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The page is `/` of the gateway and its files are below `/explorer/`, relative so that a path prefix works. */
export default defineConfig({
  base: './',
  plugins: [react()],
  resolve: { conditions: ['@sluice/source', 'module', 'browser', 'development|production'] },
  build: {
    outDir: '../../dist/explorer',
    assetsDir: 'explorer',
    emptyOutDir: true,
    target: 'es2022',
    // Beside the files, not one of them: it is read by people and by scripts/licences.ts.
    license: { fileName: 'licences.json' },
  },
  server: {
    // `npm run dev --workspace packages/explorer` beside a gateway on its default port.
    proxy: { '^/(?:graphql|localnet\\.json|ready|docs|transactions)': 'http://127.0.0.1:4000' },
  },
});
