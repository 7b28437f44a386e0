import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Localnet, startControlledLocalnet } from '@sluice/localnet/localnet';
import type { AccountReader } from '@sluice/localnet/runtime/account-overlay';
import { generatePast, type WorldPast } from '@sluice/localnet/world/world-past';
import {
  type Address,
  type Base64EncodedWireTransaction,
  createKeyPairSignerFromBytes,
  createSolanaRpc,
  devnet,
  generateKeyPairSigner,
  type KeyPairSigner,
  lamports,
  type Signature,
} from '@solana/kit';
import { decodeTransaction, signWithKey } from '../../../docs/signing/with-kit.ts';
import { migrate } from '../../../src/store/migrate.ts';
import { databases } from '../databases/test-databases.ts';
import { STILL, startReadyApp, type TestApp } from './test-app.ts';
import { untilHistoryIsReady } from './until-history-is-ready.ts';

const SOL = 1_000_000_000n;
const ORIGIN = 'http://sluice.test';
const CATALOGUE = 'catalogue.json';

/** A gateway over a frozen chain: time moves by one slot after each transaction, so a preview stays true. */
export interface ActingApp {
  readonly gateway: TestApp;
  readonly localnet: Localnet;
  readonly rpc: ReturnType<typeof clientOf>;
  /** A new wallet with SOL and tokens from the faucets. @param tokens base units by mint */
  newWallet(tokens: Readonly<Record<Address, bigint>>): Promise<KeyPairSigner>;
  /** Calls a method that kit does not know. */
  call(method: string, params: readonly unknown[]): Promise<unknown>;
  /** A REST operation with a body; the test names the shape of the answer. */
  post<T>(path: string, body: object, headers?: Readonly<Record<string, string>>): Promise<T>;
  /** A REST operation without one. */
  get<T>(path: string, headers?: Readonly<Record<string, string>>): Promise<T>;
  /** Signs and sends over each of the ways; resolves once it is confirmed. @throws when it fails */
  send(way: Way, base64: string, ...signers: readonly KeyPairSigner[]): Promise<Landed>;
  /** Units of an associated account; 0 when there is none. */
  tokens(owner: Address, mint: Address): Promise<bigint>;
  stop(): Promise<void>;
}

export type Way = 'RPC' | 'GraphQL' | 'REST';

export interface Landed {
  readonly signature: Signature;
  readonly slot: bigint;
  /** For requests that must see the effect: the slot after, since a View of the same slot may be older. */
  readonly headers: Readonly<Record<string, string>>;
  /** Accounts as the transaction left them, before the next slot refreshed some of them. */
  readonly after: AccountReader;
}

interface Sent {
  readonly signature: Signature;
  readonly status: string;
  readonly slot: string | null;
}

const LANDED: readonly string[] = ['CONFIRMED', 'FINALIZED'];
const SEND = `mutation ($input: SendTransactionInput!) {
  sent: sendTransaction(input: $input) {
    ... on SentTransaction { signature status slot error { name message } logs }
    ... on InvalidTransaction { code message }
  }
}`;

const WORLD = { scale: 1, seed: 'sluice' };

let past: WorldPast | undefined;

/** Up to when the first app of a worker started, and the same for the others. */
const actingPast = (): WorldPast => {
  past ??= generatePast({ ...WORLD, now: Date.now, quiet: true });
  return past;
};

const clientOf = (url: string) => createSolanaRpc(devnet(url));

export interface ActingAppOptions {
  /** Whether the gateway records history and reads transactions, in a database of its own. */
  readonly recorder?: boolean;
  /** Whether the gateway quotes swaps of the localnet's exchange. */
  readonly quotes?: boolean;
  /** Whether the example vault lends to private credit. */
  readonly privateCredit?: boolean;
  /** Further settings. */
  readonly env?: Readonly<Record<string, string>>;
}

