import type { Localnet } from '@sluice/localnet/localnet';
import type { Chain } from '../../chain/chain.ts';
import type { Catalogue } from '../../config/catalogue/catalogue.ts';
import type { Config } from '../../config/config.ts';
import type { CallPayments } from '../../ingest/source.ts';
import type { EndedStatement } from '../../store/database.ts';
import type { Logger } from '../../telemetry/logger.ts';
import type { Metrics } from '../../telemetry/metrics.ts';

export interface AppHistoryOptions {
  readonly config: Config;
  readonly chain: Chain;
  readonly catalogue: Catalogue;
  readonly embedded: Localnet | null;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Pays for reading transactions on behalf of callers. */
  readonly payments?: CallPayments | undefined;
  /** Awaited before the database is opened. */
  readonly firstViewServed?: Promise<void>;
  /** Called with the percentage of the localnet's past that has been generated; null when generation ends. */
  readonly onHistoryProgress?: ((percent: number | null) => void) | undefined;
  /** Called with every SQL statement that has ended. */
  readonly onStatement?: ((statement: EndedStatement) => void) | undefined;
}
