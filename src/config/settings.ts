import { ALERTS } from './alert-settings.ts';
import { QUOTES } from './quote-settings.ts';
import {
  decimal,
  grpcUrls,
  integer,
  networks,
  oneOf,
  origins,
  programId,
  redisUrl,
  type Setting,
  text,
  url,
  urls,
} from './setting-kinds.ts';

const CLUSTERS = ['mainnet-beta', 'devnet', 'localnet'] as const;
export type Cluster = (typeof CLUSTERS)[number];
const COMMITMENTS = ['processed', 'confirmed', 'finalized'] as const;
const PROXY_HEADERS = ['x-forwarded-for', 'forwarded'] as const;
const ON_OFF = ['on', 'off'] as const;
const EXECUTORS = ['planned', 'graphql-js'] as const;
const FEEDS = ['auto', 'off'] as const;
const LOCALNETS = ['auto', 'on'] as const;
const SENDING = ['auto', 'on', 'off'] as const;
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;
const PATH = /^.*$/s;

const SERVER = {
  PORT: integer(4000, 0, 65_535, 'Port to listen on. 0 picks a free port.'),
  HOST: text('127.0.0.1', /^[\w.:-]+$/, 'an address or host name', 'Address to listen on.'),
  PUBLIC_URL: url(
    ['http:', 'https:'],
    'Base URL that clients use, for absolute URLs in answers. Unset: taken from each request.',
  ),
  EXPLORER: oneOf('on', ON_OFF, 'Serve the explorer, a web page, at `/`. Off: `/` redirects to GraphiQL.'),
  MCP: oneOf('on', ON_OFF, 'Serve tools for assistants at `/mcp` (docs/mcp.md).'),
  MCP_MAX_CHARACTERS: integer(
    40_000,
    5_000,
    1_000_000,
    'Most characters in the data of an MCP answer; longer lists are cut and continued with a cursor.',
  ),
  MCP_KEY: text('', /^[\w.-]*$/, 'an API key', 'API key that `npm run mcp` sends to its gateway.'),
  CORS_ORIGINS: origins('Browser origins that may read answers: `*` for all, or a comma-separated list.'),
  REQUEST_TIMEOUT_MS: integer(
    15_000,
    100,
    600_000,
    'Time limit of a request, from its arrival; a slower one is answered with an error.',
  ),
  DRAIN_MS: integer(
    5_000,
    0,
    600_000,
    'Time for which new requests are still answered after SIGTERM, while `/ready` is 503, so that load balancers stop sending them. SIGINT skips it. 0: none.',
  ),
  SHUTDOWN_GRACE_MS: integer(
    10_000,
    0,
    600_000,
    'Time that requests in flight may take to finish after that.',
  ),
  MAX_BODY_BYTES: integer(1_000_000, 1_000, 100_000_000, 'Largest request body.'),
  MARKET_SEGMENT_ALIAS: text(
    '',
    /^(?!(?:benchmark-rates|docs|epochs|explorer|farms|graphql|health|klend|ktx|kvault-tokens|kvaults|luts|markets|mcp|metrics|openapi|oracles|portfolio|prices|ready|reserves|season-rewards|slots|tokens-api|transactions|users|v2|v3|yields)$)[a-z0-9-]*$/,
    'lower-case letters, digits and hyphens, and not an existing path',
    'Second name of the path segment `svc-market`, for clients that use another one. On mainnet-beta, `kamino-market` needs no setting.',
  ),
} as const;

