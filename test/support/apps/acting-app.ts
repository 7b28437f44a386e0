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
import { type EmbeddedChain, startControlledChain } from '../../../src/demo/embedded-chain.ts';
import { startReadyApp, type TestApp } from './test-app.ts';

const SOL = 1_000_000_000n;
const ORIGIN = 'http://sluice.test';

/** A gateway over a frozen chain: time moves by one slot after each transaction, so a preview stays true. */
export interface ActingApp {
  readonly gateway: TestApp;
  readonly chain: EmbeddedChain;
  readonly rpc: ReturnType<typeof clientOf>;
  /** A new wallet with SOL and tokens from the faucets. @param tokens base units by mint */
  newWallet(tokens: Readonly<Record<Address, bigint>>): Promise<KeyPairSigner>;
  /** Calls a method that kit does not know. */
  call(method: string, params: readonly unknown[]): Promise<unknown>;
  /** A REST operation with a body; the test names the shape of the answer. */
  post<T>(path: string, body: object): Promise<T>;
  /** Sends over each of the ways; resolves to the slot of the block, after the gateway has read it. */
  send(way: Way, base64: string, signer: KeyPairSigner): Promise<Landed>;
  /** Units of an associated account; 0 when there is none. */
  tokens(owner: Address, mint: Address): Promise<bigint>;
  stop(): Promise<void>;
}

export type Way = 'RPC' | 'GraphQL' | 'REST';

export interface Landed {
  readonly signature: Signature;
  readonly slot: bigint;
  /** Header for requests that must see the effect. */
  readonly headers: Readonly<Record<string, string>>;
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

const clientOf = (url: string) => createSolanaRpc(devnet(url));

export async function startActingApp(): Promise<ActingApp> {
  const chain = await startControlledChain({ scale: 1, seed: 'sluice', frozen: true });
  const gateway = await startReadyApp({ rpcUrls: [chain.rpc.url], env: { SEND_TRANSACTIONS: 'on' } });
  const rpc = clientOf(chain.rpc.url);

  async function call(method: string, params: readonly unknown[]): Promise<unknown> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(chain.rpc.url, { method: 'POST', headers, body });
    const { result, error } = (await response.json()) as { result?: unknown; error?: unknown };
    if (error !== undefined) throw new Error(`${method}: ${JSON.stringify(error)}`);
    return result;
  }

  async function post<T>(path: string, body: object): Promise<T> {
    const headers = { 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    const response = await gateway.app.fetch(new Request(`${ORIGIN}${path}`, init));
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text}`);
    return JSON.parse(text) as T;
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
    chain,
    rpc,
    call,
    post,
    async newWallet(tokens) {
      const signer = await generateKeyPairSigner();
      await rpc.requestAirdrop(signer.address, lamports(100n * SOL)).send();
      for (const [mint, units] of Object.entries(tokens)) {
        await call('demo_requestTokens', [signer.address, mint, Number(units)]);
      }
      return signer;
    },
    async send(way, base64, signer) {
      const wire = await signWithKey(decodeTransaction(base64), signer);
      const { signature, status, slot } = await relay(way, wire);
      if (!LANDED.includes(status) || slot === null) throw new Error(`${signature} is ${status}`);
      return { signature, slot: BigInt(slot), headers: { 'x-min-slot': slot } };
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
      await chain.stop();
    },
  };
}

/** The signer of a key as `/demo.json` gives it. */
export const signerOf = (secretKey: readonly number[]): Promise<KeyPairSigner> =>
  createKeyPairSignerFromBytes(Uint8Array.from(secretKey));
