import { z } from '@hono/zod-openapi';
import { onceOf } from './query-values.ts';

/** The requested cluster. Pass it to `platform.requireCluster`. */
export const env = onceOf(
  ['mainnet-beta', 'devnet', 'localnet'],
  'Cluster. Defaults to the one that this deployment serves; any other is rejected. The localnet accepts `localnet` and `mainnet-beta`.',
);

/** Query of an operation whose only parameter is `env`. */
export const EnvQuery = z.object({ env });
