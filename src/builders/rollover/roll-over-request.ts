import { userMetadataAddress } from '@sluice/protocol/klend/addresses';
import { type Obligation, obligation as obligationLayout } from '@sluice/protocol/klend/obligation';
import type { Reserve } from '@sluice/protocol/klend/reserve';
import { type UserMetadata, userMetadata } from '@sluice/protocol/klend/user-metadata';
import type { ProgramIds } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { activeBorrows } from '../../domain/obligation.ts';
import { SluiceError } from '../../errors/sluice-error.ts';
import { type LendingRequest, obligationReads, reserveAt, reserveReads } from '../lending/request.ts';
import {
  checkDecimals,
  distinct,
  namedAccount,
  optionalAccount,
  type ReadAccounts,
} from '../read-accounts.ts';
import { refused } from './request.ts';

/** A requested rollover, before any account is read. */
export interface RollOverRequest {
  readonly programs: ProgramIds;
  /** Whoever sends it: signer and fee payer. The obligation may be anyone's. */
  readonly wallet: Address;
  readonly obligation: Address;
  /** Reserve of the debt. */
  readonly reserve: Address;
  /** Reserve that the debt moves to; the same one starts its term anew. */
  readonly targetReserve: Address;
  readonly lookupTables: readonly Address[];
  /** Oracles of the market's reserves, as far as they are known before the reads. */
  readonly oracles: readonly Address[];
}

/** The decoded accounts of the first round. */
export interface RollOverOutline {
  readonly obligation: Obligation;
  readonly source: Reserve;
  readonly target: Reserve;
  /** Of whoever sends it; null before their first deposit anywhere. */
  readonly userMetadata: UserMetadata | null;
}

/** Accounts to read in the first round. */
export function firstRollOverReads(request: RollOverRequest): Address[] {
  const { programs, wallet, obligation, reserve, targetReserve, lookupTables, oracles } = request;
  const metadata = userMetadataAddress(programs.klend, wallet).address;
  return distinct([obligation, reserve, targetReserve, metadata, wallet, ...lookupTables, ...oracles]);
}

/** Decodes the accounts of the first round. Throws if the debt can never move to the reserve. */
export function rollOverOutline(request: RollOverRequest, read: ReadAccounts): RollOverOutline {
  const { programs, obligation: address } = request;
  const { klend } = programs;
  const notFound = (cause?: unknown) =>
    new SluiceError('KLEND_OBLIGATION_NOT_FOUND', { obligation: address }, { cause });
  const obligation = namedAccount(read, address, obligationLayout, klend, notFound);
  const source = reserveOf(request.reserve, obligation, read, klend);
  const target = reserveOf(request.targetReserve, obligation, read, klend);
  if (!activeBorrows(obligation).some(({ borrowReserve }) => borrowReserve === request.reserve)) {
    const context = { obligation: address, reserve: request.reserve, side: 'debt' } as const;
    throw new SluiceError('KLEND_POSITION_NOT_FOUND', context);
  }
  if (source.liquidity.mintPubkey !== target.liquidity.mintPubkey) {
    throw refused(
      `the debt is in the token ${source.liquidity.mintPubkey}, and reserve ${request.targetReserve} lends ${target.liquidity.mintPubkey}; choose a reserve of the same token (6159 BorrowRolloverLiquidityMintMismatch)`,
    );
  }
  const metadata = userMetadataAddress(klend, request.wallet).address;
  return { obligation, source, target, userMetadata: optionalAccount(read, metadata, userMetadata, klend) };
}

function reserveOf(
  address: Address,
  { lendingMarket: market }: Obligation,
  read: ReadAccounts,
  klend: Address,
): Reserve {
  const account = reserveAt(read, address, klend);
  checkDecimals('Reserve', address, account.liquidity.mintDecimals);
  if (account.lendingMarket === market) return account;
  throw new SluiceError('RESERVE_NOT_IN_MARKET', {
    reserve: address,
    market,
    actual: account.lendingMarket,
  });
}

/** One side of a rollover as a lending action. Its wallet is the sender, whose tokens it does not touch. */
export function sideOf(
  request: RollOverRequest,
  market: Address,
  action: 'repay' | 'borrow',
): LendingRequest {
  const { programs, wallet, obligation: address, reserve, targetReserve, lookupTables, oracles } = request;
  return {
    action,
    programs,
    wallet,
    market,
    reserve: action === 'repay' ? reserve : targetReserve,
    obligation: { address },
    lookupTables,
    oracles,
  };
}

/** Accounts to read in the second round. */
export function secondRollOverReads(request: RollOverRequest, read: ReadAccounts): Address[] {
  const outline = rollOverOutline(request, read);
  const { obligation, source, target } = outline;
  const { lendingMarket: market } = obligation;
  const [repay, borrow] = [sideOf(request, market, 'repay'), sideOf(request, market, 'borrow')];
  const known = new Set(firstRollOverReads(request));
  return distinct([
    market,
    ...reserveReads(repay, source),
    ...reserveReads(borrow, target),
    ...obligationReads(borrow, outline),
  ]).filter((address) => !known.has(address));
}
