import { base58Of } from '@sluice/protocol/layout/base58-text';
import { SYSTEM_PROGRAM } from '@sluice/protocol/program-ids';
import { transferLamports } from '@sluice/protocol/system/instructions';
import {
  type Address,
  appendTransactionMessageInstructions,
  type Base64EncodedWireTransaction,
  type Blockhash,
  compileTransaction,
  compressTransactionMessageUsingAddressLookupTables,
  createKeyPairSignerFromPrivateKeyBytes,
  createSolanaRpc,
  createTransactionMessage,
  devnet,
  getBase64EncodedWireTransaction,
  type Instruction,
  type KeyPairSigner,
  lamports,
  pipe,
  type Signature,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransaction,
} from '@solana/kit';
import { type LocalnetRpc, type RpcServerOptions, startRpcServer } from '../../../src/rpc/server.ts';
import { startOf } from '../../../src/world/time.ts';
import { createWorldChain, type WorldChain } from '../../../src/world/world-chain.ts';

/** Midnight, so that the world has nothing to catch up on when it starts. */
const START_MS = Date.UTC(2026, 5, 1);
export const SOL = 1_000_000_000n;

/** A client of a localnet whose time moves only on request. */
export interface SendingClient {
  readonly localChain: WorldChain;
  readonly server: LocalnetRpc;
  readonly rpc: ReturnType<typeof clientOf>;
  /** Advances by some slots. */
  advance(slots: number): void;
  /** A new wallet with ten SOL. */
  wallet(number: number): Promise<KeyPairSigner>;
  /** Signed by the payer and the others. */
  signed(
    instructions: readonly Instruction[],
    signers: readonly [KeyPairSigner, ...KeyPairSigner[]],
    options?: SigningOptions,
  ): Promise<Base64EncodedWireTransaction>;
  /** Calls a method that kit does not know. */
  call(method: string, params: readonly unknown[]): Promise<RawAnswer>;
}

export interface SigningOptions {
  /** Instead of the newest. */
  readonly blockhash?: Blockhash | undefined;
  /** Addresses to load from tables. */
  readonly tables?: Readonly<Record<Address, Address[]>>;
}

export interface RawAnswer {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

const clientOf = (url: string) => createSolanaRpc(devnet(url));

export interface SendingOptions extends RpcServerOptions {
  /** Nobody acts but the client, and transactions do not move the slot. */
  readonly quiet?: boolean;
}

export async function startSendingClient({
  quiet = false,
  ...options
}: SendingOptions = {}): Promise<SendingClient> {
  let nowMs = START_MS;
  const localChain = createWorldChain({ now: () => nowMs, quiet });
  const server = await startRpcServer(localChain, options);
  const rpc = clientOf(server.url);
  return {
    localChain,
    server,
    rpc,
    advance(slots) {
      // Transactions put the chain ahead of its clock.
      nowMs = startOf(localChain.slot + BigInt(slots));
      localChain.tick();
    },
    async wallet(number) {
      const signer = await createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(32).fill(number));
      await rpc.requestAirdrop(signer.address, lamports(10n * SOL)).send();
      return signer;
    },
    async signed(instructions, signers, { blockhash, tables = {} } = {}) {
      const latest = (await rpc.getLatestBlockhash().send()).value;
      const lifetime = blockhash === undefined ? latest : { ...latest, blockhash };
      const message = pipe(
        createTransactionMessage({ version: 0 }),
        (draft) => setTransactionMessageFeePayer(signers[0].address, draft),
        (draft) => setTransactionMessageLifetimeUsingBlockhash(lifetime, draft),
        (draft) => appendTransactionMessageInstructions(instructions, draft),
        (draft) => compressTransactionMessageUsingAddressLookupTables(draft, tables),
      );
      const keyPairs = signers.map(({ keyPair }) => keyPair);
      return getBase64EncodedWireTransaction(await signTransaction(keyPairs, compileTransaction(message)));
    },
    async call(method, params) {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(server.url, { method: 'POST', body, headers });
      return (await answer.json()) as RawAnswer;
    },
  };
}

export const transferSol = (source: Address, destination: Address, amount: bigint): Instruction =>
  transferLamports.encode(SYSTEM_PROGRAM, { source, destination }, { lamports: amount });

/** The first signature of a transaction. */
export function signatureOf(wire: Base64EncodedWireTransaction): Signature {
  return base58Of(Buffer.from(wire, 'base64').subarray(1, 65)) as Signature;
}
