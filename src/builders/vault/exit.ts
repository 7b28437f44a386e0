import { atLeastZero } from '@sluice/protocol/numeric/integer';
import { integer, type Rational, ZERO } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import type { AccruedReserve } from '../../domain/accrued-reserve.ts';
import { NO_TERMS } from '../../domain/interest.ts';
import type { Instant } from '../../domain/moment.ts';
import { refreshReserve } from '../../domain/refreshed-reserve.ts';
import { redeemableNow } from '../../domain/reserve.ts';
import { sharesToTokens, type VaultHoldings, vaultHoldings } from '../../domain/vault.ts';
import { SluiceError } from '../../errors/sluice-error.ts';
import type { VaultAccounts } from './accounts.ts';

/** The part of a withdrawal made by one instruction. */
export interface ExitPart {
  /** The reserve to withdraw from; null when the vault's idle tokens suffice. */
  readonly reserve: Address | null;
  /** Base units. */
  readonly shares: bigint;
}

export interface Exit {
  readonly parts: readonly ExitPart[];
  /** Whether idle tokens and available liquidity cover the withdrawal. */
  readonly covered: boolean;
}

/** The vault's reserves after the refresh with which every action starts. */
export function refreshedReserves(
  { reserves, markets }: Pick<VaultAccounts, 'reserves' | 'markets'>,
  at: Instant,
): ReadonlyMap<Address, AccruedReserve> {
  return new Map(
    [...reserves].map(([address, account]) => [
      address,
      refreshReserve(account, at, markets.get(account.lendingMarket) ?? NO_TERMS),
    ]),
  );
}

/** The vault's holdings at an instant. */
export function holdingsAt(
  accounts: Pick<VaultAccounts, 'vault' | 'reserves' | 'markets'>,
  at: Instant,
): VaultHoldings {
  const { vault } = accounts;
  const accrued = refreshedReserves(accounts, at);
  const holdings = vaultHoldings(vault, (address) => accrued.get(address));
  if (holdings === null) throw new SluiceError('INTERNAL', {});
  return holdings;
}

interface Source {
  readonly reserve: Address;
  /** Base units that can leave in one instruction. */
  readonly withdrawable: bigint;
}

/** The vault program rounds collateral up: withdrawing exactly the available liquidity could exceed it by one unit. */
const ROUNDING_UNIT = 1n;

/** The reserves by withdrawable amount, largest first; ties in allocation order. */
function sources({ allocations }: VaultHoldings): Source[] {
  return allocations
    .map(({ allocation, reserve, invested }) => {
      const free = reserve === null || invested === null ? ZERO : invested.min(redeemableNow(reserve));
      return { reserve: allocation.reserve, withdrawable: atLeastZero(free.floor() - ROUNDING_UNIT) };
    })
    .sort((a, b) => Number(b.withdrawable > a.withdrawable) - Number(b.withdrawable < a.withdrawable));
}

/** Reserves from which a withdrawal pays more than the vault's minimum: the program rejects a part at or below it. */
const worthwhileSources = ({ vault }: Pick<VaultAccounts, 'vault'>, holdings: VaultHoldings): Source[] =>
  sources(holdings).filter(({ withdrawable }) => withdrawable > vault.minWithdrawAmount);

/** Base units that a withdrawal can pay now. */
export function payableNow(accounts: VaultAccounts, holdings: VaultHoldings): Rational {
  const fromReserves = worthwhileSources(accounts, holdings).reduce(
    (sum, each) => sum + each.withdrawable,
    0n,
  );
  return holdings.idle.add(integer(fromReserves));
}

/**
 * Splits a withdrawal of shares over the vault's sources. Idle tokens if they suffice; otherwise one instruction per
 * reserve, each taking the maximum of its reserve, the first one also the idle tokens, the last one the rest. If all
 * sources together do not suffice, the last part exceeds its reserve and the program rejects it.
 */
export function planExit(accounts: VaultAccounts, holdings: VaultHoldings, shares: bigint): Exit {
  const { vault } = accounts;
  const value = sharesToTokens(vault, holdings, integer(shares));
  const [largest] = sources(holdings);
  if (largest === undefined || value.compare(holdings.idle) <= 0) {
    return { parts: [{ reserve: null, shares }], covered: value.compare(holdings.idle) <= 0 };
  }
  const worthwhile = worthwhileSources(accounts, holdings);
  const perToken = (tokens: Rational) => tokens.mul(integer(shares)).div(value).floor();
  const parts: ExitPart[] = [];
  let idle = holdings.idle;
  let missing = value.sub(idle);
  let left = shares;
  for (const [index, { reserve, withdrawable }] of worthwhile.entries()) {
    const enough = missing.compare(integer(withdrawable)) <= 0;
    if (enough || index === worthwhile.length - 1) {
      return { parts: [...parts, { reserve, shares: left }], covered: enough };
    }
    const part = perToken(integer(withdrawable).add(idle));
    if (part === 0n) continue;
    parts.push({ reserve, shares: part });
    left -= part;
    missing = missing.sub(integer(withdrawable));
    idle = ZERO;
  }
  return { parts: [{ reserve: largest.reserve, shares }], covered: false };
}
