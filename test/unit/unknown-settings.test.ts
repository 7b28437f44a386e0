import { describe, expect, it } from 'vitest';
import { loadConfig, loadServingConfig } from '../../src/config/config.ts';

/** Variables that the kubelet sets in a pod beside these services, as `kubectl exec env` shows it. */
const serviceEnv = (name: string, port: number, portName?: string): Record<string, string> => {
  const address = '10.96.12.7';
  const tcp = `${name}_PORT_${port}_TCP`;
  return {
    [`${name}_SERVICE_HOST`]: address,
    [`${name}_SERVICE_PORT`]: String(port),
    ...(portName === undefined ? {} : { [`${name}_SERVICE_PORT_${portName}`]: String(port) }),
    [`${name}_PORT`]: `tcp://${address}:${port}`,
    [tcp]: `tcp://${address}:${port}`,
    [`${tcp}_PROTO`]: 'tcp',
    [`${tcp}_PORT`]: String(port),
    [`${tcp}_ADDR`]: address,
  };
};

const POD: Record<string, string> = {
  ...serviceEnv('KUBERNETES', 443, 'HTTPS'),
  ...serviceEnv('GATEWAY', 80, 'HTTP'),
  ...serviceEnv('REDIS', 6379, 'REDIS'),
  ...serviceEnv('POSTGRES', 5432),
  ...serviceEnv('SLUICE', 4000, 'HTTP'),
  ...serviceEnv('SOLANA_RPC', 8899, 'RPC'),
  ...serviceEnv('RPC', 8899),
  ...serviceEnv('ALERTS', 80),
  HOSTNAME: 'gateway-6d4f7c9b8-x2x7k',
  HOME: '/home/node',
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/bin',
  PWD: '/app',
  SHLVL: '0',
  NODE_VERSION: '24.13.0',
  YARN_VERSION: '1.22.22',
  NODE_OPTIONS: '--max-old-space-size=512',
  NODE_EXTRA_CA_CERTS: '/etc/ssl/ca.pem',
  TZ: 'UTC',
  POD_NAME: 'gateway-0',
  POD_IP: '10.1.2.3',
  NODE_NAME: 'worker-1',
  PGHOST: 'postgres',
  PGPORT: '5432',
  PGUSER: 'sluice',
  PGDATABASE: 'sluice',
  PGSSLMODE: 'require',
  VAULT_ADDR: 'https://vault:8200',
  VAULT_TOKEN: 'x',
  OTEL_RESOURCE_ATTRIBUTES: 'k8s.pod.name=gateway-0',
  OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
  OTEL_EXPORTER_OTLP_HEADERS: 'a=b',
  OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
  OTEL_TRACES_EXPORTER: 'otlp',
  OTEL_SERVICE_VERSION: '1',
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'x',
  OTEL_LOG_LEVEL: 'x',
  OTEL_SDK_DISABLED: 'true',
  OTEL_PROPAGATORS: 'tracecontext',
  AWS_REGION: 'eu-central-1',
  AWS_ROLE_ARN: 'x',
  GOOGLE_APPLICATION_CREDENTIALS: '/x',
  HTTP_PROXY: 'http://proxy:3128',
  http_proxy: 'http://proxy:3128',
  NO_PROXY: '10.0.0.0/8',
};