export async function startActingApp({
  recorder = false,
  quotes = false,
  privateCredit = false,
  env = {},
}: ActingAppOptions = {}): Promise<ActingApp> {
  const [kind] = databases();
  if (kind === undefined) throw new Error('there is no database to test with');
  const database = recorder ? await kind.openCopy('history', async (url) => void (await migrate(url))) : null;
  const localnet = await startControlledLocalnet({ ...WORLD, frozen: true, past: actingPast() });
  const folder = privateCredit ? await mkdtemp(join(tmpdir(), 'sluice-catalogue-')) : null;
  if (folder !== null) {
    const catalogue = { version: 1, privateCreditVaults: [localnet.addresses.vault] };
    await writeFile(join(folder, CATALOGUE), JSON.stringify(catalogue));
  }
  const gateway = await startReadyApp({
    rpcUrls: [localnet.rpc.url],
    // A View is read when a request asks for its slot, and not in between.
    env: {
      ...STILL,
      SEND_TRANSACTIONS: 'on',
      ...(database && { DATABASE_URL: database.url, RECORDER: 'inside' }),
      ...(quotes && {
        QUOTE_URL: localnet.rpc.url,
        QUOTE_ROUTER_PROGRAM_ID: localnet.exchangeProgram,
      }),
      ...(folder && { CATALOGUE_FILE: join(folder, CATALOGUE) }),
      ...env,
    },
  });
  if (recorder) await untilHistoryIsReady(gateway);
  const rpc = clientOf(localnet.rpc.url);

  async function call(method: string, params: readonly unknown[]): Promise<unknown> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(localnet.rpc.url, { method: 'POST', headers, body });
    const { result, error } = (await response.json()) as { result?: unknown; error?: unknown };
    if (error !== undefined) throw new Error(`${method}: ${JSON.stringify(error)}`);
    return result;
  }

  async function rest<T>(path: string, init: RequestInit): Promise<T> {
    const response = await gateway.app.fetch(new Request(`${ORIGIN}${path}`, init));
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text}`);
    return JSON.parse(text) as T;
  }

  const post = <T>(path: string, body: object, headers: Readonly<Record<string, string>> = {}) =>
    rest<T>(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });

  /** The accounts that a signed transaction would leave in the present slot. */
  function outcomeOf(wire: Base64EncodedWireTransaction): AccountReader {
    const { chain: localChain } = localnet;
    const outcome = localChain.simulate(Buffer.from(wire, 'base64'), {
      verifySignatures: true,
      replaceBlockhash: false,
    });
    if (outcome.kind === 'refused') throw new Error(`refused: ${JSON.stringify(outcome.failure)}`);
    return { get: (address) => outcome.changes.get(address) ?? localChain.account(address) };
  }

  async function relay(way: Way, wire: Base64EncodedWireTransaction): Promise<Sent> {
    if (way === 'REST') return await post<Sent>('/transactions', { transaction: wire });
    if (way === 'GraphQL') {
      const variables = { input: { transaction: wire } };
      const { data, text } = await gateway.query<{ sent?: Sent }>(SEND, { variables });
      if (data?.sent === undefined) throw new Error(text);
      return data.sent;
    }
    const signature = await rpc.sendTransaction(wire, { encoding: 'base64' }).send();
    const [status] = (await rpc.getSignatureStatuses([signature]).send()).value;
    const level = status?.confirmationStatus?.toUpperCase() ?? 'unknown';
    return { signature, status: status?.err ? 'FAILED' : level, slot: status ? String(status.slot) : null };
  }

  return {
    gateway,
    localnet,
    rpc,
    call,
    post,
    get: (path, headers = {}) => rest(path, { headers }),
    async newWallet(tokens) {
      const signer = await generateKeyPairSigner();
      await rpc.requestAirdrop(signer.address, lamports(100n * SOL)).send();
      for (const [mint, units] of Object.entries(tokens)) {
        await call('localnet_requestTokens', [signer.address, mint, Number(units)]);
      }
      return signer;
    },
    async send(way, base64, ...signers) {
      const wire = await signWithKey(decodeTransaction(base64), ...signers);
      const after = outcomeOf(wire);
      const { signature, status, slot } = await relay(way, wire);
      if (!LANDED.includes(status) || slot === null) throw new Error(`${signature} is ${status}`);
      const headers = { 'x-min-slot': String(await rpc.getSlot().send()) };
      return { signature, slot: BigInt(slot), headers, after };
    },
    async tokens(owner, mint) {
      const { value } = await rpc.getTokenAccountsByOwner(owner, { mint }, { encoding: 'jsonParsed' }).send();
      return value.reduce(
        (sum, { account }) => sum + BigInt(account.data.parsed.info.tokenAmount.amount),
        0n,
      );
    },
    async stop() {
      await gateway.stop();
      await localnet.stop();
      await database?.close();
      if (folder !== null) await rm(folder, { recursive: true });
    },
  };
}

/** The signer of a key as `/localnet.json` gives it. */
export const signerOf = (secretKey: readonly number[]): Promise<KeyPairSigner> =>
  createKeyPairSignerFromBytes(Uint8Array.from(secretKey));
