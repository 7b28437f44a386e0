import { userState } from '@sluice/protocol/farms/user-state';
import { viewOf } from '@sluice/protocol/layout/account';
import { readAddress } from '@sluice/protocol/layout/base58';
import { TOKEN_ACCOUNT_BYTES, TOKEN_ACCOUNT_OFFSETS } from '@sluice/protocol/token/token-account';
import type { Address } from '@solana/kit';
import { scheduler } from '../../node/cooperative-scheduler.ts';
import type { ChainAccount } from '../accounts/account-page.ts';
import type { SharesToCount } from '../accounts/scans.ts';
import { POSITION_KINDS, type PositionKind } from './position-kinds.ts';
import type { Positions } from './positions.ts';

const { owner: OWNER_AT, amount: AMOUNT_AT } = TOKEN_ACCOUNT_OFFSETS;
const STAKER_AT = userState.offsetOf('owner');
const STAKE_AT = userState.offsetOf('activeStakeScaled');
const ACCOUNTS_PER_STEP = 64;

/** Number of wallets that hold shares of a vault, in a token account or staked. Counts what `countHolders` does. */
export async function countResidentHolders(
  positions: Positions,
  { mint, tokenProgram, farm, pooled }: SharesToCount,
): Promise<number> {
  const holders = new Set<Address>();
  let seen = 0;
  for (const { address, owner, data } of positions.within('tokenAccount', mint)) {
    const pause = seen % ACCOUNTS_PER_STEP === 0 ? scheduler.pause() : null;
    if (pause !== null) await pause;
    seen += 1;
    if (owner !== tokenProgram || pooled.has(address) || data.length < TOKEN_ACCOUNT_BYTES) continue;
    const view = viewOf(data);
    if (view.getBigUint64(AMOUNT_AT, true) > 0n) holders.add(readAddress(view, OWNER_AT));
  }
  for (const { data } of farm === null ? [] : positions.within('farmUser', farm)) {
    const pause = seen % ACCOUNTS_PER_STEP === 0 ? scheduler.pause() : null;
    if (pause !== null) await pause;
    seen += 1;
    if (data.length < STAKE_AT + 16) continue;
    const view = viewOf(data);
    const isEmpty = view.getBigUint64(STAKE_AT, true) === 0n && view.getBigUint64(STAKE_AT + 8, true) === 0n;
    if (!isEmpty) holders.add(readAddress(view, STAKER_AT));
  }
  return holders.size;
}

/** Numbers of a View's positions, for metrics and `/ready`. */
export interface PositionsSummary {
  readonly kinds: readonly {
    readonly kind: PositionKind;
    readonly accounts: number;
    /** Those of them with a wrong owner, discriminator or length. */
    readonly unreadable: number;
  }[];
  readonly memoryBytes: number;
}

export function summaryOf(positions: Positions): PositionsSummary {
  const kinds = POSITION_KINDS.map((kind) => ({
    kind,
    accounts: positions.count(kind),
    unreadable: positions.unreadable(kind),
  }));
  return { kinds, memoryBytes: positions.memoryBytes };
}

/** Every obligation, unpacked in turns. */
export async function allObligations(positions: Positions, signal: AbortSignal): Promise<ChainAccount[]> {
  const found: ChainAccount[] = [];
  for (const { account } of positions.all(['obligation'])) {
    const pause = found.length % ACCOUNTS_PER_STEP === 0 ? scheduler.pause() : null;
    if (pause !== null) await pause;
    signal.throwIfAborted();
    found.push(account);
  }
  return found;
}