const CI: Record<string, string> = {
  CI: 'true',
  GITHUB_ACTIONS: 'true',
  GITHUB_REF: 'refs/heads/main',
  GITHUB_TOKEN: 'x',
  RUNNER_OS: 'Linux',
  RUNNER_TEMP: '/tmp',
  ACTIONS_CACHE_URL: 'https://cache',
  TEST_DATABASE_URL: 'postgresql://postgres@postgres:5432/test',
  TEST_REDIS_URL: 'redis://redis:6379',
  FUZZ_SEED: '1',
  NODE_ENV: 'test',
  VITEST: 'true',
  VITEST_POOL_ID: '1',
  DEBIAN_FRONTEND: 'noninteractive',
  LANG: 'C.UTF-8',
  LC_ALL: 'C.UTF-8',
  TERM: 'xterm-256color',
  EDITOR: 'vi',
  SHELL: '/bin/bash',
  LOGNAME: 'runner',
  XDG_DATA_DIRS: '/usr/share',
  XDG_CONFIG_DIRS: '/etc/xdg',
  INIT_CWD: '/src',
  npm_config_user_agent: 'npm/11',
  npm_package_json: '/src/package.json',
  npm_lifecycle_event: 'start',
  npm_lifecycle_script: 'node dist/main.js',
  npm_config_loglevel: 'info',
  npm_config_proxy: 'http://x',
  npm_config_cache: '/tmp/npm',
  npm_config_local_prefix: '/src',
  npm_package_name: 'sluice',
  npm_package_version: '0.5.0',
  npm_execpath: '/x/npm-cli.js',
  npm_node_execpath: '/x/node',
  GITHUB_RUN_ID: '1',
  GITHUB_SERVER_URL: 'https://github.com',
  GITHUB_STEP_SUMMARY: '/x',
  ACTIONS_RUNTIME_TOKEN: 'x',
  RUNNER_TRACKING_ID: 'x',
  ImageOS: 'ubuntu24',
  AGENT_TOOLSDIRECTORY: '/opt',
  JAVA_HOME_17_X64: '/opt',
};

/** Hosting platforms and development machines. */
const PLATFORM: Record<string, string> = {
  PORT: '8080',
  DYNO: 'web.1',
  REDIS_TLS_URL: 'rediss://x',
  REDIS_HOST: 'x',
  REDIS_PASSWORD: 'x',
  DATABASE_PUBLIC_URL: 'postgres://x',
  DATABASE_PRIVATE_URL: 'postgres://x',
  POSTGRES_URL: 'postgres://x',
  POSTGRES_PASSWORD: 'x',
  FLY_REGION: 'fra',
  RAILWAY_ENVIRONMENT: 'production',
  RENDER_EXTERNAL_URL: 'https://x',
  MCP_TIMEOUT: '30000',
  MCP_TOOL_TIMEOUT: '30000',
  GRAPHQL_ENDPOINT: 'x',
  SLUICE_GATEWAY: '/src/sluice',
  SOLANA_METRICS_CONFIG: 'host=x',
  DOCKER_HOST: 'x',
  SSH_AUTH_SOCK: '/tmp/x',
  HISTSIZE: '1000',
  GOPATH: '/go',
  LS_COLORS: 'x',
  // Heroku and Vercel.
  HEROKU_APP_NAME: 'x',
  HEROKU_POSTGRESQL_MAUVE_URL: 'postgres://x',
  DATABASE_CONNECTION_POOL_URL: 'postgres://x',
  DATABASE_URL_UNPOOLED: 'postgres://x',
  REDIS_PORT: '6379',
  RESEND_API_KEY: 'x',
  STREAM_API_KEY: 'x',
  WEB_CONCURRENCY: '2',
  MEMORY_AVAILABLE: '512',
  VERCEL_URL: 'x',
  // Words that settings of ours begin with.
  MAX_THREADS: '4',
  MAX_OLD_SPACE: '512',
  REQUEST_METHOD: 'GET',
  REQUEST_ID: 'x',
  PUBLIC_DIR: 'x',
  HOST_IP: '10.0.0.1',
  HOSTALIASES: 'x',
  PORT_RANGE: 'x',
  LOG_FORMAT: 'json',
  LOG_FILE: 'x',
  METRICS_PORT: '9090',
  DATA_VOLUME: '/data',
  PROXY_URL: 'http://x',
  PROXY_AUTH: 'x',
  CORS_ALLOW_CREDENTIALS: 'true',
  KEEP_ALIVE_TIMEOUT: '5',
  SEND_MAIL: 'x',
  DRIFT_ENV: 'mainnet-beta',
  MARKET_DATA_URL: 'x',
  DISCOVERY_URL: 'x',
  TRUSTED_HOSTS: 'x',
  SHUTDOWN_HOOK: 'x',
  GRAPHQL_SCHEMA: 'x',
  PROGRAMDATA: 'x',
  MAX_MCP_OUTPUT_TOKENS: '1',
};

