import { lesser } from '../../../numeric/integer.ts';
import type { Reserve } from '../../../programs/klend/reserve.ts';
import type { VaultGlobalConfig } from '../../../programs/kvault/global-config.ts';
import { ensure } from '../anchor.ts';
import { ceilingScaled, floorScaled, fraction, fractionalPart, minus, scaled, u64 } from './checked-maths.ts';
import { collateralToRedeem, exchangeRateOf, liquiditySfOf } from './exchange-rate.ts';
import { chargeFees } from './fees.ts';
import type { Holdings } from './holdings.ts';
import { penaltySfOf, sharesToBurn, sharesValueSf } from './share-maths.ts';
import { type AllocationBooks, aumSfOf, type VaultBooks } from './vault-books.ts';
import { VAULT_CODES } from './vault-errors.ts';

/** The reserve from which a withdrawal takes what idle tokens do not cover. */
export interface WithdrawalSource {
  readonly allocation: AllocationBooks;
  readonly reserve: Reserve;
}

/** Base units. */
export interface WithdrawalAmounts {
  readonly sharesToBurn: bigint;
  /** From idle tokens. */
  readonly available: bigint;
  readonly ctokens: bigint;
  /** What the reserve pays for the collateral tokens. */
  readonly liquidity: bigint;
  /** The part of it for the user; the rest stays in the vault. */
  readonly liquidityForUser: bigint;
}

/** Charges fees, works out what the shares are worth and books the withdrawal. */
export function bookWithdrawal(
  books: VaultBooks,
  config: VaultGlobalConfig,
  { available: idle, investedSf, totalInvestedSf }: Holdings,
  source: WithdrawalSource | null,
  shares: bigint,
  timestamp: bigint,
): WithdrawalAmounts {
  chargeFees(books, totalInvestedSf, timestamp);
  const { settings, sharesIssued: issued } = books;
  const aumSf = aumSfOf(books, totalInvestedSf);
  ensure(aumSf > 0n, VAULT_CODES.vaultAumZero);
  const gross = floorScaled(sharesValueSf(aumSf, shares, issued));
  ensure(gross > 0n, VAULT_CODES.cannotWithdrawZeroLamports);
  const penalty = ceilingScaled(penaltySfOf(settings, config, scaled(gross)));
  ensure(penalty < gross, VAULT_CODES.withdrawAmountLessThanWithdrawalPenalty);
  const owed = gross - penalty;
  const available = lesser(idle, owed);
  const heldSf = source === null ? 0n : (investedSf.get(source.allocation.reserve) ?? 0n);
  const owedSf = lesser(heldSf, scaled(owed - available));
  const part = source === null || owedSf === 0n ? NOTHING : disinvested(source, owedSf);
  const liquidityForUser = minus(floorScaled(owedSf), part.roundingLoss);
  const theoreticalSf = fraction(scaled(available + penalty) + owedSf);
  const burned = sharesToBurn(theoreticalSf, issued, aumSf, shares);
  const left = minus(part.liquidity, liquidityForUser);
  ensure(burned > 0n, VAULT_CODES.withdrawResultsInZeroShares);
  ensure(
    available + floorScaled(owedSf) > settings.minWithdrawAmount,
    VAULT_CODES.withdrawAmountBelowMinimum,
  );
  books.tokenAvailable = u64(minus(books.tokenAvailable, available) + left);
  books.sharesIssued = minus(issued, burned);
  if (source !== null) source.allocation.ctokens = minus(source.allocation.ctokens, part.ctokens);
  books.prevAumSf = minus(aumSf, minus(theoreticalSf, scaled(penalty)));
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
  const ctokens = lesser(collateralToRedeem(rate, floorScaled(owedSf)), allocation.ctokens);
  const worthSf = liquiditySfOf(rate, ctokens);
  // The reserve pays whole units; the vault must not pay the user for the fraction that it loses.
  const roundingLoss = fractionalPart(worthSf) > fractionalPart(owedSf) ? 1n : 0n;
  return { ctokens, liquidity: floorScaled(worthSf), roundingLoss };
}
