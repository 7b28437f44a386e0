import type { RawAccount } from '@sluice/protocol/layout/account';
import { bytesOf } from '@sluice/rpc-pool';
import type {
  Address,
  Base64EncodedWireTransaction,
  Commitment,
  Rpc,
  SimulateTransactionApi,
} from '@solana/kit';
import { SluiceError } from '../../errors/sluice-error.ts';
import { type MinSlotOptions, minContextSlotConfig, readAtMinSlot } from '../accounts/min-slot.ts';

/** Result of a simulation. */
export interface SimulationResult {
  readonly slot: bigint;
  /** Null when the transaction would succeed; otherwise the error as the RPC returns it. */
  readonly error: unknown;
  readonly logs: readonly string[];
  /** Null when the RPC does not report it. */
  readonly unitsConsumed: bigint | null;
  /** The watched accounts after the transaction, in order; null for one that would not exist. */
  readonly accounts: readonly ((RawAccount & { readonly lamports: bigint }) | null)[];
}

export interface SimulationOptions extends MinSlotOptions {
  readonly commitment: Commitment;
}

/** Simulates an unsigned transaction on the RPC, with a fresh blockhash. */
export async function simulate(
  rpc: Rpc<SimulateTransactionApi>,
  base64: string,
  watched: readonly Address[],
  options: SimulationOptions,
): Promise<SimulationResult> {
  const config = {
    encoding: 'base64',
    commitment: options.commitment,
    ...minContextSlotConfig(options.minSlot),
    sigVerify: false,
    replaceRecentBlockhash: true,
    accounts: { addresses: [...watched], encoding: 'base64' },
  } as const;
  const { context, value } = await readAtMinSlot(
    options,
    (answer) => answer.context.slot,
    () =>
      rpc
        .simulateTransaction(base64 as Base64EncodedWireTransaction, config)
        .send({ abortSignal: options.signal }),
  );
  if (value === null || typeof value !== 'object') {
    throw new SluiceError('RPC_BAD_RESPONSE', {
      method: 'simulateTransaction',
      reason: 'it tells no outcome',
    });
  }
  return {
    slot: context.slot,
    error: value.err,
    logs: value.logs ?? [],
    unitsConsumed: value.unitsConsumed ?? null,
    accounts: watched.map((address, i) => {
      const account = value.accounts?.[i] ?? null;
      if (account === null) return null;
      const data = bytesOf(account.data as readonly [string, string]);
      return { address, owner: account.owner, lamports: account.lamports, data };
    }),
  };
}
