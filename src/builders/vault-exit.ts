import type { Address } from '@solana/kit';
import { accrueReserve } from '../domain/interest.ts';
import { freelyAvailable } from '../domain/reserve.ts';
import { sharesToTokens, type VaultHoldings, vaultHoldings } from '../domain/vault.ts';
import { SluiceError } from '../errors/sluice-error.ts';
import { integer, type Rational, ZERO } from '../numeric/rational.ts';
import type { VaultAccounts } from './vault-accounts.ts';

/** One instruction's part of a withdrawal. */
export interface ExitPart {
  /** The reserve that it leaves; null when the vault's idle tokens are enough. */
  readonly reserve: Address | null;
  /** Base units. The last part of a whole exit takes what is left. */
  readonly shares: bigint;
}

export interface Exit {
  readonly parts: readonly ExitPart[];
  /** Whether idle tokens and what the reserves have free cover it. */
  readonly covered: boolean;
}

/** What the vault owns at a slot. */
export function holdingsAt({ vault, reserves }: VaultAccounts, slot: bigint): VaultHoldings {
  // The referral fee only divides fees among others; the supply that a vault's part is counted in does not change.
  const accrued = new Map(
    [...reserves].map(([address, account]) => [address, accrueReserve(account, slot, 0)]),
  );
  const holdings = vaultHoldings(vault, (address) => accrued.get(address));
  if (holdings === null) throw new SluiceError('INTERNAL', {});
  return holdings;
}

interface Source {
  readonly reserve: Address;
  /** Base units that can leave in one instruction. */
  readonly withdrawable: bigint;
}

/** The vault program rounds collateral up: leaving exactly what is there could ask for one unit too many. */
const ROUNDING_UNIT = 1n;

/** The reserves by what can leave them, most first; equal ones in allocation order. */
function sources({ allocations }: VaultHoldings): Source[] {
  return allocations
    .map(({ allocation, reserve, invested }) => {
      const free = reserve === null || invested === null ? ZERO : invested.min(freelyAvailable(reserve));
      const units = free.floor() - ROUNDING_UNIT;
      return { reserve: allocation.reserve, withdrawable: units > 0n ? units : 0n };
    })
    .sort((a, b) => Number(b.withdrawable > a.withdrawable) - Number(b.withdrawable < a.withdrawable));
}

/**
 * From where so many shares can be paid out. Idle tokens if they are enough; otherwise one instruction per reserve,
 * each taking what its reserve can give and the first one the idle tokens as well, until the last takes the rest. When
 * all of them together are not enough, the last is asked for too much: the program then refuses, as it should.
 */
export function planExit({ vault }: VaultAccounts, holdings: VaultHoldings, shares: bigint): Exit {
  const value = sharesToTokens(vault, holdings, integer(shares));
  const candidates = sources(holdings);
  const [largest] = candidates;
  if (largest === undefined || value.compare(holdings.idle) <= 0) {
    return { parts: [{ reserve: null, shares }], covered: value.compare(holdings.idle) <= 0 };
  }
  // A part at or below the vault's minimum would be refused by the program.
  const worthwhile = candidates.filter(({ withdrawable }) => withdrawable > vault.minWithdrawAmount);
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
