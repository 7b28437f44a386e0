import { referrerTokenStateAddress, userMetadataAddress } from '@sluice/protocol/klend/addresses';
import { ELEVATION_GROUPS, type LendingMarket } from '@sluice/protocol/klend/lending-market';
import type { Obligation } from '@sluice/protocol/klend/obligation';
import type { Reserve } from '@sluice/protocol/klend/reserve';
import { userMetadata } from '@sluice/protocol/klend/user-metadata';
import { presentAddress } from '@sluice/protocol/program-ids';
import type { OraclePrices } from '@sluice/protocol/scope/oracle-prices';
import type { Address } from '@solana/kit';
import { activeBorrows } from '../../domain/obligation.ts';
import { SluiceError } from '../../errors/sluice-error.ts';
import type { StepContext } from '../action.ts';
import { oraclesOf, type ReferrerState } from '../lending/accounts.ts';
import { chosenAddress } from '../lending/obligation-choice.ts';
import {
  existingObligation,
  marketAt,
  type ObligationRequest,
  obligationReserves,
  priceFeedOf,
  reserveAt,
} from '../lending/request.ts';
import { distinct, optionalAccount, programAccount, type ReadAccounts } from '../read-accounts.ts';
import { type SymbolOf, symbolsFrom } from '../token-symbol.ts';
import { type UsableTable, usableTables } from '../transaction/lookup-tables.ts';

/** A requested move to an elevation group, before any account is read. */
export interface ElevationRequest extends ObligationRequest {
  /** The group to move to; 0 leaves the present one. */
  readonly group: number;
  readonly lookupTables: readonly Address[];
  /** Oracles of the market's reserves, as far as they are known before the reads. */
  readonly oracles: readonly Address[];
}

/** All inputs of a move to an elevation group. */
export interface ElevationAccounts {
  readonly request: ElevationRequest;
  /** Pays rent of accounts that the action creates. */
  readonly payer: Address;
  readonly market: LendingMarket;
  readonly obligationAddress: Address;
  readonly obligation: Obligation;
  /** The obligation's reserves, by address. */
  readonly reserves: ReadonlyMap<Address, Reserve>;
  /** The oracles of those reserves, by address. One that cannot be read is missing. */
  readonly oracles: ReadonlyMap<Address, OraclePrices>;
  readonly symbolOf: SymbolOf;
  readonly referrer: Address | null;
  /** One per debt; empty without a referrer. */
  readonly referrerStates: readonly ReferrerState[];
  readonly tables: readonly UsableTable[];
  /** Reserves that the transaction has refreshed and not changed since. */
  readonly fresh: ReadonlySet<Address>;
}

/** @throws BUILD_REFUSED for a number that no group can have */
export function checkGroupNumber(group: number): void {
  if (Number.isInteger(group) && group >= 0 && group <= ELEVATION_GROUPS) return;
  const reason = `an elevation group has a number from 1 to ${ELEVATION_GROUPS}, or 0 for none`;
  throw new SluiceError('BUILD_REFUSED', { reason });
}

/** Accounts to read in the first round. */
export function firstElevationReads(request: ElevationRequest): Address[] {
  const { programs, wallet, market, obligation, lookupTables, oracles } = request;
  return distinct([
    market,
    chosenAddress(programs, wallet, market, obligation),
    userMetadataAddress(programs.klend, wallet).address,
    wallet,
    ...lookupTables,
    ...oracles,
  ]);
}

/** Accounts to read in the second round: those that the obligation and the wallet's metadata refer to. */
export function secondElevationReads(request: ElevationRequest, read: ReadAccounts): Address[] {
  marketAt(read, request.market, request.programs.klend);
  const { obligation } = existingObligation(request, read);
  const known = new Set(firstElevationReads(request));
  return distinct([
    ...obligationReserves(obligation),
    ...referrerStatesOf(request, obligation, read).map(({ address }) => address),
    userTable(request, read),
  ]).filter((address) => !known.has(address));
}

function userTable({ programs, wallet }: ElevationRequest, read: ReadAccounts): Address | null {
  const { address } = userMetadataAddress(programs.klend, wallet);
  const metadata = optionalAccount(read, address, userMetadata, programs.klend);
  return metadata && presentAddress(metadata.userLookupTable);
}

function referrerStatesOf(
  { programs }: ElevationRequest,
  obligation: Obligation,
  read: ReadAccounts,
): ReferrerState[] {
  const referrer = presentAddress(obligation.referrer);
  if (referrer === null) return [];
  return activeBorrows(obligation).map(({ borrowReserve: reserve }) => {
    const { address } = referrerTokenStateAddress(programs.klend, referrer, reserve);
    return { reserve, address, exists: programAccount(read, address) !== null };
  });
}

/** Decodes the accounts. */
export function elevationAccounts(
  request: ElevationRequest,
  read: ReadAccounts,
  { slot, payer, fresh }: Pick<StepContext, 'slot' | 'payer' | 'fresh'>,
): ElevationAccounts {
  const { programs } = request;
  const { obligation, obligationAddress } = existingObligation(request, read);
  const reserves = new Map(
    obligationReserves(obligation).map((address) => [address, reserveAt(read, address, programs.klend)]),
  );
  return {
    request,
    payer,
    market: marketAt(read, request.market, programs.klend),
    obligationAddress,
    obligation,
    reserves,
    oracles: oraclesOf([...request.oracles, ...[...reserves.values()].map(priceFeedOf)], read),
    symbolOf: symbolsFrom(read),
    referrer: presentAddress(obligation.referrer),
    referrerStates: referrerStatesOf(request, obligation, read),
    fresh,
    tables: usableTables([...request.lookupTables, userTable(request, read)], read, slot),
  };
}
