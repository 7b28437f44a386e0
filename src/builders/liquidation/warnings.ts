import { placePoint, toDecimalString } from '@sluice/protocol/numeric/decimal';
import { integer, Rational } from '@sluice/protocol/numeric/rational';
import { toTokens } from '../../domain/arithmetic.ts';
import { safeDate } from '../../domain/dates.ts';
import { debtEnds } from '../../domain/debt-end.ts';
import { bufferToLiquidation, healthFactor } from '../../domain/health.ts';
import type { LiquidationBlock } from '../../domain/liquidation.ts';
import { failedLiquidationChecks } from '../../domain/liquidation-block.ts';
import type { Moment } from '../../domain/moment.ts';
import { isInEmergency, RESERVE_VERSION } from '../../domain/reserve.ts';
import type { Amount } from '../amount.ts';
import type { BuiltAction } from '../built-instruction.ts';
import { type LendingAccounts, priceAtRefresh } from '../lending/accounts.ts';
import { REASON_OF_CHECK } from '../lending/warnings.ts';
import { permissionWarnings } from '../permission.ts';
import { balanceWarnings, wrappedSolWarnings } from '../wallet-warnings.ts';
import { type BuildWarning, type WarningCode, warning } from '../warnings.ts';
import type { LiquidationAccounts } from './accounts.ts';
import { lamportsToWrap, permissionOfLiquidation } from './liquidate.ts';
import type { LiquidationOutcome, LiquidationSide } from './outcome.ts';

/** Warnings for a liquidation. */
export function liquidationWarnings(
  accounts: LiquidationAccounts,
  built: BuiltAction,
  minReceived: bigint,
  outcome: LiquidationOutcome,
  moment: Moment,
): BuildWarning[] {
  const asked = built.all ? 'all' : built.amount;
  const { repay, withdraw } = accounts;
  const wrapped = (repay.isSol ? repay : withdraw).token;
  return [
    ...unavailable(accounts),
    ...permissionWarnings(permissionOfLiquidation(accounts), 'market', [
      accounts.request.wallet,
      repay.payer,
    ]),
    ...refusedPrices(accounts, moment),
    ...refusal(accounts, asked, outcome),
    ...reward(accounts, minReceived, outcome),
    ...balance(accounts, asked, outcome, moment),
    ...wrappedSolWarnings(wrapped, built.wrappedSol, 'Wrapped SOL stays in the wallet.'),
  ];
}

function unavailable({ repay, withdraw }: LiquidationAccounts): BuildWarning[] {
  if (repay.market.emergencyMode !== 0) {
    return [warning('ACTION_NOT_ALLOWED', 'The market is in emergency mode and accepts no action.')];
  }
  if ([...repay.reserves.values()].some(isInEmergency)) {
    const message =
      'A reserve of the obligation is in emergency mode, so it cannot be liquidated. Wait until that ends.';
    return [warning('ACTION_NOT_ALLOWED', message)];
  }
  if (repay.reserve.version === RESERVE_VERSION && withdraw.reserve.version === RESERVE_VERSION) return [];
  return [warning('ACTION_NOT_ALLOWED', 'The program no longer supports a reserve of the obligation.')];
}

/** A liquidation demands recent and usable prices of all reserves of the obligation. */
function refusedPrices({ repay }: LiquidationAccounts, { timestamp }: Moment): BuildWarning[] {
  return [...repay.reserves.values()].flatMap((reserve) => {
    const symbol = repay.symbolOf(reserve);
    const price = priceAtRefresh(repay, reserve, timestamp);
    if (price === null) {
      return [warning('PRICE_UNKNOWN', `The price of ${symbol} is unknown, and with it the outcome.`)];
    }
    const failed = failedLiquidationChecks(price);
    // An emergency is a reason of its own, given already.
    if (failed === null || failed.length === 0 || isInEmergency(reserve)) return [];
    const reasons = failed.map((check) => REASON_OF_CHECK[check]).join(', ');
    const message = `The program does not accept the price of ${symbol}: ${reasons}. Wait until the oracle recovers.`;
    return [warning('PRICE_REFUSED', message)];
  });
}

/** `unavailable` speaks of emergencies. */
type RefusedHere = Exclude<LiquidationBlock, 'RESERVE_EMERGENCY'>;

const CODE_OF_BLOCK = {
  RESERVE_UNKNOWN: 'ACTION_NOT_ALLOWED',
  NO_POSITION: 'NOT_LIQUIDATABLE',
  COLLATERAL_NOT_LIQUIDATABLE: 'NOT_LIQUIDATABLE',
  HEALTHY: 'NOT_LIQUIDATABLE',
  DISABLED: 'NOT_LIQUIDATABLE',
  RISKIER_DEBT: 'LIQUIDATION_ORDER',
  RISKIER_COLLATERAL: 'LIQUIDATION_ORDER',
  REPAYS_TOO_LITTLE: 'AMOUNT_BELOW_MINIMUM',
  TOO_SMALL: 'AMOUNT_BELOW_MINIMUM',
} as const satisfies Record<RefusedHere, WarningCode>;

