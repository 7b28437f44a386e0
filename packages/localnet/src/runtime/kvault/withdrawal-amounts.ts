import type { VaultGlobalConfig } from '@sluice/protocol/kvault/global-config';
import { lesser } from '@sluice/protocol/numeric/integer';
import { ensure } from '../anchor.ts';
import { collateralToLiquiditySf, exchangeRateOf, liquidityToCollateralUp } from '../klend/exchange-rate.ts';
import { addSf, ceilSf, floorSf, ONE_SF, subSf, unsigned64, wholeSf } from '../klend/fraction.ts';
import type { ReserveState } from '../klend/reserve-state.ts';
import { chargeFees } from './fees.ts';
import type { Holdings } from './holdings.ts';
import { penaltySfOf, sharesToBurn, sharesValueSf } from './share-maths.ts';
import { type AllocationBooks, aumSfOf, type VaultBooks } from './vault-books.ts';
import { VAULT_CODES } from './vault-errors.ts';

/** The reserve from which a withdrawal takes what idle tokens do not cover. */
export interface WithdrawalSource {
  readonly allocation: AllocationBooks;
  readonly reserve: ReserveState;
}

/** A vault at the start of an instruction. */
export interface BookedVault {
  readonly books: VaultBooks;
  readonly config: VaultGlobalConfig;
  readonly holdings: Holdings;
}

/** Base units. */
export interface WithdrawalAmounts {
  readonly sharesToBurn: bigint;
  /** From idle tokens. */
  readonly available: bigint;
  readonly ctokens: bigint;
  /** Payment of the reserve for the collateral tokens. */
  readonly liquidity: bigint;
  /** The part of it for the user; the rest stays in the vault. */
  readonly liquidityForUser: bigint;
}

/** Charges fees, works out what the shares are worth and books the withdrawal. */
export function bookWithdrawal(
  { books, config, holdings }: BookedVault,
  source: WithdrawalSource | null,
  shares: bigint,
  timestamp: bigint,
): WithdrawalAmounts {
  const { available: idle, investedSf, totalInvestedSf } = holdings;
  chargeFees(books, totalInvestedSf, timestamp);
  const { settings, sharesIssued: issued } = books;
  const aumSf = aumSfOf(books, totalInvestedSf);
  ensure(aumSf > 0n, VAULT_CODES.vaultAumZero);
  const gross = floorSf(sharesValueSf(aumSf, shares, issued));
  ensure(gross > 0n, VAULT_CODES.cannotWithdrawZeroLamports);
  const penalty = ceilSf(penaltySfOf(settings, config, wholeSf(gross)));
  ensure(penalty < gross, VAULT_CODES.withdrawAmountLessThanWithdrawalPenalty);
  const owed = gross - penalty;
  const available = lesser(idle, owed);
  const heldSf = source === null ? 0n : (investedSf.get(source.allocation.reserve) ?? 0n);
  const owedSf = lesser(heldSf, wholeSf(owed - available));
  const part = source === null || owedSf === 0n ? NOTHING : disinvested(source, owedSf);
  const liquidityForUser = unsigned64(floorSf(owedSf) - part.roundingLoss);
  const theoreticalSf = addSf(wholeSf(available + penalty), owedSf);
  const burned = sharesToBurn(theoreticalSf, issued, aumSf, shares);
  const left = unsigned64(part.liquidity - liquidityForUser);
  ensure(burned > 0n, VAULT_CODES.withdrawResultsInZeroShares);
  ensure(available + floorSf(owedSf) > settings.minWithdrawAmount, VAULT_CODES.withdrawAmountBelowMinimum);
  books.tokenAvailable = unsigned64(unsigned64(books.tokenAvailable - available) + left);
  books.sharesIssued = unsigned64(issued - burned);
  if (source !== null) source.allocation.ctokens = unsigned64(source.allocation.ctokens - part.ctokens);
  books.prevAumSf = subSf(aumSf, subSf(theoreticalSf, wholeSf(penalty)));
  return {
    sharesToBurn: burned,
    available,
    ctokens: part.ctokens,
    liquidity: part.liquidity,
    liquidityForUser,
  };
}

const NOTHING = { ctokens: 0n, liquidity: 0n, roundingLoss: 0n };

/** @param owedSf the user's claim on the reserve, scaled by 2^60 */
function disinvested({ allocation, reserve }: WithdrawalSource, owedSf: bigint): typeof NOTHING {
  const rate = exchangeRateOf(reserve);
  const ctokens = lesser(liquidityToCollateralUp(rate, floorSf(owedSf)), allocation.ctokens);
  const worthSf = collateralToLiquiditySf(rate, ctokens);
  // The reserve pays whole units; the vault must not pay the user for the fraction that it loses.
  const roundingLoss = worthSf % ONE_SF > owedSf % ONE_SF ? 1n : 0n;
  return { ctokens, liquidity: floorSf(worthSf), roundingLoss };
}