/** A unit of systemd with state, credentials, sockets and a watchdog. */
const SYSTEMD: Record<string, string> = {
  INVOCATION_ID: 'x',
  JOURNAL_STREAM: '9:12345',
  SYSTEMD_EXEC_PID: '42',
  MAINPID: '42',
  NOTIFY_SOCKET: '/run/systemd/notify',
  WATCHDOG_USEC: '30000000',
  WATCHDOG_PID: '42',
  LISTEN_FDS: '1',
  LISTEN_PID: '42',
  LISTEN_FDNAMES: 'http',
  STATE_DIRECTORY: '/var/lib/sluice',
  CACHE_DIRECTORY: '/var/cache/sluice',
  LOGS_DIRECTORY: '/var/log/sluice',
  RUNTIME_DIRECTORY: '/run/sluice',
  CONFIGURATION_DIRECTORY: '/etc/sluice',
  CREDENTIALS_DIRECTORY: '/run/credentials/sluice.service',
  MEMORY_PRESSURE_WATCH: '/sys/fs/cgroup/x',
  MEMORY_PRESSURE_WRITE: 'x',
};

describe('a variable that is no setting', () => {
  it.each([
    ['SOLANA_RPC_URL', 'SOLANA_RPC_URLS'],
    ['RATE_LIMT', 'RATE_LIMIT'],
    ['SOLANA_RCP_URLS', 'SOLANA_RPC_URLS'],
    ['SOLANA_WS_URL', 'SOLANA_WS_URLS'],
    ['SOLANA_RPC', 'SOLANA_RPC_URLS'],
    ['DATABSE_URL', 'DATABASE_URL'],
    ['REDIS_URI', 'REDIS_URL'],
    ['REQUIRE_KEYS', 'REQUIRE_KEY'],
    ['CORS_ORIGIN', 'CORS_ORIGINS'],
    ['STREAM_SECERT', 'STREAM_SECRET'],
    ['MCP_KEYS', 'MCP_KEY'],
    ['RPC_TIMEOUT', 'RPC_TIMEOUT_MS'],
    ['LOCALNET_SIZE', 'LOCALNET_SCALE'],
    ['MAX_QUERY_ALIAS', 'MAX_QUERY_ALIASES'],
    // Short by the unit, or with another one.
    ['VIEW_REFRESH', 'VIEW_REFRESH_MS'],
    ['VIEW_REFRESH_SECONDS', 'VIEW_REFRESH_MS'],
    ['VAULT_REFRESH', 'VAULT_REFRESH_MS'],
    ['MAX_LIST', 'MAX_LIST_ITEMS'],
    ['MAX_BODY', 'MAX_BODY_BYTES'],
    ['MAX_BODY_SIZE', 'MAX_BODY_BYTES'],
    ['DRAIN_SECONDS', 'DRAIN_MS'],
    ['KEEP_MINUTES', 'KEEP_MINUTES_DAYS'],
    ['REQUEST_TIMEOUT', 'REQUEST_TIMEOUT_MS'],
    ['DISCOVERY_INTERVAL', 'DISCOVERY_INTERVAL_MS'],
    ['DRIFT_INTERVAL', 'DRIFT_INTERVAL_MS'],
    ['SHUTDOWN_GRACE', 'SHUTDOWN_GRACE_MS'],
    ['METRICS_HOLD', 'METRICS_HOLD_MS'],
    ['RESENDS_PER_MINUTE', 'RESENDS_PER_SECOND'],
    ['SENDING_PER_CALLER', 'SENDING_PER_CLIENT'],
    ['SENDING_LIMIT', 'SENDING_PER_CLIENT'],
    ['MAX_STREAMS_PER_KEY', 'MAX_STREAMS_PER_CLIENT'],
    // A word more or less.
    ['RPC_URLS', 'SOLANA_RPC_URLS'],
    ['RPC_URL', 'SOLANA_RPC_URLS'],
    ['SLUICE_DATABASE_URL', 'DATABASE_URL'],
    ['STREAM_KEY', 'STREAM_SECRET'],
    ['REQUIRE_API_KEY', 'REQUIRE_KEY'],
    ['TRUSTED_PROXY', 'TRUSTED_PROXIES'],
    ['FEEDS', 'FEED'],
    // Switches.
    ['MCP_ENABLED', 'MCP'],
    ['DISABLE_INTROSPECTION', 'INTROSPECTION'],
    ['DEMO', 'LOCALNET'],
    ['DEMO_MODE', 'LOCALNET'],
    // Another case.
    ['Solana_RPC_URLS', 'SOLANA_RPC_URLS'],
    ['rate_limit', 'RATE_LIMIT'],
    ['port', 'PORT'],
  ])('stops the start: %s, which is meant as %s', (variable, meant) => {
    expect(() => loadConfig({ ...POD, [variable]: 'secret' })).toThrow(
      new RegExp(`^${variable}: is not a setting; rename it to ${meant} or remove it$`),
    );
  });

  it('stops the start by its prefix alone', () => {
    for (const variable of ['SLUICE_PORT', 'SOLANA_NETWORK', 'KLEND_ID', 'RPC_URL', 'ALERT_WEBHOOK'])
      expect(() => loadConfig({ [variable]: 'x' })).toThrow(`${variable}: is not a setting; rename it to `);
    expect(() => loadConfig({ Sluice_Port: 'x' })).toThrow(/rename it to PORT or/);
  });

  it('is reported with the other problems, and never with its value', () => {
    const load = () => loadConfig({ SOLANA_RPC_URL: 'https://x/?key=secret', PORT: 'http' });
    expect(load).toThrow(/^SOLANA_RPC_URL: [^\n]+\nPORT: [^\n]+$/);
    expect(load).not.toThrow(/secret/);
  });

  it('is ignored when it is empty, as settings are', () => {
    expect(loadConfig({ SOLANA_RPC_URL: ' ' }).embedded).toBe(true);
  });

  it.each([
    ['a pod of Kubernetes', POD],
    ['CI', CI],
    ['a hosting platform', PLATFORM],
    ['a unit of systemd', SYSTEMD],
    ['all of them', { ...POD, ...CI, ...PLATFORM, ...SYSTEMD }],
  ])('of %s is ignored', (_, env) => {
    const settings = { PORT: env.PORT ?? '4000', DATA_DIR: '/data', DEMO_SCALE: '2' };
    expect(loadConfig({ ...env, ...settings }).LOCALNET_SCALE).toBe(2);
  });
});

