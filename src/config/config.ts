import { DEVNET_PROGRAMS, MAINNET_PROGRAMS, type ProgramIds } from '@sluice/protocol/program-ids';
import { SluiceError } from '../errors/sluice-error.ts';
import { LOCALNET_STREAM } from './setting-kinds.ts';
import { type Cluster, SETTINGS, type SettingValues } from './settings.ts';
import { unknownSettings } from './unknown-settings.ts';

/** Names of version 0.4, accepted in the release after it. A setting under its own name comes first. */
const FORMER_NAMES: Readonly<Partial<Record<keyof SettingValues, string>>> = { LOCALNET_SCALE: 'DEMO_SCALE' };

const RENAMED = Object.fromEntries(Object.entries(FORMER_NAMES).map(([name, former]) => [former, name]));

type Environment = Readonly<Record<string, string | undefined>>;
interface SettingProblem {
  readonly variable: string;
  readonly allowed: string;
}

/** Addresses of the programs on each cluster. */
export const CLUSTER_PROGRAMS: Readonly<Record<Cluster, ProgramIds>> = {
  'mainnet-beta': MAINNET_PROGRAMS,
  devnet: DEVNET_PROGRAMS,
  localnet: MAINNET_PROGRAMS,
};

export interface Config extends SettingValues {
  readonly programs: ProgramIds;
  /** True when no RPC is configured, so that the gateway runs its localnet. */
  readonly embedded: boolean;
  /** Whether the localnet streams its accounts and the gateway follows them. */
  readonly localnetStream: boolean;
  /** Whether the gateway relays transactions that wallets have signed. */
  readonly sending: boolean;
}

/**
 * Reads and checks all settings.
 * @throws SluiceError CONFIG_INVALID with one line for every setting that is wrong.
 */
export function loadConfig(env: Environment = process.env): Config {
  const values: Record<string, unknown> = {};
  const problems: SettingProblem[] = unknownSettings(env, Object.keys(SETTINGS), RENAMED).map(
    ({ variable, meant }) => ({
      variable,
      allowed: `is not a setting; rename it to ${meant} or remove it`,
    }),
  );
  for (const [name, setting] of Object.entries(SETTINGS)) {
    const { variable, text } = givenSetting(name as keyof SettingValues, env);
    const value = setting.parse(text ?? setting.fallback);
    if (value === undefined) problems.push({ variable, allowed: `must be ${setting.allowed}` });
    values[name] = value;
  }
  refuse(problems);
  const settings = values as unknown as SettingValues;
  refuse(contradictions(settings));
  const embedded = settings.SOLANA_RPC_URLS.length === 0;
  const cluster = embedded ? 'localnet' : settings.SOLANA_CLUSTER;
  const { klend, kvault, farms } = CLUSTER_PROGRAMS[cluster];
  return {
    ...settings,
    SOLANA_CLUSTER: cluster,
    programs: {
      klend: settings.KLEND_PROGRAM_ID ?? klend,
      kvault: settings.KVAULT_PROGRAM_ID ?? kvault,
      farms: settings.FARMS_PROGRAM_ID ?? farms,
    },
    embedded,
    localnetStream: isLocalnetStream(settings),
    GEYSER_URLS: isLocalnetStream(settings) ? [] : settings.GEYSER_URLS,
    sending: settings.SEND_TRANSACTIONS === 'on' || (settings.SEND_TRANSACTIONS === 'auto' && embedded),
  };
}

/**
 * `loadConfig` for a program that serves a chain. A deployment whose endpoints are missing would serve the invented data of
 * a localnet, so the localnet must be wanted where anything looks like production.
 * @throws SluiceError CONFIG_INVALID
 */
export function loadServingConfig(env: Environment = process.env): Config {
  const config = loadConfig(env);
  const sign =
    config.DATABASE_URL !== null
      ? 'DATABASE_URL is set'
      : config.REDIS_URL !== null
        ? 'REDIS_URL is set'
        : env.NODE_ENV === 'production'
          ? 'NODE_ENV is production'
          : null;
  if (config.embedded && config.LOCALNET !== 'on' && sign !== null) {
    const allowed = `must be set, because ${sign}; LOCALNET=on serves the invented data of a localnet instead`;
    throw new SluiceError('CONFIG_INVALID', { variable: 'SOLANA_RPC_URLS', allowed });
  }
  return config;
}

/** The variable that gives a setting, and its text; null when it is unset or empty. */
function givenSetting(
  name: keyof SettingValues,
  env: Environment,
): { readonly variable: string; readonly text: string | null } {
  const former = FORMER_NAMES[name];
  for (const variable of former === undefined ? [name] : [name, former]) {
    const text = env[variable]?.trim() ?? '';
    if (text !== '') return { variable, text };
  }
  return { variable: name, text: null };
}

/** Loads the environment with some settings replaced. */
export function loadConfigWith(replaced: Readonly<Record<string, string>>): Config {
  return loadConfig({ ...process.env, ...replaced });
}

/** Settings that are valid on their own and not together. */
function contradictions(settings: SettingValues): SettingProblem[] {
  const problems: SettingProblem[] = [];
  const isEmbedded = settings.SOLANA_RPC_URLS.length === 0;
  if (!isEmbedded && isLocalnetStream(settings)) {
    const allowed = `must name endpoints of the same chain as SOLANA_RPC_URLS: ${LOCALNET_STREAM} is the one that runs while that is empty`;
    problems.push({ variable: 'GEYSER_URLS', allowed });
  }
  for (const variable of ['SOLANA_WS_URLS', 'GEYSER_URLS'] as const) {
    if (!isEmbedded || settings[variable].length === 0) continue;
    if (variable === 'GEYSER_URLS' && isLocalnetStream(settings)) continue;
    const allowed = 'must be empty while SOLANA_RPC_URLS is empty: both must read the same chain';
    problems.push({ variable, allowed });
  }
  if (settings.SOLANA_RPC_URLS.length > 0 && settings.LOCALNET === 'on') {
    problems.push({
      variable: 'LOCALNET',
      allowed: 'must be unset while SOLANA_RPC_URLS is set: they are different chains',
    });
  }
  if (
    settings.REDIS_URL !== null &&
    settings.FEED !== 'off' &&
    !isEmbedded &&
    settings.STREAM_SECRET === ''
  ) {
    problems.push({
      variable: 'STREAM_SECRET',
      allowed:
        'must be set while REDIS_URL is set, to the same text of at least 32 characters on all gateways and recorders: it authenticates the Views that they share. FEED=off shares none',
    });
  }
  if (settings.DATABASE_READ_URLS.length > 0 && (settings.DATABASE_URL === null || isEmbedded)) {
    problems.push({
      variable: 'DATABASE_READ_URLS',
      allowed: isEmbedded
        ? 'must be empty while SOLANA_RPC_URLS is empty: the localnet has a database of its own'
        : 'must be empty while DATABASE_URL is empty: it names replicas of that database',
    });
  }
  if (settings.PERSISTED_ONLY === 'on' && settings.PERSISTED_OPERATIONS === '') {
    problems.push({
      variable: 'PERSISTED_OPERATIONS',
      allowed: 'must name a file while PERSISTED_ONLY is on: every operation would be refused',
    });
  }
  return problems;
}

function isLocalnetStream({ GEYSER_URLS: [first] }: SettingValues): boolean {
  return first === LOCALNET_STREAM;
}

function refuse([first, ...more]: readonly SettingProblem[]): void {
  if (first !== undefined) throw new SluiceError('CONFIG_INVALID', { ...first, more });
}
