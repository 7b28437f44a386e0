import type { Address } from '@solana/kit';
import { type Action, once } from '../action.ts';
import type { KnownAccounts } from '../known-accounts.ts';
import { expectedObligationReads, knownOracles } from '../lending/expected-reads.ts';
import { DEFAULT_OBLIGATION, type ObligationChoice } from '../lending/obligation-choice.ts';
import {
  checkGroupNumber,
  type ElevationRequest,
  elevationAccounts,
  firstElevationReads,
  secondElevationReads,
} from './accounts.ts';
import { elevationChanges } from './changes.ts';
import { elevationPreview } from './preview.ts';
import { buildElevationRequest } from './request.ts';

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
    kind: 'REQUEST_ELEVATION_GROUP',
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
