import type { Localnet } from '@sluice/localnet/localnet';
import type { Distrust, RpcCall } from '@sluice/rpc-pool';
import { Chain } from '../chain/chain.ts';
import type { ChainOptions } from '../chain/chain-options.ts';
import { redeployedWarning } from '../chain/cluster/deployment.ts';
import type { StreamTiming } from '../chain/sources/geyser/geyser-source.ts';
import type { WantedAccount } from '../chain/view/kinds.ts';
import { paddingWarning } from '../chain/view/padding-watch.ts';
import type { Catalogue } from '../config/catalogue/catalogue.ts';
import { EMPTY_CATALOGUE } from '../config/catalogue/empty-catalogue.ts';
import type { CatalogueInput } from '../config/catalogue/format.ts';
import { mainnetCatalogue } from '../config/catalogue/mainnet-catalogue.ts';
import { NO_SEASONS } from '../config/catalogue/no-seasons.ts';
import type { Seasons } from '../config/catalogue/seasons.ts';
import type { SeasonsInput } from '../config/catalogue/seasons-format.ts';
import type { Config } from '../config/config.ts';
import type { FeedTiming } from '../feed/feed-timing.ts';
import { ChainMetrics } from '../telemetry/chain-metrics.ts';
import { type Logger, SILENT } from '../telemetry/logger.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { watchPositions } from '../telemetry/position-metrics.ts';
import { watchPrograms } from '../telemetry/program-metrics.ts';
import { StreamMetrics } from '../telemetry/stream-metrics.ts';
import { streamLog } from './stream-log.ts';

export interface ChainHooks {
  /** Logs nothing by default. */
  readonly logger?: Logger;
  /** Replaces some of the times of shared Views. */
  readonly feedTiming?: Partial<FeedTiming>;
  readonly moreSources?: ChainOptions['moreSources'];
  /** Replaces some of the times of a stream of accounts. */
  readonly streamTiming?: Partial<StreamTiming>;
  readonly onRpcCall?: (call: RpcCall) => void;
  readonly onDistrust?: (endpoint: string, why: Distrust) => void;
  readonly onGivenUp?: (slot: bigint) => void;
  readonly onRefreshFailure?: (error: unknown) => void;
}

/** The configured file, the catalogue of the localnet, the built-in one of mainnet-beta, or an empty one. */
export async function catalogueFor(config: Config, embedded: Localnet | null): Promise<Catalogue> {
  if (config.CATALOGUE_FILE !== '') {
    const { readCatalogue } = await import('../config/catalogue/catalogue.ts');
    return await readCatalogue(config.CATALOGUE_FILE);
  }
  if (embedded !== null) {
    const { parseCatalogue } = await import('../config/catalogue/catalogue.ts');
    return parseCatalogue(embedded.catalogue as CatalogueInput, 'the embedded catalogue');
  }
  return config.SOLANA_CLUSTER === 'mainnet-beta' ? mainnetCatalogue() : EMPTY_CATALOGUE;
}

/** The configured file, the seasons of the localnet, or none. */
export async function seasonsFor(config: Config, embedded: Localnet | null): Promise<Seasons> {
  if (config.SEASONS_FILE === '' && embedded === null) return NO_SEASONS;
  const { parseSeasons, readSeasons } = await import('../config/catalogue/seasons.ts');
  return config.SEASONS_FILE === ''
    ? parseSeasons(embedded?.seasons as SeasonsInput, 'of the localnet')
    : await readSeasons(config.SEASONS_FILE);
}

/** Accounts that only the catalogue names but the View should hold: mints of its tokens, lookup tables of its markets. */
function accountsNamedBy({ tokens, markets }: Catalogue): WantedAccount[] {
  const mints = [...tokens.keys()].map((address) => ({ kind: 'mint', address }) as const);
  const tables = [...markets.values()].flatMap(({ lookupTable }) =>
    lookupTable === null ? [] : [{ kind: 'table', address: lookupTable } as const],
  );
  return [...mints, ...tables];
}