const ACCESS = {
  RATE_LIMIT: integer(
    3_000,
    0,
    1_000_000_000,
    'Cost per minute that a client without an API key may spend (docs/access.md). 0 means no limit.',
  ),
  REQUIRE_KEY: oneOf('off', ON_OFF, 'Refuse requests without an API key.'),
  KEYS_DIR: text(
    '',
    PATH,
    'a path',
    'Folder that stores API keys when DATABASE_URL is unset. Unset: `keys` in DATA_DIR.',
  ),
  TRUSTED_PROXIES: networks(
    'Proxies whose PROXY_HEADER is trusted to name the client. The header of any other peer is ignored.',
  ),
  PROXY_HEADER: oneOf(
    'x-forwarded-for',
    PROXY_HEADERS,
    'Header in which trusted proxies pass on the client address.',
  ),
  REDIS_URL: redisUrl(
    'Redis that shares rate limits and Views between gateways. Unset or unreachable: each gateway counts and reads for itself. `redis+sentinel://user:password@host:26379,host:26379,host:26379/name/db?sentinelPassword=…` lists the sentinels of one with failover and the name of its master, `rediss+sentinel://` over TLS (docs/scale.md).',
  ),
} as const;

const GRAPHQL = {
  GRAPHQL_EXECUTOR: oneOf(
    'planned',
    EXECUTORS,
    "Executor of queries and mutations: `planned` is the gateway's own, `graphql-js` the slower reference implementation.",
  ),
  INTROSPECTION: oneOf('on', ON_OFF, 'Allow introspection queries.'),
  PERSISTED_OPERATIONS: text('', PATH, 'a path', 'JSON file of operations by id (docs/access.md).'),
  PERSISTED_ONLY: oneOf('off', ON_OFF, 'Refuse operations that are not in PERSISTED_OPERATIONS.'),
  MAX_QUERY_TOKENS: integer(3_000, 100, 100_000, 'Most tokens in a GraphQL document.'),
  MAX_QUERY_DEPTH: integer(16, 1, 100, 'Deepest nesting of fields in a query.'),
  MAX_QUERY_ALIASES: integer(100, 0, 10_000, 'Most aliases in a query.'),
  MAX_QUERY_DIRECTIVES: integer(50, 0, 10_000, 'Most directives in a query.'),
  MAX_LIST_ITEMS: integer(100, 1, 10_000, 'Most items in a list argument.'),
  MAX_QUERY_COST: integer(
    250_000,
    100,
    1_000_000_000,
    'Highest cost of a query, roughly the number of objects it selects. A query above it is refused before it runs.',
  ),
  MAX_QUERY_NODES: integer(
    75_000,
    100,
    1_000_000_000,
    'Most work for one request, over GraphQL, REST or MCP: objects of the answer, steps of its histories and scenarios, and 90 for each RPC call. At 0.2 ms at most for each, the default is 15 s of a processor. 100 characters of account data count as one object. A request that exceeds it is stopped.',
  ),
  MAX_STREAMS: integer(10_000, 1, 1_000_000, 'Most concurrent subscriptions of this process.'),
  MAX_STREAMS_PER_CLIENT: integer(
    100,
    1,
    1_000_000,
    'Most concurrent subscriptions of one API key or client address.',
  ),
  STREAM_STALL_MS: integer(
    30_000,
    1_000,
    600_000,
    'Time for which a subscriber may leave an event unread before it is disconnected.',
  ),
  STREAM_SECRET: text(
    '',
    /^(?:.{32,})?$/s,
    'at least 32 characters',
    'Signs the short-lived tokens that open streams (docs/live.md), and authenticates the Views that gateways and recorders share over REDIS_URL, which needs it. Use the same secret on all of them. Unset: a random one per process.',
  ),
} as const;

