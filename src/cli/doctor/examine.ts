import { readFile } from 'node:fs/promises';
import { startLocalnet } from '@sluice/localnet/localnet';
import type { View } from '../../chain/view/view.ts';
import { type Config, loadConfig } from '../../config/config.ts';
import { isCodedError } from '../../errors/sluice-error.ts';
import { checkEndpoint, checkLag } from './endpoints.ts';
import { checkFeeds } from './feeds.ts';
import { type Finding, fault, ok } from './finding.ts';
import { checkHistory } from './history.ts';
import { checkMethods } from './methods.ts';
import type { Target } from './probe.ts';
import { checkDeployments, checkPrograms, programsFinding } from './programs.ts';
import { checkReplicas } from './replicas.ts';
import { counted, type Report, reportOf } from './report.ts';
import { checkSentinels } from './sentinels.ts';
import { checkSocket } from './sockets.ts';
import { checkDatabase, checkRedis } from './stores.ts';
import { checkStream } from './streams.ts';
import { checkUpkeep } from './upkeep.ts';

export interface DoctorOptions {
  /** Defaults to the environment of the process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Longest wait for a notification. */
  readonly listenMs?: number;
  /** Longest wait for changes before a refresh of the View is measured. */
  readonly pauseMs?: number;
}

const LISTEN_MS = 5_000;
const PAUSE_MS = 15_000;

/** Checks the deployment that the settings describe. Without a configured RPC, it checks the localnet. */
export async function examine({
  env,
  listenMs = LISTEN_MS,
  pauseMs = PAUSE_MS,
}: DoctorOptions = {}): Promise<Report> {
  let config: Config;
  try {
    config = loadConfig(env);
  } catch (error) {
    if (!isCodedError(error, 'CONFIG_INVALID')) throw error;
    return reportOf([fault('settings', 'valid', `${error.message}. Nothing else was checked.`)]);
  }
  const geyser = config.localnetStream ? { geyser: {} } : {};
  const embedded = config.embedded ? await startLocalnet({ scale: config.LOCALNET_SCALE, ...geyser }) : null;
  try {
    const rpcUrls = embedded === null ? config.SOLANA_RPC_URLS : [embedded.rpc.url];
    const wsUrls = embedded === null ? config.SOLANA_WS_URLS : [embedded.rpc.wsUrl];
    const settings = await checkSettings(config);
    const targets = {
      endpoints: named('rpc', rpcUrls),
      sockets: named('websocket', wsUrls),
      streams: named('geyser', embedded?.geyser == null ? config.GEYSER_URLS : [embedded.geyser.url]),
    };
    const chain = await examineChain(config, targets, { listenMs, pauseMs });
    const stores = await Promise.all([
      checkDatabase(config.DATABASE_URL, config.RPC_TIMEOUT_MS),
      checkRedis(config.REDIS_URL, config.RPC_TIMEOUT_MS),
    ]);
    const sentinels = await checkSentinels(config.REDIS_URL, config.RPC_TIMEOUT_MS);
    const replicas = await checkReplicas(config);
    const feeds = await checkFeeds(config);
    return reportOf([...settings, ...chain, ...stores, ...sentinels, ...replicas, ...feeds]);
  } finally {
    await embedded?.stop();
  }
}

const named = (kind: string, urls: readonly string[]): readonly Target[] =>
  urls.map((url, i) => ({ name: `${kind}-${i + 1}`, url }));

async function checkSettings(config: Config): Promise<Finding[]> {
  const says = config.embedded
    ? 'All are valid. No RPC is configured, so the localnet is checked.'
    : `All are valid: ${counted(config.SOLANA_RPC_URLS.length, 'RPC endpoint')} and ${counted(config.SOLANA_WS_URLS.length, 'WebSocket endpoint')} for ${config.SOLANA_CLUSTER}.`;
  const sends = config.sending
    ? 'The gateway sends transactions that wallets have signed.'
    : 'The gateway does not send transactions. SEND_TRANSACTIONS=on lets it relay what wallets have signed.';
  const findings = [ok('settings', 'valid', says), ok('settings', 'sending', sends)];
  if (config.CATALOGUE_FILE === '') {
    if (config.SOLANA_CLUSTER === 'mainnet-beta') {
      const builtIn = 'The built-in catalogue names markets and tokens. CATALOGUE_FILE replaces it.';
      findings.push(ok('settings', 'catalogue', builtIn));
    }
  } else {
    findings.push(await checkFile('catalogue', 'CATALOGUE_FILE', config.CATALOGUE_FILE));
  }
  if (config.SEASONS_FILE !== '') {
    findings.push(await checkFile('seasons', 'SEASONS_FILE', config.SEASONS_FILE));
  }
  return findings;
}

async function checkFile(check: string, setting: string, path: string): Promise<Finding> {
  try {
    JSON.parse(await readFile(path, 'utf8'));
    return ok('settings', check, `${setting} is there and is JSON.`);
  } catch {
    const wrong = `${setting} cannot be read as JSON; the gateway will not start. Correct the path or the file.`;
    return fault('settings', check, wrong);
  }
}

interface ChainTargets {
  readonly endpoints: readonly Target[];
  readonly sockets: readonly Target[];
  readonly streams: readonly Target[];
}

async function examineChain(
  config: Config,
  { endpoints, sockets, streams }: ChainTargets,
  { listenMs, pauseMs }: Required<Omit<DoctorOptions, 'env'>>,
): Promise<Finding[]> {
  const first = await Promise.all(endpoints.map((target) => checkEndpoint(target, config)));
  const alive = endpoints.filter((_, i) => first[i]?.alive);
  const [chosen] = alive;
  const findings = first.flatMap((each) => each.findings);
  let view: View | undefined;
  if (chosen !== undefined) {
    findings.push(...(await checkLag(alive, config)));
    findings.push(...(await checkMethods(alive, config)));
    findings.push(...(await checkPrograms(chosen, config)));
    findings.push(...(await checkDeployments(chosen, config)));
    const served = first.find((each) => each.served !== null)?.served ?? null;
    const fitting = programsFinding(config.programs, served);
    if (fitting !== null) findings.push(fitting);
    const urls = alive.map(({ url }) => url);
    const upkeep = await checkUpkeep(urls, config, pauseMs);
    view = upkeep.view ?? undefined;
    findings.push(...upkeep.findings);
    const [vault] = [...(view?.all('vault').keys() ?? [])].sort();
    findings.push(...(await Promise.all(alive.map((target) => checkHistory(target, config, vault)))).flat());
  }
  if (sockets.length === 0) {
    const says =
      'No WebSocket endpoint is configured: changed vaults are noticed by polling. SOLANA_WS_URLS saves calls.';
    findings.push(ok('websocket', 'notifications', says));
  }
  // One after the other: they would compete for the bandwidth that each is judged by.
  for (const target of streams) findings.push(...(await checkStream(target, config, chosen, view)));
  findings.push(...(await Promise.all(sockets.map((target) => checkSocket(target, config, listenMs)))));
  return findings;
}
