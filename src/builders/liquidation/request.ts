import { userMetadataAddress } from '@sluice/protocol/klend/addresses';
import { type Obligation, obligation } from '@sluice/protocol/klend/obligation';
import type { Reserve } from '@sluice/protocol/klend/reserve';
import { userMetadata } from '@sluice/protocol/klend/user-metadata';
import { type ProgramIds, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { associatedTokenAddress } from '@sluice/protocol/token/addresses';
import type { Address } from '@solana/kit';
import { activeBorrows, activeDeposits } from '../../domain/obligation.ts';
import { SluiceError } from '../../errors/sluice-error.ts';
import { type LendingRequest, obligationReads, reserveAt, reserveReads } from '../lending/request.ts';
import {
  checkDecimals,
  distinct,
  namedAccount,
  optionalAccount,
  type ReadAccounts,
} from '../read-accounts.ts';

/** A requested liquidation, before any account is read. */
export interface LiquidationRequest {
  readonly programs: ProgramIds;
  /** The liquidator: signer and fee payer. The obligation may be anyone's. */
  readonly wallet: Address;
  readonly obligation: Address;
  /** Reserve of the debt to repay. */
  readonly repayReserve: Address;
  /** Reserve of the collateral to receive. */
  readonly withdrawReserve: Address;
  /** Candidates besides the wallet's own table. */
  readonly lookupTables: readonly Address[];
  /** Oracles of the market's reserves, as far as they are known before the reads. */
  readonly oracles: readonly Address[];
}

/** The decoded accounts of the first round. */
export interface LiquidationOutline {
  readonly obligation: Obligation;
  readonly repay: Reserve;
  readonly withdraw: Reserve;
}

/** One side of a liquidation as a request of a lending action. */
export function sideOf(
  request: LiquidationRequest,
  market: Address,
  action: 'repay' | 'withdraw',
): LendingRequest {
  const { obligation: address, repayReserve, withdrawReserve, ...rest } = request;
  const reserve = action === 'repay' ? repayReserve : withdrawReserve;
  return { ...rest, action, market, reserve, obligation: { address } };
}

/** Accounts to read in the first round. */
export function firstLiquidationReads(request: LiquidationRequest): Address[] {
  return distinct([
    request.obligation,
    request.repayReserve,
    request.withdrawReserve,
    userMetadataAddress(request.programs.klend, request.wallet).address,
    request.wallet,
    ...request.lookupTables,
    ...request.oracles,
  ]);
}

/** Decodes the accounts of the first round. Throws if the liquidation cannot be built, before the second round. */
export function liquidationOutline(request: LiquidationRequest, read: ReadAccounts): LiquidationOutline {
  const { klend } = request.programs;
  const account = namedAccount(
    read,
    request.obligation,
    obligation,
    klend,
    (cause) => new SluiceError('KLEND_OBLIGATION_NOT_FOUND', { obligation: request.obligation }, { cause }),
  );
  const repay = reserveOf(request.repayReserve, account, read, klend);
  const withdraw = reserveOf(request.withdrawReserve, account, read, klend);
  checkPosition(
    request,
    request.repayReserve,
    'debt',
    activeBorrows(account).map(({ borrowReserve }) => borrowReserve),
  );
  checkPosition(
    request,
    request.withdrawReserve,
    'deposit',
    activeDeposits(account).map(({ depositReserve }) => depositReserve),
  );
  return { obligation: account, repay, withdraw };
}

function reserveOf(
  address: Address,
  { lendingMarket }: Obligation,
  read: ReadAccounts,
  klend: Address,
): Reserve {
  const account = reserveAt(read, address, klend);
  checkDecimals('Reserve', address, account.liquidity.mintDecimals);
  if (account.lendingMarket === lendingMarket) return account;
  const context = { reserve: address, market: lendingMarket, actual: account.lendingMarket };
  throw new SluiceError('RESERVE_NOT_IN_MARKET', context);
}

function checkPosition(
  { obligation: address }: LiquidationRequest,
  reserve: Address,
  side: 'debt' | 'deposit',
  held: readonly Address[],
): void {
  if (held.includes(reserve)) return;
  throw new SluiceError('KLEND_POSITION_NOT_FOUND', { obligation: address, reserve, side });
}

/** The liquidator's account for collateral tokens of a reserve, which they pass through. */
export function collateralTokenAddress(wallet: Address, { collateral }: Reserve): Address {
  return associatedTokenAddress(wallet, TOKEN_PROGRAM, collateral.mintPubkey).address;
}

/** Accounts that the two reserves lead to. */
export function liquidationReserveReads(
  request: LiquidationRequest,
  { repay, withdraw }: Pick<LiquidationOutline, 'repay' | 'withdraw'>,
): Address[] {
  const { lendingMarket } = repay;
  return distinct([
    lendingMarket,
    ...reserveReads(sideOf(request, lendingMarket, 'repay'), repay),
    ...reserveReads(sideOf(request, lendingMarket, 'withdraw'), withdraw),
    collateralTokenAddress(request.wallet, withdraw),
  ]);
}

/** Accounts to read in the second round. */
export function secondLiquidationReads(request: LiquidationRequest, read: ReadAccounts): Address[] {
  const { klend } = request.programs;
  const outline = liquidationOutline(request, read);
  const metadata = userMetadataAddress(klend, request.wallet).address;
  const known = new Set(firstLiquidationReads(request));
  return distinct([
    ...liquidationReserveReads(request, outline),
    ...obligationReads(sideOf(request, outline.obligation.lendingMarket, 'repay'), {
      obligation: outline.obligation,
      userMetadata: optionalAccount(read, metadata, userMetadata, klend),
    }),
  ]).filter((address) => !known.has(address));
}
