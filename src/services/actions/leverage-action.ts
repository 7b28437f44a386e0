import type { Address } from '@solana/kit';
import { type Action, type ActionKind, once } from '../../builders/action.ts';
import type { ActionOptions } from '../../builders/built-instruction.ts';
import type { ObligationChoice } from '../../builders/lending/obligation-choice.ts';
import { priceFeedOf } from '../../builders/lending/request.ts';
import { type LeverageAccounts, leverageAccounts } from '../../builders/leverage/accounts.ts';
import type { LeverageBuild } from '../../builders/leverage/build.ts';
import { leveragePreview } from '../../builders/leverage/preview.ts';
import {
  type CollateralAction,
  firstLeverageReads,
  type LeverageRequest,
  lendingPart,
  secondLeverageReads,
} from '../../builders/leverage/request.ts';
import { checkSwapForm, type SwapLeg } from '../../builders/leverage/swap-leg.ts';
import { distinct, type ReadAccounts } from '../../builders/read-accounts.ts';
import { SluiceError } from '../../errors/sluice-error.ts';
import { expectedLendingReads } from '../expected-reads.ts';
import type { Session } from '../records.ts';
import { marketTables } from './lookup-tables.ts';
import { walletTokenAccount } from './wallet-token.ts';

/** What all actions around a flash loan are asked with. */
export interface LeverageActionRequest extends ActionOptions {
  readonly wallet: Address;
  readonly market: Address;
  readonly collateralReserve: Address;
  readonly debtReserve: Address;
  readonly swap: SwapLeg;
}

const MULTIPLY_TAG = 1;

/** The wallet's Multiply obligation with id 0 for the two tokens. */
export function multiplyObligation(
  session: Session,
  { collateralReserve, debtReserve }: LeverageActionRequest,
): ObligationChoice {
  const [seed1, seed2] = [mintOf(session, collateralReserve), mintOf(session, debtReserve)];
  return { key: { tag: MULTIPLY_TAG, id: 0, seed1, seed2 } };
}

/** The mint never changes, so the View's copy is as good as a fresh one. */
function mintOf({ view }: Session, reserve: Address): Address {
  const found = view.get('reserve', reserve);
  if (found === undefined) throw new SluiceError('KLEND_RESERVE_NOT_FOUND', { reserve });
  return found.value.liquidity.mintPubkey;
}

interface Leverage {
  readonly kind: ActionKind;
  readonly collateralAction: CollateralAction;
  readonly build: (accounts: LeverageAccounts, read: ReadAccounts) => LeverageBuild;
}

/** An action around a flash loan of the debt token. */
export function leverageAction(
  session: Session,
  asked: LeverageActionRequest,
  obligation: ObligationChoice,
  { kind, collateralAction, build }: Leverage,
): Action {
  const { view, programs } = session;
  const { wallet, market, collateralReserve, debtReserve, swap } = asked;
  checkSwapForm(swap, programs);
  const request: LeverageRequest = {
    programs,
    wallet,
    market,
    obligation,
    collateralReserve,
    debtReserve,
    swap,
    lookupTables: marketTables(session, market),
    oracles: distinct(view.reservesOfMarket(market).map(({ value }) => priceFeedOf(value))),
    isShareMint: (mint) => view.vaultOfShares(mint) !== undefined,
  };
  return {
    kind,
    wallet,
    named: firstLeverageReads(request, collateralAction),
    expected: expectedLendingReads(session, lendingPart(request, collateralAction)),
    needed: (read) => secondLeverageReads(request, collateralAction, read),
    build(read, at) {
      const accounts = leverageAccounts(request, collateralAction, read, at);
      const built = build(accounts, read);
      const { sequence, amount, all, wrappedSol } = built;
      return {
        kind,
        action: { instructions: sequence.instructions, amount, all, wrappedSol },
        tables: accounts.tables,
        walletTokens: [accounts.collateral, accounts.debt].map(({ token, mint, decimals }) =>
          walletTokenAccount(token, mint, BigInt(decimals)),
        ),
        preview: once(() => leveragePreview(built, read)),
        after: () => sequence.changes,
        fresh: sequence.fresh,
      };
    },
  };
}

export const leverageOptions = ({ unwrapSol }: ActionOptions): ActionOptions =>
  unwrapSol === undefined ? {} : { unwrapSol };

/** For GraphQL and REST. */
export {
  MAX_SWAP_ACCOUNTS,
  MAX_SWAP_INSTRUCTIONS,
  MAX_SWAP_SIGNERS,
  type SwapLeg,
} from '../../builders/leverage/swap-leg.ts';
