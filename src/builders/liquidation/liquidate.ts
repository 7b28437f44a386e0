import { liquidateV2 } from '@sluice/protocol/klend/liquidation-instructions';
import { U64_MAX } from '@sluice/protocol/numeric/fraction';
import { lesser } from '@sluice/protocol/numeric/integer';
import { integer } from '@sluice/protocol/numeric/rational';
import { INSTRUCTIONS_SYSVAR, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import type { Moment } from '../../domain/moment.ts';
import { debtAmount } from '../../domain/obligation.ts';
import { permissionFor } from '../../domain/permission.ts';
import { refreshReserve } from '../../domain/refreshed-reserve.ts';
import type { Amount } from '../amount.ts';
import {
  type ActionOptions,
  type BuiltAction,
  type BuiltInstruction,
  instruction,
} from '../built-instruction.ts';
import type { LendingAccounts } from '../lending/accounts.ts';
import { groupReserves, lendingRefresh } from '../lending/refresh.ts';
import { lamportsWithMargin, repaidDebt } from '../lending/repay.ts';
import { obligationSetup } from '../lending/setup.ts';
import { inWords } from '../lending/terms.ts';
import { permissionAccounts } from '../permission.ts';
import { closesWrappedSol, createTokenAccount, unwrapSol, wrapSol } from '../token-instructions.ts';
import type { LiquidationAccounts } from './accounts.ts';
import type { LiquidationOutcome } from './outcome.ts';

/** Amounts of a liquidation. */
export interface LiquidationAmounts {
  /** Debt to repay, at most. */
  readonly asked: Amount;
  /** Least collateral to receive after the protocol's fee, base units of its token; 0 for no limit. */
  readonly minReceived: bigint;
}

/**
 * Repays a debt of an unhealthy obligation, or one that has ended, and receives collateral with a bonus. "All" is as much as the program allows at
 * execution; of SOL no more than is wrapped.
 *
 * @example
 * const outcome = liquidationOutcome(accounts, 'all', moment);
 * buildLiquidation(accounts, { asked: 'all', minReceived: 0n }, outcome, moment);
 */
export function buildLiquidation(
  accounts: LiquidationAccounts,
  { asked, minReceived }: LiquidationAmounts,
  outcome: LiquidationOutcome,
  moment: Moment,
  { unwrapSol: unwrap }: ActionOptions = {},
): BuiltAction {
  const { request, repay, withdraw } = accounts;
  const wrapped = repay.isSol ? lamportsToWrap(repay, asked, outcome, moment) : null;
  const closes =
    (withdraw.isSol && closesWrappedSol('in', withdraw.token, unwrap)) ||
    (repay.isSol && closesWrappedSol('out', repay.token, unwrap));
  const usesSol = repay.isSol || withdraw.isSol;
  return {
    amount: asked === 'all' ? (outcome.liquidation?.repaid ?? 0n) : asked,
    all: asked === 'all',
    wrappedSol: usesSol ? (closes ? 'closed' : 'open') : null,
    instructions: [
      ...tokenAccounts(accounts),
      ...setup(accounts),
      ...(wrapped === null ? [] : wrapSol(request.wallet, repay.token.address, wrapped)),
      ...lendingRefresh(repay),
      liquidateInstruction(accounts, asked, wrapped, minReceived),
      ...(usesSol && closes
        ? [unwrapSol(request.wallet, (repay.isSol ? repay : withdraw).token.address)]
        : []),
    ],
  };
}

/** The program repays no more than the amount, so what is wrapped always suffices. */
export function lamportsToWrap(
  repay: LendingAccounts,
  asked: Amount,
  { liquidation }: LiquidationOutcome,
  moment: Moment,
): bigint {
  if (asked !== 'all') return asked;
  const accrued = refreshReserve(repay.reserve, moment, repay.market);
  const repaid = liquidation === null ? debtAmount(repaidDebt(repay), accrued) : integer(liquidation.repaid);
  return lesser(lamportsWithMargin(accrued, repaid, moment), U64_MAX - 1n);
}

function tokenAccounts({
  request,
  repay,
  withdraw,
  collateralToken,
}: LiquidationAccounts): BuiltInstruction[] {
  const opening = { wallet: request.wallet, payer: repay.payer };
  const { collateral } = withdraw.reserve;
  const ofSide = ({ token, reserve, tokenProgram, symbol }: LendingAccounts) =>
    createTokenAccount(opening, token.address, reserve.liquidity.mintPubkey, tokenProgram, symbol);
  return [
    ...(repay.isSol && !withdraw.isSol ? [ofSide(repay)] : []),
    ofSide(withdraw),
    createTokenAccount(
      opening,
      collateralToken.address,
      collateral.mintPubkey,
      TOKEN_PROGRAM,
      `collateral tokens of the ${withdraw.symbol} reserve`,
    ),
  ];
}

/** Referrer states are those of the obligation, the same on both sides. */
function setup({ repay, withdraw }: LiquidationAccounts): BuiltInstruction[] {
  return [...obligationSetup(repay), ...obligationSetup({ ...withdraw, referrerStates: [] })];
}

/** The key that must sign besides the liquidator, by the market or by either reserve; null when none must. */
export function permissionOfLiquidation({ repay, withdraw }: LiquidationAccounts): Address | null {
  return permissionFor('LIQUIDATE', repay.market, [repay.reserve, withdraw.reserve]);
}

function liquidateInstruction(
  accounts: LiquidationAccounts,
  asked: Amount,
  wrapped: bigint | null,
  minReceived: bigint,
): BuiltInstruction {
  const { request, repay, withdraw, collateralToken } = accounts;
  const debt = asked === 'all' ? `as much ${repay.symbol} as allowed` : inWords(asked, repay);
  return instruction(
    liquidateV2,
    request.programs.klend,
    {
      liquidator: request.wallet,
      obligation: request.obligation,
      lendingMarket: repay.request.market,
      lendingMarketAuthority: repay.marketAuthority,
      repayReserve: request.repayReserve,
      repayReserveLiquidityMint: repay.reserve.liquidity.mintPubkey,
      repayReserveLiquiditySupply: repay.reserve.liquidity.supplyVault,
      withdrawReserve: request.withdrawReserve,
      withdrawReserveLiquidityMint: withdraw.reserve.liquidity.mintPubkey,
      withdrawReserveCollateralMint: withdraw.reserve.collateral.mintPubkey,
      withdrawReserveCollateralSupply: withdraw.reserve.collateral.supplyVault,
      withdrawReserveLiquiditySupply: withdraw.reserve.liquidity.supplyVault,
      withdrawReserveLiquidityFeeReceiver: withdraw.reserve.liquidity.feeVault,
      userSourceLiquidity: repay.token.address,
      userDestinationCollateral: collateralToken.address,
      userDestinationLiquidity: withdraw.token.address,
      collateralTokenProgram: TOKEN_PROGRAM,
      repayLiquidityTokenProgram: repay.tokenProgram,
      withdrawLiquidityTokenProgram: withdraw.tokenProgram,
      instructionSysvarAccount: INSTRUCTIONS_SYSVAR,
      collateralObligationFarmUserState: withdraw.farm?.user ?? null,
      collateralReserveFarmState: withdraw.farm?.farm ?? null,
      debtObligationFarmUserState: repay.farm?.user ?? null,
      debtReserveFarmState: repay.farm?.farm ?? null,
      farmsProgram: request.programs.farms,
    },
    {
      liquidityAmount: asked === 'all' ? (wrapped ?? U64_MAX) : asked,
      minAcceptableReceivedLiquidityAmount: minReceived,
      maxAllowedLtvOverridePercent: 0n,
    },
    {
      summary: `Liquidate: repay ${debt} and receive ${withdraw.symbol} collateral with the bonus`,
      remaining: [...groupReserves(repay), ...permissionAccounts(permissionOfLiquidation(accounts))],
    },
  );
}
