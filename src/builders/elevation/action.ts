import { requestElevationGroup } from '@sluice/protocol/klend/setup-instructions';
import { AccountRole, type Address } from '@solana/kit';
import { NO_GROUP } from '../../domain/elevation.ts';
import { type Action, once } from '../action.ts';
import { type BuiltAction, instruction } from '../built-instruction.ts';
import type { KnownAccounts } from '../known-accounts.ts';
import { expectedObligationReads, knownOracles } from '../lending/expected-reads.ts';
import { DEFAULT_OBLIGATION, type ObligationChoice } from '../lending/obligation-choice.ts';
import { obligationRefresh, positionAccounts } from '../lending/refresh.ts';
import { missingReferrerStates } from '../lending/setup.ts';
import {
  checkGroupNumber,
  type ElevationAccounts,
  type ElevationRequest,
  elevationAccounts,
  firstElevationReads,
  secondElevationReads,
} from './accounts.ts';
import { elevationChanges } from './changes.ts';
import { elevationPreview } from './preview.ts';

/** Kinds of action in this folder, with their descriptions. */
export const ELEVATION_ACTIONS = {
  REQUEST_ELEVATION_GROUP: 'Move an obligation into or out of an elevation group.',
} as const;

export interface ElevationActionRequest {
  readonly wallet: Address;
  readonly market: Address;
  /** By default the vanilla obligation with id 0. */
  readonly obligation?: ObligationChoice;
  /** The group to move to; 0 leaves the present one. */
  readonly group: number;
}

/**
 * A move of an obligation to an elevation group.
 *
 * @throws BUILD_REFUSED for a number that no group can have
 * @example
 * elevationAction(known, { wallet, market, group: 1 });
 */
export function elevationAction(known: KnownAccounts, request: ElevationActionRequest): Action {
  const { wallet, market, group, obligation = DEFAULT_OBLIGATION } = request;
  checkGroupNumber(group);
  const move: ElevationRequest = {
    programs: known.programs,
    wallet,
    market,
    obligation,
    group,
    lookupTables: known.tablesOfMarket(market),
    oracles: knownOracles(known, market),
  };
  return {
    wallet,
    named: firstElevationReads(move),
    expected: expectedObligationReads(known, move),
    needed: (read) => secondElevationReads(move, read),
    build(read, at) {
      const accounts = elevationAccounts(move, read, at);
      return {
        kind: 'REQUEST_ELEVATION_GROUP',
        action: buildElevationRequest(accounts),
        tables: accounts.tables,
        walletTokens: [],
        preview: once(() => elevationPreview(accounts, at.moment)),
        after: once(() => elevationChanges(accounts, at.moment, read)),
        fresh: new Set([...at.fresh, ...accounts.reserves.keys()]),
      };
    },
  };
}

/**
 * Moves the obligation into an elevation group, or out of its group, after the refreshes that the program demands.
 *
 * @example
 * buildElevationRequest(elevationAccounts(request, read, at));
 */
export function buildElevationRequest(accounts: ElevationAccounts): BuiltAction {
  const { request, obligationAddress } = accounts;
  const { programs, wallet, market, group } = request;
  return {
    // Nothing is paid or received.
    amount: 0n,
    all: false,
    wrappedSol: null,
    instructions: [
      ...missingReferrerStates(accounts),
      ...obligationRefresh(accounts),
      instruction(
        requestElevationGroup,
        programs.klend,
        { owner: wallet, obligation: obligationAddress, lendingMarket: market },
        { elevationGroup: group },
        {
          summary:
            group === NO_GROUP
              ? 'Move the obligation out of its elevation group'
              : `Move the obligation to elevation group ${group}`,
          remaining: positionAccounts(accounts, AccountRole.READONLY),
        },
      ),
    ],
  };
}
