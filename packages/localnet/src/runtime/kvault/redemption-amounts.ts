import { lesser } from '@sluice/protocol/numeric/integer';
import { ensure } from '../anchor.ts';
import {
  collateralToLiquiditySfUp,
  exchangeRateOf,
  liquidityToCollateralSf,
} from '../klend/exchange-rate.ts';
import { addSf, floorSf, subSf, unsigned64 } from '../klend/fraction.ts';
import { chargeFees } from './fees.ts';
import { penaltySfOf, penaltySfOnTop, sharesToBurn, sharesValueSf } from './share-maths.ts';
import { aumSfOf } from './vault-books.ts';
import { VAULT_CODES } from './vault-errors.ts';
import type { BookedVault, WithdrawalSource } from './withdrawal-amounts.ts';

export interface RedemptionAmounts {
  readonly sharesToBurn: bigint;
  /** Collateral tokens for the user, base units. */
  readonly ctokens: bigint;
  /** Their value, scaled by 2^60. */
  readonly valueSf: bigint;
  readonly aumBeforeSf: bigint;
}

/** Charges fees, works out the collateral tokens for the shares and books them. */
export function bookRedemption(
  { books, config, holdings: { totalInvestedSf } }: BookedVault,
  { allocation, reserve }: WithdrawalSource,
  shares: bigint,
  timestamp: bigint,
): RedemptionAmounts {
  chargeFees(books, totalInvestedSf, timestamp);
  const { settings, sharesIssued: issued } = books;
  const aumSf = aumSfOf(books, totalInvestedSf);
  ensure(aumSf > 0n, VAULT_CODES.vaultAumZero);
  const grossSf = sharesValueSf(aumSf, shares, issued);
  ensure(grossSf > 0n, VAULT_CODES.cannotWithdrawZeroLamports);
  const penaltySf = penaltySfOf(settings, config, grossSf);
  ensure(penaltySf < grossSf, VAULT_CODES.withdrawAmountLessThanWithdrawalPenalty);
  const rate = exchangeRateOf(reserve);
  const wanted = floorSf(liquidityToCollateralSf(rate, subSf(grossSf, penaltySf)));
  const ctokens = lesser(wanted, allocation.ctokens);
  ensure(ctokens > 0n, VAULT_CODES.withdrawResultsInZeroShares);
  // The penalty of what is paid out: fewer collateral tokens than wanted cost less.
  const valueSf = collateralToLiquiditySfUp(rate, ctokens);
  const theoreticalSf = addSf(valueSf, penaltySfOnTop(settings, config, valueSf));
  const burned = sharesToBurn(theoreticalSf, issued, aumSf, shares);
  ensure(burned > 0n, VAULT_CODES.withdrawResultsInZeroShares);
  ensure(floorSf(valueSf) > settings.minWithdrawAmount, VAULT_CODES.withdrawAmountBelowMinimum);
  books.sharesIssued = unsigned64(issued - burned);
  allocation.ctokens = unsigned64(allocation.ctokens - ctokens);
  books.prevAumSf = subSf(aumSf, valueSf);
  return { sharesToBurn: burned, ctokens, valueSf, aumBeforeSf: aumSf };
}