/** Starts reading the configured chain. */
export function startChain(
  config: Config,
  catalogue: Catalogue,
  embedded: Localnet | null,
  metrics: Metrics,
  hooks: ChainHooks,
): Chain {
  const measured = new ChainMetrics(metrics.registry);
  const logger = hooks.logger ?? SILENT;
  const extra = accountsNamedBy(catalogue);
  const redisUrl = config.FEED === 'off' || embedded !== null ? null : config.REDIS_URL;
  const chain: Chain = new Chain({
    extra,
    rpcUrls: embedded === null ? config.SOLANA_RPC_URLS : [embedded.rpc.url],
    wsUrls: embedded === null ? config.SOLANA_WS_URLS : [embedded.rpc.wsUrl],
    ...(hooks.moreSources === undefined ? {} : { moreSources: hooks.moreSources }),
    geyserUrls: embedded === null || embedded.geyser === null ? config.GEYSER_URLS : [embedded.geyser.url],
    geyserTokenHeader: config.GEYSER_TOKEN_HEADER,
    ...(hooks.streamTiming === undefined ? {} : { streamTiming: hooks.streamTiming }),
    onStream: (event) => logStream?.(event),
    programs: config.programs,
    cluster: config.SOLANA_CLUSTER,
    // Most clients name mainnet in every request.
    ...(embedded === null ? {} : { standsInFor: 'mainnet-beta' }),
    commitment: config.SOLANA_COMMITMENT,
    viewRefreshMs: config.VIEW_REFRESH_MS,
    vaultRefreshMs: config.VAULT_REFRESH_MS,
    discoveryIntervalMs: config.DISCOVERY_INTERVAL_MS,
    viewsKept: config.VIEWS_KEPT,
    programsIntervalMs: config.PROGRAMS_INTERVAL_MS,
    rpcTimeoutMs: config.RPC_TIMEOUT_MS,
    rpcMaxAttempts: config.RPC_MAX_ATTEMPTS,
    rpcConcurrency: config.RPC_CONCURRENCY,
    onRpcCall: (call) => {
      metrics.rpcCalled(call);
      hooks.onRpcCall?.(call);
    },
    onDistrust: (endpoint, why) => {
      measured.distrusted(endpoint, why);
      hooks.onDistrust?.(endpoint, why);
    },
    onGivenUp: (slot) => {
      measured.viewsGivenUp();
      hooks.onGivenUp?.(slot);
    },
    onPage: (page) => measured.pageRead(page),
    onDecoded: (kind, durationMs) => measured.decoded(kind, durationMs),
    onRefreshFailure: (error) => {
      metrics.refreshFailed();
      hooks.onRefreshFailure?.(error);
    },
    onRedeployed: (deployment) => {
      const { program, deployedSlot, checkedSlot } = deployment;
      const slots = { deployedSlot: String(deployedSlot), checkedSlot: checkedSlot && String(checkedSlot) };
      logger.warn({ program, ...slots }, redeployedWarning(deployment));
    },
    // The refresh of the View reports endpoints that fail.
    onDeploymentsFailure: (err) => logger.debug({ err }, 'reading the deployed programs failed'),
    onPaddingUsed: (use) => logger.warn({ padding: use }, paddingWarning(use)),
    ...(redisUrl === null
      ? {}
      : {
          feed: async () => {
            const { createFeed } = await import('./feed.ts');
            const { feedTiming: timing } = hooks;
            return await createFeed({ config, redisUrl, chain, extra, metrics, logger, timing });
          },
        }),
  });
  measured.watch(() => {
    const { endpoints, announcedKinds } = chain.state();
    return { endpoints, notifications: announcedKinds.length > 0 };
  });
  const logStream =
    chain.state().stream === null
      ? undefined
      : streamLog(logger, new StreamMetrics(metrics.registry, () => chain.state().stream));
  watchPrograms(metrics.registry, {
    deployments: () => chain.deployments.all(),
    padding: () => chain.padding.uses(),
  });
  watchPositions(metrics.registry, () => chain.state().positions);
  metrics.watchView(() => chain.views.newest?.moment);
  chain.start();
  return chain;
}
