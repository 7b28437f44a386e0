import { z } from '@hono/zod-openapi';
import { onceOf } from './query.ts';

/** The cluster that a question is about; hand it to `platform.requireCluster`. */
export const env = onceOf(
  ['mainnet-beta', 'devnet', 'localnet'],
  'Cluster that is asked about; without it, the one that this deployment serves. Any other is refused.',
);

/** Query of an operation that knows `env` alone. */
export const EnvQuery = z.object({ env });
