import { userMetadataAddress } from '@sluice/protocol/klend/addresses';
import {
  type BorrowOrder,
  type Obligation,
  obligation as obligationLayout,
} from '@sluice/protocol/klend/obligation';
import type { Reserve } from '@sluice/protocol/klend/reserve';
import { type UserMetadata, userMetadata } from '@sluice/protocol/klend/user-metadata';
import type { ProgramIds } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { SluiceError } from '../../errors/sluice-error.ts';
import { type LendingRequest, obligationReads, reserveAt, reserveReads } from '../lending/request.ts';
import {
  checkDecimals,
  distinct,
  namedAccount,
  optionalAccount,
  type ReadAccounts,
} from '../read-accounts.ts';
import { placedOrder } from './accounts.ts';
import { refused } from './request.ts';

/** A requested fill, before any account is read. */
export interface FillRequest {
  readonly programs: ProgramIds;
  /** Whoever fills: signer and fee payer. The obligation may be anyone's. */
  readonly wallet: Address;
  readonly obligation: Address;
  readonly index: number;
  /** The reserve to borrow from. */
  readonly reserve: Address;
  readonly lookupTables: readonly Address[];
  /** Oracles of the market's reserves, as far as they are known before the reads. */
  readonly oracles: readonly Address[];
}

/** The decoded accounts of the first round. */
export interface FillOutline {
  readonly obligation: Obligation;
  readonly order: BorrowOrder;
  readonly reserve: Reserve;
  /** Of whoever fills; null before their first deposit anywhere. */
  readonly userMetadata: UserMetadata | null;
}

/** Accounts to read in the first round. */
export function firstFillReads(request: FillRequest): Address[] {
  const { programs, wallet, obligation, reserve, lookupTables, oracles } = request;
  const metadata = userMetadataAddress(programs.klend, wallet).address;
  return distinct([obligation, reserve, metadata, wallet, ...lookupTables, ...oracles]);
}

/** Decodes the accounts of the first round. Throws if the order cannot be filled from the reserve. */
export function fillOutline(request: FillRequest, read: ReadAccounts): FillOutline {
  const { programs, obligation: address, index } = request;
  const { klend } = programs;
  const notFound = (cause?: unknown) =>
    new SluiceError('KLEND_OBLIGATION_NOT_FOUND', { obligation: address }, { cause });
  const obligation = namedAccount(read, address, obligationLayout, klend, notFound);
  const reserve = reserveAt(read, request.reserve, klend);
  const { mintPubkey, mintDecimals } = reserve.liquidity;
  checkDecimals('Reserve', request.reserve, mintDecimals);
  if (reserve.lendingMarket !== obligation.lendingMarket) {
    const { lendingMarket: market } = obligation;
    const context = { reserve: request.reserve, market, actual: reserve.lendingMarket };
    throw new SluiceError('RESERVE_NOT_IN_MARKET', context);
  }
  const order = placedOrder(obligation, index);
  if (order === null) {
    throw refused(
      `obligation ${address} has no borrow order ${index}; it was filled, cancelled or has expired (6135 BorrowOrderDebtLiquidityMintMismatch)`,
    );
  }
  if (order.debtLiquidityMint !== mintPubkey) {
    throw refused(
      `borrow order ${index} is for the token ${order.debtLiquidityMint}, and reserve ${request.reserve} lends ${mintPubkey} (6135 BorrowOrderDebtLiquidityMintMismatch)`,
    );
  }
  const metadata = userMetadataAddress(klend, request.wallet).address;
  return {
    obligation,
    order,
    reserve,
    userMetadata: optionalAccount(read, metadata, userMetadata, klend),
  };
}

/** The fill as a borrow of the obligation's owner. */
export function borrowOf(request: FillRequest, { owner, lendingMarket }: Obligation): LendingRequest {
  const { programs, obligation: address, reserve, lookupTables, oracles } = request;
  return {
    action: 'borrow',
    programs,
    wallet: owner,
    market: lendingMarket,
    reserve,
    obligation: { address },
    lookupTables,
    oracles,
  };
}

/** Accounts to read in the second round. */
export function secondFillReads(request: FillRequest, read: ReadAccounts): Address[] {
  const outline = fillOutline(request, read);
  const { obligation, order, reserve } = outline;
  const borrow = borrowOf(request, obligation);
  const known = new Set(firstFillReads(request));
  return distinct([
    obligation.lendingMarket,
    obligation.owner,
    order.filledDebtDestination,
    ...reserveReads(borrow, reserve),
    ...obligationReads(borrow, outline),
  ]).filter((address) => !known.has(address));
}
