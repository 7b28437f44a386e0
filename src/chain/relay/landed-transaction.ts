import type { Address, GetTransactionApi, Rpc, Signature } from '@solana/kit';
import { SluiceError } from '../../errors/sluice-error.ts';

/** Tokens of an account around a transaction. */
export interface TokenBalanceAround {
  readonly mint: Address;
  readonly owner: Address | null;
  readonly decimals: number;
  readonly before: bigint;
  readonly after: bigint;
}

/** A transaction of a block as the node has it, in wire format, with its outcome. */
export interface LandedBytes {
  readonly base64: string;
  readonly slot: bigint;
  /** In seconds since 1970. Null when the node does not know it. */
  readonly blockTime: bigint | null;
  readonly feeLamports: bigint;
  /** The error as the RPC gives it; null when it succeeded. */
  readonly error: unknown;
  readonly logs: readonly string[];
  /** SOL of the fee payer before and after, in lamports. */
  readonly payerLamports: readonly [before: bigint, after: bigint];
  readonly tokenBalances: readonly TokenBalanceAround[];
}

/** Reads a transaction by its signature; null when the node does not have it. */
export async function readLanded(
  rpc: Rpc<GetTransactionApi>,
  signature: string,
  signal: AbortSignal,
): Promise<LandedBytes | null> {
  const read = await rpc
    .getTransaction(signature as Signature, {
      commitment: 'confirmed',
      encoding: 'base64',
      maxSupportedTransactionVersion: 0,
    })
    .send({ abortSignal: signal });
  if (read === null) return null;
  const { meta, slot, blockTime, transaction } = read;
  if (meta === null)
    throw new SluiceError('RPC_BAD_RESPONSE', {
      method: 'getTransaction',
      reason: 'it gives no outcome of the transaction',
    });
  return {
    base64: transaction[0],
    slot: BigInt(slot),
    blockTime: blockTime === null ? null : BigInt(blockTime),
    feeLamports: BigInt(meta.fee),
    error: meta.err ?? null,
    logs: meta.logMessages ?? [],
    payerLamports: [BigInt(meta.preBalances[0] ?? 0), BigInt(meta.postBalances[0] ?? 0)],
    tokenBalances: balancesAround(meta.preTokenBalances ?? [], meta.postTokenBalances ?? []),
  };
}

interface RpcTokenBalance {
  readonly accountIndex: number;
  readonly mint: Address;
  readonly owner?: Address;
  readonly uiTokenAmount: { readonly amount: string; readonly decimals: number };
}

/** An account that is only in one of the lists was opened or closed. */
function balancesAround(
  before: readonly RpcTokenBalance[],
  after: readonly RpcTokenBalance[],
): readonly TokenBalanceAround[] {
  const amounts = (list: readonly RpcTokenBalance[]) =>
    new Map(list.map(({ accountIndex, uiTokenAmount }) => [accountIndex, BigInt(uiTokenAmount.amount)]));
  const [had, has] = [amounts(before), amounts(after)];
  const accounts = new Map([...before, ...after].map((each) => [each.accountIndex, each]));
  return [...accounts.values()].map(({ accountIndex, mint, owner, uiTokenAmount }) => ({
    mint,
    owner: owner ?? null,
    decimals: uiTokenAmount.decimals,
    before: had.get(accountIndex) ?? 0n,
    after: has.get(accountIndex) ?? 0n,
  }));
}
