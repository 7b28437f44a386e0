import type { Address } from '@solana/kit';
import { type Action, once } from '../../builders/action.ts';
import {
  checkGroupNumber,
  type ElevationRequest,
  elevationAccounts,
  firstElevationReads,
  secondElevationReads,
} from '../../builders/elevation/accounts.ts';
import { elevationChanges } from '../../builders/elevation/changes.ts';
import { elevationPreview } from '../../builders/elevation/preview.ts';
import { buildElevationRequest } from '../../builders/elevation/request.ts';
import { DEFAULT_OBLIGATION, type ObligationChoice } from '../../builders/lending/obligation-choice.ts';
import { priceFeedOf } from '../../builders/lending/request.ts';
import { distinct } from '../../builders/read-accounts.ts';
import { expectedObligationReads } from '../expected-reads.ts';
import type { Session } from '../records.ts';
import { marketTables } from './lookup-tables.ts';

export interface ElevationActionRequest {
  readonly wallet: Address;
  readonly market: Address;
  /** By default the vanilla obligation with id 0. */
  readonly obligation?: ObligationChoice;
  /** The group to move to; 0 leaves the present one. */
  readonly group: number;
}

/** A move of an obligation to an elevation group. @throws BUILD_REFUSED for a number that no group can have */
export function elevationAction(session: Session, what: ElevationActionRequest): Action {
  const { wallet, market, group, obligation = DEFAULT_OBLIGATION } = what;
  checkGroupNumber(group);
  const request: ElevationRequest = {
    programs: session.programs,
    wallet,
    market,
    obligation,
    group,
    lookupTables: marketTables(session, market),
    oracles: distinct(session.view.reservesOfMarket(market).map(({ value }) => priceFeedOf(value))),
  };
  return {
    kind: 'REQUEST_ELEVATION_GROUP',
    wallet,
    named: firstElevationReads(request),
    expected: expectedObligationReads(session, request),
    needed: (read) => secondElevationReads(request, read),
    build(read, at) {
      const accounts = elevationAccounts(request, read, at);
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
