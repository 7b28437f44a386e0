import { CLOCK_SYSVAR } from '@sluice/protocol/program-ids';
import { type Clock, decodeClock } from '@sluice/protocol/sysvar/clock';
import { bytesOf } from '@sluice/rpc-pool';
import type { Address, Commitment, GetMultipleAccountsApi, Rpc } from '@solana/kit';
import { isCodedError, SluiceError } from '../../errors/sluice-error.ts';
import { type MinSlotOptions, minContextSlotConfig, readAtMinSlot } from './min-slot.ts';

/** An account at a slot. */
export interface ChainAccount {
  readonly address: Address;
  readonly owner: Address;
  readonly data: Uint8Array;
  /** Length of the whole data, of which `data` may be a slice. Absent when the RPC did not say. */
  readonly space?: number;
  readonly lamports: bigint;
  /** The slot at which the RPC read it. */
  readonly slot: bigint;
}

/** One getMultipleAccounts call. It is not atomic: the clock is read first and last, and two different clocks reveal a tear. */
export interface AccountPage {
  /** In the order of the request; null where there is no account. */
  readonly accounts: readonly (ChainAccount | null)[];
  readonly slot: bigint;
  readonly clock: Clock;
  readonly torn: boolean;
}

export interface PageOptions extends MinSlotOptions {
  readonly commitment: Commitment;
  /** Reads only so many bytes from the start of each account. At least 40, the size of the clock. Absent: all. */
  readonly headBytes?: number;
}

/** A range of bytes of an account. */
export interface Slice {
  readonly offset: number;
  readonly length: number;
}

/** An RPC accepts 100 addresses per call; two are the clock. */
export const ACCOUNTS_PER_PAGE = 98;

/** Reads up to 98 accounts in one call. */
export async function readPage(
  rpc: Rpc<GetMultipleAccountsApi>,
  addresses: readonly Address[],
  options: PageOptions,
): Promise<AccountPage> {
  return await readAtMinSlot(
    options,
    ({ slot }) => slot,
    () => readOnce(rpc, addresses, options),
  );
}

async function readOnce(
  rpc: Rpc<GetMultipleAccountsApi>,
  addresses: readonly Address[],
  { commitment, headBytes, minSlot, signal }: PageOptions,
): Promise<AccountPage> {
  const answer = await rpc
    .getMultipleAccounts([CLOCK_SYSVAR, ...addresses, CLOCK_SYSVAR], {
      encoding: 'base64',
      commitment,
      ...minContextSlotConfig(minSlot),
      ...(headBytes === undefined ? {} : { dataSlice: { offset: 0, length: headBytes } }),
    })
    .send({ abortSignal: signal });
  const slot = answer.context.slot;
  const found = answer.value.map((info, i) => accountOf(addresses[i - 1] ?? CLOCK_SYSVAR, info, slot));
  const first = clockOf(found[0]);
  const last = clockOf(found.at(-1));
  return { accounts: found.slice(1, -1), slot, clock: last, torn: first.slot !== last.slot };
}

/** The same bytes of some accounts. Without the clock, a tear cannot be detected. */
export interface SlicePage {
  /** In the order of the request; null where there is no account. */
  readonly accounts: readonly (ChainAccount | null)[];
  readonly slot: bigint;
}

/** Reads the same bytes of up to 98 accounts in one call. */
export async function readSlice(
  rpc: Rpc<GetMultipleAccountsApi>,
  addresses: readonly Address[],
  slice: Slice,
  { commitment, minSlot, signal }: Omit<PageOptions, 'headBytes'>,
): Promise<SlicePage> {
  const options = {
    encoding: 'base64',
    commitment,
    ...minContextSlotConfig(minSlot),
    dataSlice: slice,
  } as const;
  const answer = await readAtMinSlot(
    { minSlot, signal },
    ({ context }) => context.slot,
    () => rpc.getMultipleAccounts([...addresses], options).send({ abortSignal: signal }),
  );
  const { slot } = answer.context;
  return { accounts: addresses.map((address, i) => accountOf(address, answer.value[i] ?? null, slot)), slot };
}

interface AccountInfo {
  readonly owner: Address;
  readonly data: readonly [string, string];
  readonly space?: bigint;
  readonly lamports: bigint;
}

function accountOf(address: Address, info: AccountInfo | null, slot: bigint): ChainAccount | null {
  if (info === null) return null;
  const data = bytesOf(info.data);
  const space = info.space === undefined ? {} : { space: Number(info.space) };
  return { address, owner: info.owner, data, ...space, lamports: info.lamports, slot };
}

function clockOf(account: ChainAccount | null | undefined): Clock {
  try {
    if (account) return decodeClock(account);
  } catch (error) {
    if (!isCodedError(error)) throw error;
  }
  const reason = 'it gives no clock of the cluster';
  throw new SluiceError('RPC_BAD_RESPONSE', { method: 'getMultipleAccounts', reason });
}
