import { fileURLToPath } from 'node:url';
import { defineConfig } from 'prisma/config';

// The CLI would download a native schema engine; ours runs the same engine as WebAssembly, from node_modules.
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= fileURLToPath(
  new URL('./prisma/schema-engine.mjs', import.meta.url),
);

// The CLI reports its use and looks for updates. It reads this file first.
process.env.CHECKPOINT_DISABLE ??= '1';

export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  datasource: { url: process.env.DATABASE_URL ?? '' },
});
