import type { StoredAccount } from '@sluice/localnet/chain';
import { CLOCK_SYSVAR, SYSVAR_PROGRAM } from '@sluice/protocol/program-ids';
import { encodeClock } from '@sluice/protocol/sysvar/clock';
import {
  type Address,
  createRpc,
  createSolanaRpcApi,
  type Rpc,
  type RpcTransport,
  type SolanaRpcApi,
} from '@solana/kit';

/** One call to the fake, and how to answer it. */
export interface FakeCall {
  readonly method: string;
  readonly params: readonly unknown[];
  readonly signal: AbortSignal | undefined;
}

/** An RPC without a socket: `answer` returns the result of each call, or throws. */
export function fakeRpc(answer: (call: FakeCall) => unknown): Rpc<SolanaRpcApi> {
  const transport: RpcTransport = async <T>({ payload, signal }: Parameters<RpcTransport>[0]) => {
    const { id, method, params } = payload as { id: string; method: string; params: unknown[] };
    return { jsonrpc: '2.0', id, result: await answer({ method, params, signal }) } as T;
  };
  return createRpc({ api: createSolanaRpcApi<SolanaRpcApi>({ defaultCommitment: 'confirmed' }), transport });
}

/** The result of getMultipleAccounts at a slot, with the clock of that slot or of another. */
export function accountsAt(
  slot: bigint,
  addresses: readonly Address[],
  accountOf: (address: Address) => StoredAccount | null,
  clockSlot = slot,
): unknown {
  const clock = encodeClock({
    slot: clockSlot,
    epochStartTimestamp: 0n,
    epoch: 0n,
    leaderScheduleEpoch: 0n,
    unixTimestamp: clockSlot,
  });
  const value = addresses.map((address) => {
    const account =
      address === CLOCK_SYSVAR
        ? { owner: SYSVAR_PROGRAM, data: clock, lamports: 1n, executable: false }
        : accountOf(address);
    if (account === null) return null;
    const { owner, data, lamports, executable } = account;
    const encoded = [Buffer.from(data).toString('base64'), 'base64'];
    return { owner, lamports, executable, data: encoded, rentEpoch: 0n, space: BigInt(data.length) };
  });
  return { context: { slot }, value };
}