function refusal(accounts: LiquidationAccounts, asked: Amount, outcome: LiquidationOutcome): BuildWarning[] {
  const { block, liquidation } = outcome;
  if (block !== null) {
    if (block === 'PRICE_UNKNOWN' || block === 'RESERVE_EMERGENCY') return [];
    return [warning(CODE_OF_BLOCK[block], messageOf(accounts, outcome, block))];
  }
  if (liquidation === null || asked === 'all' || asked <= liquidation.repaid) return [];
  const message = `Only ${amountIn(accounts.repay, liquidation.repaid)} of the debt can be repaid at once; no more than that is taken.`;
  return [warning('ABOVE_POSITION', message)];
}

function messageOf(
  { repay, withdraw }: LiquidationAccounts,
  outcome: LiquidationOutcome,
  block: RefusedHere,
): string {
  switch (block) {
    case 'RESERVE_UNKNOWN':
      return 'A reserve of the obligation could not be read.';
    case 'NO_POSITION':
      return `The ${repay.symbol} debt or the ${withdraw.symbol} deposit has no value.`;
    case 'COLLATERAL_NOT_LIQUIDATABLE':
      return `${withdraw.symbol} collateral has a liquidation threshold of 0 and cannot be seized. Choose another collateral.`;
    case 'HEALTHY':
      return healthyMessage(repay, outcome);
    case 'DISABLED':
      return inSentences([
        'The market has switched off liquidations for the health of an obligation.',
        endInWords(repay),
      ]);
    case 'RISKIER_DEBT':
      return 'Another debt of the obligation has a higher borrow factor and must be repaid first.';
    case 'RISKIER_COLLATERAL':
      return 'Another collateral of the obligation has a lower liquidation threshold and must be seized first.';
    case 'REPAYS_TOO_LITTLE':
      return `The debt is worth less than ${repay.market.minFullLiquidationValueThreshold} USD and must be repaid whole. Repay all of it.`;
    case 'TOO_SMALL':
      return 'The amount rounds down to zero. Raise it.';
  }
}

function healthyMessage(side: LendingAccounts, { before: { stats } }: LiquidationOutcome): string {
  return inSentences([healthInWords(stats), endInWords(side)]);
}

const inSentences = (parts: readonly (string | null)[]) => parts.filter((each) => each !== null).join(' ');

/** Null for a debt without an end. */
function endInWords({ market, reserve, obligation, request }: LendingAccounts): string | null {
  const debt = obligation?.borrows.find(({ borrowReserve }) => borrowReserve === request.reserve);
  const [end] = debt === undefined ? [] : debtEnds(market, reserve.config, debt);
  if (end === undefined) return null;
  const date = safeDate(end.at).toISOString();
  const what = end.cause === 'TERM' ? 'term of its debt' : 'maturity of the reserve';
  return end.liquidatableFrom === null
    ? `The market has switched off liquidations for the ${what}.`
    : `Whatever its health, the debt can be liquidated from ${date} on.`;
}

function healthInWords(stats: LiquidationSide['stats']): string {
  const health = stats && healthFactor(stats);
  const buffer = stats && bufferToLiquidation(stats);
  if (!stats || !health || !buffer) return 'The obligation is healthy.';
  const debt = cut(stats.userTotalBorrowBorrowFactorAdjusted, 100n);
  const limit = cut(stats.borrowLiquidationLimit, 100n);
  const percent = cut(buffer.mul(integer(100n)), 100n);
  return `The health factor is ${cut(health, 1000n)}; at 1 the obligation can be liquidated. Its collateral would have to lose ${percent} % of its value, or its weighted debt grow from ${debt} to ${limit} USD.`;
}

/** Rounded down to a fraction of one. */
const cut = (value: Rational, per: bigint) =>
  toDecimalString(Rational.of(value.mul(integer(per)).floor(), per));

const amountIn = ({ reserve, symbol }: LendingAccounts, units: bigint) =>
  `${toDecimalString(toTokens(integer(units), reserve.liquidity.mintDecimals))} ${symbol}`;

function reward(
  { withdraw }: LiquidationAccounts,
  minReceived: bigint,
  { liquidation }: LiquidationOutcome,
): BuildWarning[] {
  if (liquidation === null) return [];
  const { liquidity, fee, seized, redeemed } = liquidation;
  const left = seized - redeemed;
  const warnings: BuildWarning[] = [];
  if (redeemed > 0n && liquidity - fee < minReceived) {
    const message = `The liquidator would receive ${amountIn(withdraw, liquidity - fee)}, less than the minimum of ${amountIn(withdraw, minReceived)}. Lower the minimum, or repay more.`;
    warnings.push(warning('RECEIVED_TOO_LITTLE', message));
  }
  if (left > 0n) {
    const tokens = placePoint(left, Number(withdraw.reserve.liquidity.mintDecimals));
    const message = `The ${withdraw.symbol} reserve has too little liquidity: ${tokens} collateral tokens stay in the wallet, to be redeemed later.`;
    warnings.push(warning('COLLATERAL_NOT_REDEEMED', message));
  }
  return warnings;
}

function balance(
  { repay }: LiquidationAccounts,
  asked: Amount,
  outcome: LiquidationOutcome,
  moment: Moment,
): BuildWarning[] {
  const decimals = Number(repay.reserve.liquidity.mintDecimals);
  if (repay.isSol) {
    const needed = lamportsToWrap(repay, asked, outcome, moment);
    return balanceWarnings(repay.walletLamports ?? 0n, needed, decimals, repay.symbol);
  }
  const needed = outcome.liquidation?.repaid ?? (asked === 'all' ? 0n : asked);
  return balanceWarnings(repay.token.account?.amount ?? 0n, needed, decimals, repay.symbol);
}
