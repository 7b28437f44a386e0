import type { Address, Commitment, GetMultipleAccountsApi, Rpc } from '@solana/kit';
import { isSluiceError, SluiceError } from '../errors/sluice-error.ts';
import { CLOCK_SYSVAR } from '../programs/program-ids.ts';
import { type Clock, decodeClock } from '../programs/sysvar/clock.ts';
import { contextNotBefore, type NotBefore, notBefore } from './not-before.ts';
import { bytesOf } from './rpc/account-json.ts';

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

export interface PageOptions extends NotBefore {
  readonly commitment: Commitment;
  /** Reads only so many bytes from the start of each account. At least 40, the size of the clock. Absent: all. */
  readonly headBytes?: number;
}

/** An RPC accepts 100 addresses per call; two are the clock. */
export const ACCOUNTS_PER_PAGE = 98;

/** Reads up to 98 accounts in one call. */
export async function readPage(
  rpc: Rpc<GetMultipleAccountsApi>,
  addresses: readonly Address[],
  options: PageOptions,
): Promise<AccountPage> {
  return await notBefore(
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
      ...contextNotBefore(minSlot),
      ...(headBytes === undefined ? {} : { dataSlice: { offset: 0, length: headBytes } }),
    })
    .send({ abortSignal: signal });
  const slot = answer.context.slot;
  const found = answer.value.map((info, i): ChainAccount | null => {
    if (info === null) return null;
    const address = addresses[i - 1] ?? CLOCK_SYSVAR;
    const data = bytesOf(info.data);
    const space = info.space === undefined ? {} : { space: Number(info.space) };
    return { address, owner: info.owner, data, ...space, lamports: info.lamports, slot };
  });
  const first = clockOf(found[0]);
  const last = clockOf(found.at(-1));
  return { accounts: found.slice(1, -1), slot, clock: last, torn: first.slot !== last.slot };
}

function clockOf(account: ChainAccount | null | undefined): Clock {
  try {
    if (account) return decodeClock(account);
  } catch (error) {
    if (!isSluiceError(error)) throw error;
  }
  const reason = 'it gives no clock of the cluster';
  throw new SluiceError('RPC_BAD_RESPONSE', { method: 'getMultipleAccounts', reason });
}