const CHAIN = {
  SOLANA_RPC_URLS: urls(['http:', 'https:'], 'RPC endpoints, used as one pool. Unset: the localnet.'),
  SOLANA_WS_URLS: urls(
    ['ws:', 'wss:'],
    'WebSocket endpoints for change notifications. Unset: changes are polled.',
  ),
  GEYSER_URLS: grpcUrls(
    'Yellowstone gRPC endpoints that stream accounts, such as `https://TOKEN@host:10000`: the first that works is followed, and the RPC endpoints are only read for what a stream cannot tell (docs/stream.md). `localnet`: the stream of the embedded localnet. Unset: accounts are polled.',
  ),
  GEYSER_TOKEN_HEADER: text(
    'x-token',
    /^[a-z0-9-]{1,64}$/,
    'a header name in lower case',
    'Header in which the token of a GEYSER_URLS endpoint is sent.',
  ),
  SOLANA_CLUSTER: oneOf(
    'mainnet-beta',
    CLUSTERS,
    'Cluster that the RPC endpoints serve: it decides the addresses of the programs and the built-in catalogue (docs/mainnet.md). The localnet is always localnet.',
  ),
  SOLANA_COMMITMENT: oneOf('confirmed', COMMITMENTS, 'Commitment level of reads.'),
  KLEND_PROGRAM_ID: programId('Address of the lending program. Unset: that of SOLANA_CLUSTER.'),
  KVAULT_PROGRAM_ID: programId('Address of the vault program. Unset: that of SOLANA_CLUSTER.'),
  FARMS_PROGRAM_ID: programId('Address of the farms program. Unset: that of SOLANA_CLUSTER.'),
  CATALOGUE_FILE: text(
    '',
    PATH,
    'a path',
    'JSON file with tokens, market names and campaigns (docs/catalogue.md). Unset: the built-in catalogue on mainnet-beta, none on other clusters. The localnet has its own.',
  ),
  SEASONS_FILE: text(
    '',
    PATH,
    'a path',
    'JSON file with seasons of rewards and benchmark rates, which are not on the chain (docs/seasons.md). Unset: none, except for invented ones on the localnet.',
  ),
  RPC_TIMEOUT_MS: integer(10_000, 50, 120_000, 'Time limit of one attempt at an RPC call.'),
  RPC_MAX_ATTEMPTS: integer(4, 1, 20, 'Most attempts at an RPC call, over all endpoints.'),
  RPC_CONCURRENCY: integer(16, 1, 1_000, 'Most concurrent calls per endpoint.'),
  SEND_TRANSACTIONS: oneOf(
    'auto',
    SENDING,
    'Relay signed transactions to the RPC endpoints (docs/signing.md): `auto` on the localnet only.',
  ),
  SENDING_PER_CLIENT: integer(
    100,
    1,
    1_000,
    'Most transactions that are being sent for one API key or client address, and for one fee payer. A process sends 1,000 at a time.',
  ),
  RESENDS_PER_SECOND: integer(
    25,
    1,
    10_000,
    'Most RPC calls per second to resend transactions that have not landed and to check their blockhashes, for all clients together.',
  ),
  VIEW_REFRESH_MS: integer(
    2_000,
    100,
    600_000,
    'Interval at which the amounts and prices of the reserves in the View are read again.',
  ),
  VAULT_REFRESH_MS: integer(
    15_000,
    100,
    3_600_000,
    'Interval at which vaults, farms and markets are read again when no notification arrives. So are the settings of reserves. All accounts are read in full one eighth as often.',
  ),
  DISCOVERY_INTERVAL_MS: integer(
    60_000,
    500,
    86_400_000,
    'Interval at which the gateway looks for new markets, reserves and vaults.',
  ),
  LOAN_INDEX_REFRESH_MS: integer(
    5_000,
    500,
    3_600_000,
    'Greatest age of the loans of a market when `Market.risk` and the list of liquidatable obligations use them. A refresh reads 16 bytes of each loan, and the whole loan where it changed (docs/risk.md).',
  ),
  LOAN_INDEX_MARKETS: integer(
    50,
    1,
    10_000,
    'Most markets whose loans are cached in memory, at about 150 bytes per loan. The least recently used one is evicted.',
  ),
  FEED: oneOf(
    'auto',
    FEEDS,
    'Share Views over REDIS_URL: `auto` lets one gateway read the chain for all of the same configuration, `off` lets each read for itself.',
  ),
  VIEWS_KEPT: integer(8, 1, 100, 'How many recent Views stay readable by id.'),
  DRIFT_INTERVAL_MS: integer(
    600_000,
    0,
    86_400_000,
    'Interval at which computed numbers are compared with those stored on chain. 0 means never.',
  ),
  PROGRAMS_INTERVAL_MS: integer(
    3_600_000,
    0,
    86_400_000,
    'Interval at which the deployment slots of the programs are read and compared with those that this release was checked against. 0 means never.',
  ),
  LOCALNET: oneOf(
    'auto',
    LOCALNETS,
    'Serve the localnet, whose data is invented: `auto` where SOLANA_RPC_URLS is unset, but then the gateway refuses to start with DATABASE_URL, REDIS_URL or NODE_ENV=production; `on` also there.',
  ),
  LOCALNET_SCALE: integer(1, 1, 50, 'Size of the localnet. 10 is ten times as many accounts.'),
} as const;

