import type { Rational } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import { SluiceError } from '../../errors/sluice-error.ts';
import { type Action, once, type WalletTokenAccount, walletTokenAccount } from '../action.ts';
import { type AmountInput, toBaseUnits } from '../amount.ts';
import type { ActionOptions } from '../built-instruction.ts';
import type { KnownAccounts } from '../known-accounts.ts';
import type { LendingAccounts } from '../lending/accounts.ts';
import { referencesOf } from '../lending/action.ts';
import { expectedObligationReads, knownOracles } from '../lending/expected-reads.ts';
import { freshAfter } from '../lending/refresh.ts';
import { distinct } from '../read-accounts.ts';
import { type LiquidationAccounts, liquidationAccounts } from './accounts.ts';
import { liquidationChanges } from './changes.ts';
import { buildLiquidation } from './liquidate.ts';
import { liquidationOutcome } from './outcome.ts';
import { liquidationPreview } from './preview.ts';
import {
  firstLiquidationReads,
  type LiquidationRequest,
  liquidationReserveReads,
  secondLiquidationReads,
  sideOf,
} from './request.ts';
import { liquidationWarnings } from './warnings.ts';

/** Kinds of action in this folder, with their descriptions. */
export const LIQUIDATION_ACTIONS = {
  LIQUIDATE: 'Liquidate an unhealthy obligation, or a debt that has ended.',
} as const;

export interface LiquidateActionRequest extends ActionOptions {
  /** The liquidator. */
  readonly wallet: Address;
  /** Anyone's obligation. */
  readonly obligation: Address;
  readonly repayReserve: Address;
  readonly withdrawReserve: Address;
  /** Debt to repay; everything is as much as the program allows at once. */
  readonly amount: AmountInput;
  /** Least collateral to receive, whole tokens. */
  readonly minCollateral?: Rational;
}

/**
 * A liquidation of an unhealthy obligation, or of a debt that has ended.
 *
 * @example
 * liquidateAction(known, { wallet, obligation, repayReserve, withdrawReserve, amount: { all: true } });
 */
export function liquidateAction(known: KnownAccounts, request: LiquidateActionRequest): Action {
  const { wallet, obligation, repayReserve, withdrawReserve, amount, minCollateral } = request;
  const market = known.reserve(repayReserve)?.lendingMarket;
  const liquidation: LiquidationRequest = {
    wallet,
    obligation,
    repayReserve,
    withdrawReserve,
    programs: known.programs,
    lookupTables: market === undefined ? [] : known.tablesOfMarket(market),
    oracles: market === undefined ? [] : knownOracles(known, market),
  };
  return {
    wallet,
    named: firstLiquidationReads(liquidation),
    expected: expectedReads(known, liquidation),
    needed: (read) => secondLiquidationReads(liquidation, read),
    build(read, { slot, moment, payer, fresh }) {
      const accounts = liquidationAccounts(liquidation, read, slot, payer, fresh);
      const { repay, withdraw } = accounts;
      const asked = toBaseUnits(amount, {
        decimals: Number(repay.reserve.liquidity.mintDecimals),
        maxMeansAll: true,
      });
      const minReceived = minimumOf(minCollateral, accounts);
      const outcome = once(() => liquidationOutcome(accounts, asked, moment));
      const action = buildLiquidation(accounts, { asked, minReceived }, outcome(), moment, request);
      return {
        kind: 'LIQUIDATE',
        action,
        tables: repay.tables,
        walletTokens: [ofSide(repay), ofSide(withdraw), collateralTokenOf(accounts)],
        preview: once(() =>
          liquidationPreview(
            accounts,
            outcome(),
            liquidationWarnings(accounts, action, minReceived, outcome(), moment),
          ),
        ),
        after: once(() => liquidationChanges(accounts, action, outcome(), moment, read)),
        fresh: new Set([...freshAfter(repay)].filter((address) => address !== withdrawReserve)),
        references: referencesOf(repay),
      };
    },
  };
}

function ofSide({ token, reserve }: LendingAccounts): WalletTokenAccount {
  return walletTokenAccount(token, reserve.liquidity.mintPubkey, reserve.liquidity.mintDecimals);
}

function collateralTokenOf({ collateralToken, withdraw }: LiquidationAccounts): WalletTokenAccount {
  const { collateral, liquidity } = withdraw.reserve;
  return walletTokenAccount(collateralToken, collateral.mintPubkey, liquidity.mintDecimals);
}

/** Base units of the collateral's token; 0 for no minimum. */
function minimumOf(minimum: Rational | undefined, { withdraw }: LiquidationAccounts): bigint {
  if (minimum === undefined) return 0n;
  const decimals = Number(withdraw.reserve.liquidity.mintDecimals);
  const units = toBaseUnits({ tokens: minimum }, { decimals, maxMeansAll: false });
  if (units !== 'all') return units;
  throw new SluiceError('BUILD_REFUSED', { reason: 'the minimum of collateral must be an amount' });
}

/** Accounts that a liquidation will probably need: those that its reserves and its obligation refer to. */
function expectedReads(known: KnownAccounts, request: LiquidationRequest): Address[] {
  const [repay, withdraw] = [known.reserve(request.repayReserve), known.reserve(request.withdrawReserve)];
  if (repay === undefined || withdraw === undefined) return [];
  return distinct([
    ...liquidationReserveReads(request, { repay, withdraw }),
    ...expectedObligationReads(known, sideOf(request, repay.lendingMarket, 'repay')),
  ]);
}
