import type { Obligation } from '@sluice/protocol/klend/obligation';
import type { Rational } from '@sluice/protocol/numeric/rational';
import { presentAddress } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import type { View } from '../chain/view/view.ts';
import { usedAllocations } from '../domain/vault.ts';
import type { VaultRecord } from '../services/request/records.ts';
import { Valuation } from '../services/tokens/valuation.ts';
import type { ChangeReason } from './update.ts';

/** The reserves and tokens that a value is computed from. */
export interface Dependencies {
  readonly reserves: ReadonlySet<Address>;
  /** Tokens valued at the best known price. */
  readonly mints: ReadonlySet<Address>;
}

export function vaultDependencies({ value }: VaultRecord): Dependencies {
  return {
    reserves: new Set(usedAllocations(value).map(({ reserve }) => reserve)),
    mints: new Set([value.tokenMint]),
  };
}

export function obligationDependencies({ deposits, borrows }: Obligation): Dependencies {
  const reserves = [
    ...deposits.map(({ depositReserve }) => depositReserve),
    ...borrows.map(({ borrowReserve }) => borrowReserve),
  ];
  return { reserves: new Set(reserves.filter((each) => presentAddress(each) !== null)), mints: new Set() };
}

export function mergeDependencies(parts: readonly Dependencies[]): Dependencies {
  return {
    reserves: new Set(parts.flatMap(({ reserves }) => [...reserves])),
    mints: new Set(parts.flatMap(({ mints }) => [...mints])),
  };
}

/** Why the value of an unmodified account differs between two Views; null when it does not. */
export function valueChange(
  before: View,
  after: View,
  { reserves, mints }: Dependencies,
): ChangeReason | null {
  if (before === after) return null;
  const [then, now] = [Valuation.of(before), Valuation.of(after)];
  const addresses = [...reserves];
  const hasPriceChanged =
    addresses.some((each) => !isSame(then.priced(each)?.priceUsd, now.priced(each)?.priceUsd)) ||
    [...mints].some((mint) => !isSame(then.tokenPrice(mint)?.usd, now.tokenPrice(mint)?.usd));
  if (hasPriceChanged) return 'PRICE';
  if (addresses.some((each) => hasReserveChanged(then, now, each))) return 'ACCRUAL';
  // Values are also reported in SOL.
  return isSame(then.solPriceUsd, now.solPriceUsd) ? null : 'PRICE';
}

function hasReserveChanged(then: Valuation, now: Valuation, address: Address): boolean {
  const [a, b] = [then.priced(address)?.accrued, now.priced(address)?.accrued];
  if (a === undefined || b === undefined) return a !== b;
  return !(
    isSame(a.totalSupply, b.totalSupply) &&
    a.available === b.available &&
    isSame(a.cumulativeBorrowRate, b.cumulativeBorrowRate)
  );
}

function isSame(a: Rational | null | undefined, b: Rational | null | undefined): boolean {
  if (a === null || a === undefined || b === null || b === undefined) return (a ?? null) === (b ?? null);
  return a.equals(b);
}
