import { SluiceError } from '../errors/sluice-error.ts';
import { MAINNET_PROGRAMS, type ProgramIds } from '../programs/program-ids.ts';
import {
  decimal,
  integer,
  networks,
  oneOf,
  origins,
  programId,
  text,
  url,
  urls,
  type Variable,
} from './setting-kinds.ts';

export const CLUSTERS = ['mainnet-beta', 'devnet', 'localnet'] as const;
export type Cluster = (typeof CLUSTERS)[number];
export const COMMITMENTS = ['processed', 'confirmed', 'finalized'] as const;
export type Commitment = (typeof COMMITMENTS)[number];
const PROXY_HEADERS = ['x-forwarded-for', 'forwarded'] as const;
const ON_OFF = ['on', 'off'] as const;
const EXECUTORS = ['planned', 'graphql-js'] as const;
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;

export const VARIABLES = {
  PORT: integer(4000, 0, 65_535, 'Port to listen on; 0 takes a free one.'),
  HOST: text('127.0.0.1', /^[\w.:-]+$/, 'an address or host name', 'Address to listen on.'),
  PUBLIC_URL: url(
    ['http:', 'https:'],
    'Where clients reach the gateway, for absolute URLs in answers. Without it, what each request names.',
  ),
  CORS_ORIGINS: origins(
    'Origins whose pages may read answers in a browser: `*` for all, or a list separated by commas.',
  ),
  RATE_LIMIT: integer(
    3_000,
    0,
    1_000_000_000,
    'Cost that a client without a key may spend in a minute, see docs/access.md; 0 does not limit it.',
  ),
  TRUSTED_PROXIES: networks(
    'Proxies in front of the gateway. What they say about the client is believed, what others say is not.',
  ),
  PROXY_HEADER: oneOf(
    'x-forwarded-for',
    PROXY_HEADERS,
    'The header in which the trusted proxies name the client.',
  ),
  REQUIRE_KEY: oneOf('off', ON_OFF, 'Whether requests without a key are refused.'),
  KEYS_DIR: text(
    '',
    /^.*$/s,
    'a path',
    'Folder of the keys when there is no DATABASE_URL. Without it, `keys` in DATA_DIR.',
  ),
  INTROSPECTION: oneOf('on', ON_OFF, 'Whether the graph answers questions about its schema.'),
  GRAPHQL_EXECUTOR: oneOf(
    'planned',
    EXECUTORS,
    'Executor of queries and mutations: `planned` is ours, `graphql-js` the reference implementation, several times slower.',
  ),
  PERSISTED_OPERATIONS: text('', /^.*$/s, 'a path', 'File with operations by id, see docs/access.md.'),
  PERSISTED_ONLY: oneOf('off', ON_OFF, 'Whether the graph answers the operations of that file alone.'),
  MARKET_SEGMENT_ALIAS: text(
    '',
    /^(?!(?:docs|graphql|health|klend|ktx|kvaults|metrics|ready|tokens-api|v2)$)[a-z0-9-]*$/,
    'small letters, digits and hyphens, and not the name of another path',
    'Another name for `svc-market` in paths, for clients that know the same routes by it.',
  ),
  SOLANA_RPC_URLS: urls(['http:', 'https:'], 'RPC endpoints. Without any, the embedded chain runs.'),
  SOLANA_WS_URLS: urls(
    ['ws:', 'wss:'],
    'WebSocket endpoints for change notifications. Without any, changes are polled.',
  ),
  SOLANA_CLUSTER: oneOf(
    'mainnet-beta',
    CLUSTERS,
    'The cluster that the RPC endpoints serve. The embedded chain is always localnet.',
  ),
  SOLANA_COMMITMENT: oneOf('confirmed', COMMITMENTS, 'How settled the chain state must be that is read.'),
  KLEND_PROGRAM_ID: programId(MAINNET_PROGRAMS.klend, 'The lending program.'),
  KVAULT_PROGRAM_ID: programId(MAINNET_PROGRAMS.kvault, 'The vault program.'),
  FARMS_PROGRAM_ID: programId(MAINNET_PROGRAMS.farms, 'The farms program.'),
  DATABASE_URL: url(
    ['postgres:', 'postgresql:'],
    'PostgreSQL for history. Without it, and with SOLANA_RPC_URLS, no history is kept or answered.',
  ),
  REDIS_URL: url(
    ['redis:', 'rediss:'],
    'Redis for rate limits that several gateways share. Without it, or while it is away, each limits by itself.',
  ),
  DATA_DIR: text('./.data', /^.+$/s, 'a path', 'Where the embedded chain keeps its database.'),
  RECORDER: oneOf(
    'auto',
    ['auto', 'inside', 'none'],
    'Whether this process records history: auto does so for the embedded chain alone, inside also to DATABASE_URL, none not at all: the embedded chain is then without history.',
  ),
  KEEP_MINUTES_DAYS: integer(3, 1, 36_500, 'For how many days points of a minute are kept.'),
  KEEP_HOURS_DAYS: integer(180, 2, 36_500, 'For how many days points of an hour are kept.'),
  KEEP_DAYS_DAYS: integer(0, 0, 36_500, 'For how many days points of a day are kept; 0 keeps them for ever.'),
  CATALOGUE_FILE: text(
    '',
    /^.*$/s,
    'a path',
    'File with tokens, markets and campaigns, see docs/catalogue.md. The embedded chain has its own.',
  ),
  VIEW_REFRESH_MS: integer(2_000, 100, 600_000, 'How often the reserves of the View are read again.'),
  VAULT_REFRESH_MS: integer(
    15_000,
    100,
    3_600_000,
    'How often vaults and farms are read again when no notification came.',
  ),
  DISCOVERY_INTERVAL_MS: integer(
    60_000,
    500,
    86_400_000,
    'How often new markets, reserves and vaults are looked for.',
  ),
  VIEWS_KEPT: integer(8, 1, 100, 'How many Views stay readable by their number.'),
  RPC_TIMEOUT_MS: integer(10_000, 50, 120_000, 'How long one attempt at an RPC call may take.'),
  RPC_MAX_ATTEMPTS: integer(4, 1, 20, 'How often a failed RPC call is tried, over all endpoints.'),
  RPC_CONCURRENCY: integer(16, 1, 1_000, 'How many calls an endpoint gets at once.'),
  INGEST_REQUESTS_PER_SECOND: integer(
    100,
    1,
    10_000,
    'How many RPC calls a second reading transactions makes, all of it together. The embedded chain minds none.',
  ),
  REQUEST_TIMEOUT_MS: integer(
    15_000,
    100,
    600_000,
    'How long a request may take before it is answered with an error.',
  ),
  SHUTDOWN_GRACE_MS: integer(
    10_000,
    0,
    600_000,
    'How long requests in flight may take to finish after SIGTERM.',
  ),
  MAX_BODY_BYTES: integer(1_000_000, 1_000, 100_000_000, 'How large the body of a request may be.'),
  MAX_QUERY_TOKENS: integer(3_000, 100, 100_000, 'How many tokens a GraphQL document may have.'),
  MAX_QUERY_DEPTH: integer(16, 1, 100, 'How deep the fields of a query may be nested.'),
  MAX_QUERY_ALIASES: integer(100, 0, 10_000, 'How many aliases a query may have.'),
  MAX_QUERY_DIRECTIVES: integer(50, 0, 10_000, 'How many directives a query may have.'),
  MAX_LIST_ITEMS: integer(100, 1, 10_000, 'How many items a list in the arguments of a query may have.'),
  MAX_QUERY_COST: integer(
    250_000,
    100,
    1_000_000_000,
    'What a query may cost: about the number of objects that it asks for. A query over it is refused unread.',
  ),
  MAX_QUERY_NODES: integer(
    250_000,
    100,
    1_000_000_000,
    'How many objects an answer may have. A query that goes over it is stopped.',
  ),
  MAX_STREAMS: integer(10_000, 1, 1_000_000, 'How many subscriptions this process serves at once.'),
  MAX_STREAMS_PER_CLIENT: integer(100, 1, 1_000_000, 'How many of them one key or client address may have.'),
  STREAM_STALL_MS: integer(
    30_000,
    1_000,
    600_000,
    'How long a subscriber may leave an event unread before it is dropped.',
  ),
  STREAM_SECRET: text(
    '',
    /^(?:.{32,})?$/s,
    'at least 32 characters',
    'Signs the short-lived tokens that open streams, see docs/live.md; the same for all gateways behind one address. Without it, each process takes its own alone.',
  ),
  DRIFT_INTERVAL_MS: integer(
    600_000,
    0,
    86_400_000,
    'How often our numbers are compared with those that the chain stores, and the programs looked at; 0 for never.',
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: url(
    ['http:', 'https:'],
    'Collector that traces are sent to as OTLP over HTTP, without `/v1/traces`. Without it nothing is traced.',
  ),
  OTEL_SERVICE_NAME: text('sluice', /^[\w.:-]{1,100}$/, 'a name', 'What this gateway is called in traces.'),
  OTEL_TRACES_SAMPLER_ARG: decimal(
    '1',
    0,
    1,
    'Which part of the requests is traced, unless the caller has decided; 1 for all.',
  ),
  LOG_LEVEL: oneOf('info', LOG_LEVELS, 'The least important messages that are logged.'),
  DEMO_SCALE: integer(1, 1, 50, 'Size of the embedded chain: 10 makes ten times the world.'),
} as const satisfies Record<string, Variable<unknown>>;

type Values = {
  readonly [K in keyof typeof VARIABLES]: Exclude<ReturnType<(typeof VARIABLES)[K]['parse']>, undefined>;
};

export interface Config extends Values {
  readonly programs: ProgramIds;
  /** No RPC is configured: the gateway brings its own chain. */
  readonly embedded: boolean;
}

/** Reads and checks every setting once. A wrong one throws with a line that names it and says what is allowed. */
export function loadConfig(env: Readonly<Record<string, string | undefined>> = process.env): Config {
  const values: Record<string, unknown> = {};
  for (const [name, variable] of Object.entries(VARIABLES)) {
    const given = env[name]?.trim();
    const value = variable.parse(given === undefined || given === '' ? variable.fallback : given);
    if (value === undefined) {
      throw new SluiceError('CONFIG_INVALID', { variable: name, allowed: `must be ${variable.allowed}` });
    }
    values[name] = value;
  }
  const checked = values as unknown as Values;
  const embedded = checked.SOLANA_RPC_URLS.length === 0;
  if (embedded && checked.SOLANA_WS_URLS.length > 0) {
    const allowed = 'must be empty while SOLANA_RPC_URLS is empty: notifications need the same chain';
    throw new SluiceError('CONFIG_INVALID', { variable: 'SOLANA_WS_URLS', allowed });
  }
  if (checked.PERSISTED_ONLY === 'on' && checked.PERSISTED_OPERATIONS === '') {
    const allowed = 'must name a file while PERSISTED_ONLY is on: without one nothing could be asked';
    throw new SluiceError('CONFIG_INVALID', { variable: 'PERSISTED_OPERATIONS', allowed });
  }
  return {
    ...checked,
    SOLANA_CLUSTER: embedded ? 'localnet' : checked.SOLANA_CLUSTER,
    programs: {
      klend: checked.KLEND_PROGRAM_ID,
      kvault: checked.KVAULT_PROGRAM_ID,
      farms: checked.FARMS_PROGRAM_ID,
    },
    embedded,
  };
}

/** The settings of the environment with some in place of its own, for commands that are told them. */
export function loadConfigWith(given: Readonly<Record<string, string>>): Config {
  return loadConfig({ ...process.env, ...given });
}