const HISTORY = {
  DATABASE_URL: url(
    ['postgres:', 'postgresql:'],
    'PostgreSQL database for history. Unset with SOLANA_RPC_URLS set: no history.',
  ),
  DATABASE_READ_URLS: urls(
    ['postgres:', 'postgresql:'],
    'Streaming replicas of DATABASE_URL, one server for each URL, not a balancer of several. Recorded series are read from the one that is behind least; everything else, and everything while none is fresh enough, from DATABASE_URL. A comma within a URL is `%2C`.',
  ),
  DATABASE_READ_MAX_LAG_MS: integer(
    10_000,
    3_000,
    3_600_000,
    'Longest lag of a replica that answers. Also the time for which recorded series are served while DATABASE_URL is down.',
  ),
  DATA_DIR: text('./.data', /^.+$/s, 'a path', 'Folder for the database of the localnet.'),
  RECORDER: oneOf(
    'auto',
    ['auto', 'inside', 'none'],
    'Records history in this process: `auto` for the localnet only, `inside` also to DATABASE_URL, `none` never.',
  ),
  KEEP_MINUTES_DAYS: integer(3, 1, 36_500, 'Days to retain one-minute points.'),
  KEEP_HOURS_DAYS: integer(180, 2, 36_500, 'Days to retain hourly points.'),
  KEEP_DAYS_DAYS: integer(0, 0, 36_500, 'Days to retain daily points. 0 means for ever.'),
  INGEST_REQUESTS_PER_SECOND: integer(
    100,
    1,
    10_000,
    'Most RPC calls per second to read transactions. Unlimited on the localnet.',
  ),
} as const;

const TELEMETRY = {
  LOG_LEVEL: oneOf('info', LOG_LEVELS, 'Lowest level that is logged.'),
  METRICS_HOLD_MS: integer(
    1_000,
    0,
    60_000,
    'Time for which the text of `/metrics` is cached. All scrapers share it.',
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: url(
    ['http:', 'https:'],
    'OTLP/HTTP collector that receives traces, without `/v1/traces`. Unset: no tracing.',
  ),
  OTEL_SERVICE_NAME: text('sluice', /^[\w.:-]{1,100}$/, 'a name', 'Service name in traces.'),
  OTEL_TRACES_SAMPLER_ARG: decimal(
    '1',
    0,
    1,
    'Fraction of requests to trace when the caller has not decided. 1 traces all.',
  ),
} as const;

/** Every setting, in the order and under the headings of docs/settings.md. */
export const SETTING_GROUPS = [
  { title: 'HTTP server', settings: SERVER },
  { title: 'Access', settings: ACCESS },
  { title: 'GraphQL', settings: GRAPHQL },
  { title: 'Chain', settings: CHAIN },
  { title: 'Quotes of swaps', settings: QUOTES },
  { title: 'History', settings: HISTORY },
  { title: 'Alerts', settings: ALERTS },
  { title: 'Logs and traces', settings: TELEMETRY },
] as const;

export const SETTINGS = {
  ...SERVER,
  ...ACCESS,
  ...GRAPHQL,
  ...CHAIN,
  ...QUOTES,
  ...HISTORY,
  ...ALERTS,
  ...TELEMETRY,
} as const satisfies Record<string, Setting<unknown>>;

/** The parsed value of each setting. */
export type SettingValues = {
  readonly [K in keyof typeof SETTINGS]: Exclude<ReturnType<(typeof SETTINGS)[K]['parse']>, undefined>;
};