describe('invented data', () => {
  const refused = (sign: string) =>
    `SOLANA_RPC_URLS: must be set, because ${sign}; LOCALNET=on serves the invented data of a localnet instead`;
  const signs = [
    [{ NODE_ENV: 'production' }, 'NODE_ENV is production'],
    [{ DATABASE_URL: 'postgres://a' }, 'DATABASE_URL is set'],
    [{ REDIS_URL: 'redis://a', FEED: 'off' }, 'REDIS_URL is set'],
  ] as const;

  it.each(signs)('is not served unasked with %o', (env, sign) => {
    expect(() => loadServingConfig(env)).toThrow(refused(sign));
    expect(loadServingConfig({ ...env, LOCALNET: 'on' }).embedded).toBe(true);
    expect(loadServingConfig({ ...env, SOLANA_RPC_URLS: 'http://a', FEED: 'off' }).embedded).toBe(false);
    // Commands that read no chain need no endpoint.
    expect(loadConfig(env).embedded).toBe(true);
  });

  it('is served by default on a machine of a developer', () => {
    expect(loadServingConfig({}).embedded).toBe(true);
    expect(loadServingConfig({ NODE_ENV: 'development' }).embedded).toBe(true);
  });

  it('cannot be asked for beside endpoints', () => {
    expect(() => loadConfig({ SOLANA_RPC_URLS: 'http://a', LOCALNET: 'on' })).toThrow(
      /^LOCALNET: must be unset/,
    );
  });
});
