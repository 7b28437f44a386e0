import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { worldCatalogue } from '@sluice/localnet/world-catalogue';
import { worldSeasons } from '@sluice/localnet/world-seasons';
import {
  serveChain,
  TestChain,
  type UnchangedChain,
  unchangedChain,
} from '../../../packages/localnet/test/support/chain/test-world.ts';
import { KeyFolder } from '../../../src/limits/keys/key-folder.ts';
import { STILL, startReadyApp, type TestApp } from '../apps/test-app.ts';
import type { Ask } from '../operations/operation-row.ts';
import { type Subjects, subjectsOf } from '../operations/subjects.ts';
import { type RpcProxy, startRpcProxy } from '../rpc/counting-proxy.ts';
import { keyFor, STORED_CONTRACT_KEY } from './contract-key.ts';

export interface RestAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
  readonly text: string;
}

export interface AskOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Whether an operation that needs an API key is asked without one. */
  readonly withoutKey?: boolean;
}

/** A gateway over a world that stands still, with its catalogue, and a count of what reaches the RPC. */
export interface ContractWorld {
  readonly localChain: UnchangedChain;
  readonly proxy: RpcProxy;
  readonly gateway: TestApp;
  /** Subjects of requests. */
  readonly subjects: Subjects;
  ask(ask: Ask, headers?: Readonly<Record<string, string>>): Promise<RestAnswer>;
  get(url: string, headers?: Readonly<Record<string, string>>): Promise<RestAnswer>;
  /** A text is sent as it is, anything else as JSON. */
  post(path: string, body: unknown, options?: AskOptions): Promise<RestAnswer>;
  stop(): Promise<void>;
}

interface ContractWorldOptions {
  /** Whether calls reach the RPC through the proxy, which doubles what they cost. Defaults to true. */
  readonly counted?: boolean;
}

/** A contract world that the test changes. */
export interface ChangingContractWorld extends ContractWorld {
  readonly localChain: TestChain;
}

export const startContractWorld = (
  env: Readonly<Record<string, string>> = {},
  options: ContractWorldOptions = {},
): Promise<ContractWorld> => contractWorldOver(unchangedChain(), env, options);

/** `arrange` changes the world before the gateway looks at it. */
export function startChangingContractWorld(
  env: Readonly<Record<string, string>> = {},
  arrange: (localChain: TestChain) => void = () => {},
): Promise<ChangingContractWorld> {
  const localChain = new TestChain();
  arrange(localChain);
  return contractWorldOver(localChain, env);
}

export async function contractWorldOver<L extends UnchangedChain>(
  localChain: L,
  env: Readonly<Record<string, string>> = {},
  { counted = true }: ContractWorldOptions = {},
): Promise<ContractWorld & { readonly localChain: L }> {
  const rpc = await serveChain(localChain);
  const proxy = await startRpcProxy(rpc.url);
  const folder = mkdtempSync(join(tmpdir(), 'sluice-contract-'));
  const file = join(folder, 'catalogue.json');
  writeFileSync(file, JSON.stringify(worldCatalogue(localChain.worldChain.world, Date.UTC(2026, 5, 1))));
  const seasons = join(folder, 'seasons.json');
  const { world } = localChain.worldChain;
  writeFileSync(seasons, JSON.stringify(worldSeasons(world, localChain.addresses, Date.UTC(2026, 5, 1))));
  const keys = join(folder, 'keys');
  if (env.DATABASE_URL === undefined) await new KeyFolder(keys).add(STORED_CONTRACT_KEY);
  const gateway = await startReadyApp({
    rpcUrls: [counted ? proxy.url : rpc.url],
    env: { ...STILL, CATALOGUE_FILE: file, SEASONS_FILE: seasons, KEYS_DIR: keys, ...env },
  });
  return {
    localChain,
    proxy,
    gateway,
    subjects: subjectsOf(localChain),
    ask: (asked, headers) => ask(gateway, asked, headers),
    get: (url, headers = {}) => ask(gateway, { url }, headers),
    post: (path, body, options) => post(gateway, path, body, options),
    async stop() {
      await gateway.stop();
      await proxy.stop();
      await rpc.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** A body makes it a POST. */
export function ask(
  gateway: TestApp,
  { url, body, withoutKey = false }: Ask,
  headers: Readonly<Record<string, string>> = {},
): Promise<RestAnswer> {
  return post(gateway, url, body ?? '', {
    method: body === undefined ? 'GET' : 'POST',
    headers,
    withoutKey,
  });
}

export async function post(
  { app }: TestApp,
  path: string,
  body: unknown,
  { method = 'POST', headers: given = {}, signal, withoutKey = false }: AskOptions = {},
): Promise<RestAnswer> {
  const headers = { ...(withoutKey ? {} : keyFor(path)), ...given };
  const sent = typeof body === 'string' ? body : JSON.stringify(body);
  const response = await app.fetch(
    new Request(`http://sluice.test${path}`, {
      method,
      headers: method === 'GET' ? headers : { 'content-type': 'application/json', ...headers },
      signal: signal ?? null,
      ...(method === 'GET' || method === 'HEAD' ? {} : { body: sent }),
    }),
  );
  const text = await response.text();
  const isJson = /^application\/json\b/.test(response.headers.get('content-type') ?? '');
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : null, text };
}
