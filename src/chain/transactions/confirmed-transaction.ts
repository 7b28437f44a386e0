import { base58ToBytes } from '@sluice/protocol/layout/base58-text';
import type {
  ConfirmedInstruction,
  ConfirmedTransaction,
  TokenBalance,
} from '@sluice/protocol/transactions/confirmed-transaction';
import type { Address } from '@solana/kit';
import { SluiceError } from '../../errors/sluice-error.ts';

/** The parts of a getTransaction result (encoding `json`) that we use. Old nodes omit some of them. */
interface RpcTransaction {
  readonly slot: bigint | number;
  readonly blockTime: bigint | number | null;
  readonly meta: RpcMeta | null;
  readonly transaction: {
    readonly message: {
      readonly accountKeys: readonly Address[];
      readonly instructions: readonly RpcInstruction[];
    };
  };
}

interface RpcMeta {
  readonly err: unknown;
  readonly loadedAddresses?: { readonly writable: readonly Address[]; readonly readonly: readonly Address[] };
  readonly innerInstructions?:
    | readonly { readonly index: number; readonly instructions: readonly RpcInstruction[] }[]
    | null;
  readonly preBalances: readonly (bigint | number)[];
  readonly postBalances: readonly (bigint | number)[];
  readonly preTokenBalances?: readonly RpcTokenBalance[] | null;
  readonly postTokenBalances?: readonly RpcTokenBalance[] | null;
}

interface RpcInstruction {
  readonly programIdIndex: number;
  readonly accounts: readonly number[];
  readonly data: string;
  readonly stackHeight?: bigint | number | null;
}

interface RpcTokenBalance {
  readonly accountIndex: number;
  readonly mint: Address;
  readonly owner?: Address;
  readonly uiTokenAmount: { readonly amount: string };
}

/** The transaction in our own form, or the part that the node omitted. @throws RPC_BAD_RESPONSE */
export function confirmedTransaction(
  signature: string,
  { slot, blockTime, meta, transaction: { message } }: RpcTransaction,
): ConfirmedTransaction | 'noOutcome' | 'noTime' {
  if (meta === null || meta === undefined) return 'noOutcome';
  if (blockTime === null || blockTime === undefined) return 'noTime';
  const { writable = [], readonly = [] } = meta.loadedAddresses ?? {};
  const accountKeys = [...message.accountKeys, ...writable, ...readonly];
  const at = (index: number): Address => accountKeys[index] ?? refuse(`it names no account ${index}`);
  const instruction = (given: RpcInstruction, height: number | null): ConfirmedInstruction => ({
    programAddress: at(given.programIdIndex),
    accounts: given.accounts.map(at),
    data: base58ToBytes(given.data) ?? refuse('the data of an instruction is not base58'),
    stackHeight: height,
  });
  const heightOf = ({ stackHeight }: RpcInstruction) =>
    stackHeight === null || stackHeight === undefined ? null : Number(stackHeight);
  return {
    signature,
    slot: BigInt(slot),
    blockTime: Number(blockTime),
    failed: meta.err !== null && meta.err !== undefined,
    accountKeys,
    instructions: message.instructions.map((given) => instruction(given, 1)),
    innerInstructions: (meta.innerInstructions ?? []).map(({ index, instructions }) => ({
      index,
      instructions: instructions.map((given) => instruction(given, heightOf(given))),
    })),
    preTokenBalances: (meta.preTokenBalances ?? []).map(tokenBalance),
    postTokenBalances: (meta.postTokenBalances ?? []).map(tokenBalance),
    preLamports: meta.preBalances.map(BigInt),
    postLamports: meta.postBalances.map(BigInt),
  };
}

function tokenBalance({ accountIndex, mint, owner, uiTokenAmount }: RpcTokenBalance): TokenBalance {
  const { amount } = uiTokenAmount;
  if (!/^\d+$/.test(amount)) refuse('a token balance is no whole number');
  return { accountIndex, mint, owner: owner ?? null, amount: BigInt(amount) };
}

function refuse(reason: string): never {
  throw new SluiceError('RPC_BAD_RESPONSE', { method: 'getTransaction', reason });
}
