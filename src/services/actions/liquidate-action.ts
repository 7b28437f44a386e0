import type { Address } from '@solana/kit';
import { type Action, once, type WalletTokenAccount } from '../../builders/action.ts';
import { type AmountInput, toBaseUnits } from '../../builders/amount.ts';
import type { ActionOptions } from '../../builders/built-instruction.ts';
import type { LendingAccounts } from '../../builders/lending/accounts.ts';
import { freshAfter } from '../../builders/lending/refresh.ts';
import { priceFeedOf } from '../../builders/lending/request.ts';
import { type LiquidationAccounts, liquidationAccounts } from '../../builders/liquidation/accounts.ts';
import { liquidationChanges } from '../../builders/liquidation/changes.ts';
import { buildLiquidation } from '../../builders/liquidation/liquidate.ts';
import { liquidationOutcome } from '../../builders/liquidation/outcome.ts';
import { liquidationPreview } from '../../builders/liquidation/preview.ts';
import {
  firstLiquidationReads,
  type LiquidationRequest,
  liquidationReserveReads,
  secondLiquidationReads,
  sideOf,
} from '../../builders/liquidation/request.ts';
import { liquidationWarnings } from '../../builders/liquidation/warnings.ts';
import { distinct } from '../../builders/read-accounts.ts';
import { SluiceError } from '../../errors/sluice-error.ts';
import type { Rational } from '../../numeric/rational.ts';
import { expectedObligationReads, rememberLendingReads } from '../expected-reads.ts';
import type { Session } from '../records.ts';
import { marketTables } from './lookup-tables.ts';
import { walletTokenAccount } from './wallet-token.ts';

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

/** A liquidation of an unhealthy obligation. */
export function liquidateAction(session: Session, request: LiquidateActionRequest): Action {
  const { amount, minCollateral, unwrapSol, ...what } = request;
  const market = session.view.get('reserve', what.repayReserve)?.value.lendingMarket;
  const liquidation: LiquidationRequest = {
    ...what,
    programs: session.programs,
    lookupTables: market === undefined ? [] : marketTables(session, market),
    oracles:
      market === undefined
        ? []
        : distinct(session.view.reservesOfMarket(market).map(({ value }) => priceFeedOf(value))),
  };
  return {
    kind: 'LIQUIDATE',
    wallet: what.wallet,
    named: firstLiquidationReads(liquidation),
    expected: expectedReads(session, liquidation),
    needed: (read) => secondLiquidationReads(liquidation, read),
    build(read, { slot, moment, payer, fresh }) {
      const accounts = liquidationAccounts(liquidation, read, slot, payer, fresh);
      rememberLendingReads(accounts.repay);
      const { repay, withdraw } = accounts;
      const asked = toBaseUnits(amount, {
        decimals: Number(repay.reserve.liquidity.mintDecimals),
        maxMeansAll: true,
      });
      const minReceived = minimumOf(minCollateral, accounts);
      const outcome = once(() => liquidationOutcome(accounts, asked, moment));
      const options = unwrapSol === undefined ? {} : { unwrapSol };
      const action = buildLiquidation(accounts, asked, minReceived, outcome(), moment.slot, options);
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
        fresh: new Set([...freshAfter(repay)].filter((address) => address !== what.withdrawReserve)),
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

/** Accounts that a liquidation will probably need, from the View and from the obligation's previous build. */
function expectedReads(session: Session, request: LiquidationRequest): Address[] {
  const [repay, withdraw] = [request.repayReserve, request.withdrawReserve].map(
    (address) => session.view.get('reserve', address)?.value,
  );
  if (repay === undefined || withdraw === undefined) return [];
  return distinct([
    ...liquidationReserveReads(request, { repay, withdraw }),
    ...expectedObligationReads(session, sideOf(request, repay.lendingMarket, 'repay')),
  ]);
}
