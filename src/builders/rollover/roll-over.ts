import { rolloverFixedTermBorrow } from '@sluice/protocol/klend/obligation-instructions';
import type { Address } from '@solana/kit';
import { type Action, type BuiltStep, once } from '../action.ts';
import { type BuiltAction, instruction } from '../built-instruction.ts';
import type { KnownAccounts } from '../known-accounts.ts';
import { referencesOf } from '../lending/action.ts';
import { expectedObligationReads, knownOracles } from '../lending/expected-reads.ts';
import { freshAfter, lendingRefresh } from '../lending/refresh.ts';
import { reserveReads } from '../lending/request.ts';
import { obligationSetup } from '../lending/setup.ts';
import { distinct } from '../read-accounts.ts';
import { isSameReserve, type RollOverAccounts, rollOverAccounts } from './roll-over-accounts.ts';
import { rollOverChanges } from './roll-over-changes.ts';
import { type RollOverOutcome, rollOverOutcome } from './roll-over-outcome.ts';
import { rollOverPreview } from './roll-over-preview.ts';
import {
  firstRollOverReads,
  type RollOverRequest,
  secondRollOverReads,
  sideOf,
} from './roll-over-request.ts';

export interface RollOverBorrowRequest {
  /** Whoever sends it. */
  readonly wallet: Address;
  /** Anyone's obligation. */
  readonly obligation: Address;
  /** Reserve of the debt. */
  readonly reserve: Address;
  /** Reserve of the same token that the debt moves to; the same one starts its term anew. */
  readonly targetReserve: Address;
}

/**
 * A rollover of a debt, on the terms that its owner has set. Anyone may send it.
 *
 * @throws BUILD_REFUSED when the reserves are of different tokens
 * @example
 * rollOverAction(known, { wallet, obligation, reserve, targetReserve: reserve });
 */
export function rollOverAction(known: KnownAccounts, given: RollOverBorrowRequest): Action {
  const market = known.reserve(given.reserve)?.lendingMarket;
  const request: RollOverRequest = {
    ...given,
    programs: known.programs,
    lookupTables: market === undefined ? [] : known.tablesOfMarket(market),
    oracles: market === undefined ? [] : knownOracles(known, market),
  };
  return {
    wallet: given.wallet,
    named: firstRollOverReads(request),
    expected: expectedReads(known, request, market),
    needed: (read) => secondRollOverReads(request, read),
    build(read, at): BuiltStep {
      const accounts = rollOverAccounts(request, read, at);
      const outcome = once(() => rollOverOutcome(accounts, at.moment));
      const { target } = accounts;
      return {
        kind: 'ROLL_OVER_BORROW',
        action: builtRollOver(accounts, outcome()),
        tables: target.tables,
        walletTokens: [],
        preview: once(() => rollOverPreview(accounts, outcome(), at.moment)),
        after: once(() => rollOverChanges(accounts, outcome(), at.moment, read)),
        fresh: freshReserves(accounts),
        references: referencesOf(target),
      };
    },
  };
}

/** Accounts that a rollover will probably need: those that its reserves and its obligation refer to. */
function expectedReads(
  known: KnownAccounts,
  request: RollOverRequest,
  market: Address | undefined,
): Address[] {
  const [source, target] = [known.reserve(request.reserve), known.reserve(request.targetReserve)];
  if (source === undefined || target === undefined || market === undefined) return [];
  const [repay, borrow] = [sideOf(request, market, 'repay'), sideOf(request, market, 'borrow')];
  return distinct([
    market,
    ...reserveReads(repay, source),
    ...reserveReads(borrow, target),
    ...expectedObligationReads(known, borrow),
  ]);
}

/** Within one reserve, a rollover leaves the reserve as the refresh did. */
function freshReserves(accounts: RollOverAccounts): ReadonlySet<Address> {
  const { request, target } = accounts;
  const fresh = new Set(freshAfter(target));
  if (isSameReserve(accounts)) fresh.add(request.targetReserve);
  else fresh.delete(request.reserve);
  return fresh;
}

function builtRollOver(accounts: RollOverAccounts, { rollover }: RollOverOutcome): BuiltAction {
  const { request, source, target } = accounts;
  const { klend, farms } = request.programs;
  const isSame = isSameReserve(accounts);
  // Within one reserve no farm hears of it.
  const [sourceFarm, targetFarm] = isSame ? [null, null] : [source.farm, target.farm];
  const setup = [
    { ...source, farm: sourceFarm, referrerStates: [] },
    { ...target, farm: targetFarm },
  ];
  const summary = isSame
    ? `Start the term of the ${source.symbol} debt anew`
    : `Roll the ${source.symbol} debt over to the reserve ${target.symbol === source.symbol ? request.targetReserve : target.symbol}`;
  return {
    amount: rollover.moved,
    all: false,
    wrappedSol: null,
    instructions: [
      ...setup.flatMap(obligationSetup),
      ...lendingRefresh(target),
      instruction(
        rolloverFixedTermBorrow,
        klend,
        {
          payer: request.wallet,
          obligation: request.obligation,
          lendingMarket: target.request.market,
          lendingMarketAuthority: target.marketAuthority,
          sourceBorrowReserve: request.reserve,
          targetBorrowReserve: request.targetReserve,
          liquidityMint: source.reserve.liquidity.mintPubkey,
          sourceBorrowReserveLiquidity: source.reserve.liquidity.supplyVault,
          targetBorrowReserveLiquidity: target.reserve.liquidity.supplyVault,
          tokenProgram: target.tokenProgram,
          sourceObligationFarmUserState: sourceFarm?.user ?? null,
          sourceReserveFarmState: sourceFarm?.farm ?? null,
          targetObligationFarmUserState: targetFarm?.user ?? null,
          targetReserveFarmState: targetFarm?.farm ?? null,
          farmsProgram: farms,
        },
        {},
        { summary },
      ),
    ],
  };
}
