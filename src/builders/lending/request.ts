import { farmUserState } from '@sluice/protocol/farms/addresses';
import { referrerTokenStateAddress, userMetadataAddress } from '@sluice/protocol/klend/addresses';
import { type LendingMarket, lendingMarket } from '@sluice/protocol/klend/lending-market';
import { type Obligation, obligation } from '@sluice/protocol/klend/obligation';
import { type Reserve, reserve } from '@sluice/protocol/klend/reserve';
import { type UserMetadata, userMetadata } from '@sluice/protocol/klend/user-metadata';
import { type ProgramIds, presentAddress, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { associatedTokenAddress } from '@sluice/protocol/token/addresses';
import type { Address } from '@solana/kit';
import { activeBorrows, positionReserves } from '../../domain/obligation.ts';
import { SluiceError } from '../../errors/sluice-error.ts';
import {
  checkDecimals,
  distinct,
  namedAccount,
  optionalAccount,
  type ReadAccounts,
} from '../read-accounts.ts';
import { chosenAddress, type ObligationChoice } from './obligation-choice.ts';

export type LendingAction = 'deposit' | 'borrow' | 'repay' | 'withdraw';

/** A requested lending action, before any account is read. */
export interface LendingRequest {
  readonly action: LendingAction;
  readonly programs: ProgramIds;
  /** Owner of the obligation, and a signer. */
  readonly wallet: Address;
  readonly market: Address;
  readonly reserve: Address;
  readonly obligation: ObligationChoice;
  /** Candidates besides the wallet's own table: the market's configured one and the caller's. */
  readonly lookupTables: readonly Address[];
  /** Oracles of the market's reserves, as far as they are known before the reads. */
  readonly oracles: readonly Address[];
}

/** The program's number for the farm that an action affects: 0 collateral, 1 debt. */
export const farmModeOf = (action: LendingAction): 0 | 1 =>
  action === 'deposit' || action === 'withdraw' ? 0 : 1;

/** The farm that an action affects; null when the reserve has none on that side. */
export function farmOf({ action }: Pick<LendingRequest, 'action'>, account: Reserve): Address | null {
  return presentAddress(farmModeOf(action) === 0 ? account.farmCollateral : account.farmDebt);
}

/** The oracle account that a refresh of the reserve reads; null when it names none of the kind that we read. */
export function priceFeedOf({ config }: Reserve): Address | null {
  return presentAddress(config.tokenInfo.scopeConfiguration.priceFeed);
}

/** Either token program; SPL Token for old reserves that do not store it. */
export function liquidityTokenProgram({ liquidity }: Reserve): Address {
  return presentAddress(liquidity.tokenProgram) ?? TOKEN_PROGRAM;
}

/** Accounts to read in the first round. */
export function firstLendingReads(request: LendingRequest): Address[] {
  const { programs, wallet, market } = request;
  return distinct([
    market,
    request.reserve,
    chosenAddress(programs, wallet, market, request.obligation),
    userMetadataAddress(programs.klend, wallet).address,
    wallet,
    ...request.lookupTables,
    ...request.oracles,
  ]);
}

/** The decoded accounts of the first round. */
export interface LendingOutline {
  readonly market: LendingMarket;
  readonly reserve: Reserve;
  readonly obligationAddress: Address;
  /** Null when it must be initialised, for the first time or again. */
  readonly obligation: Obligation | null;
  /** Null before the wallet's first deposit anywhere. */
  readonly userMetadata: UserMetadata | null;
}

/** Decodes the accounts of the first round. Throws if the action cannot be built, before the second round. */
export function lendingOutline(request: LendingRequest, read: ReadAccounts): LendingOutline {
  const { klend } = request.programs;
  const market = marketAt(read, request.market, klend);
  const account = reserveAt(read, request.reserve, klend);
  checkDecimals('Reserve', request.reserve, account.liquidity.mintDecimals);
  if (account.lendingMarket !== request.market) {
    const { reserve: address, market: named } = request;
    const context = { reserve: address, market: named, actual: account.lendingMarket };
    throw new SluiceError('RESERVE_NOT_IN_MARKET', context);
  }
  const metadata = userMetadataAddress(klend, request.wallet).address;
  return {
    market,
    reserve: account,
    ...obligationOf(request, read),
    userMetadata: optionalAccount(read, metadata, userMetadata, klend),
  };
}

/** A wallet's obligation in a market, before any account is read. */
export type ObligationRequest = Pick<LendingRequest, 'programs' | 'wallet' | 'market' | 'obligation'>;

function obligationOf(request: LendingRequest, read: ReadAccounts) {
  if (request.action !== 'deposit' || !('key' in request.obligation))
    return existingObligation(request, read);
  const { programs, wallet, market } = request;
  const address = chosenAddress(programs, wallet, market, request.obligation);
  const account = optionalAccount(read, address, obligation, programs.klend);
  if (account !== null) checkObligation(request, address, account);
  return { obligationAddress: address, obligation: account };
}

/** An obligation that must exist. @throws KLEND_OBLIGATION_NOT_FOUND, or BUILD_REFUSED when it is not the wallet's */
export function existingObligation(
  request: ObligationRequest,
  read: ReadAccounts,
): { readonly obligationAddress: Address; readonly obligation: Obligation } {
  const { programs, wallet, market } = request;
  const address = chosenAddress(programs, wallet, market, request.obligation);
  const notFound = (cause?: unknown) =>
    new SluiceError('KLEND_OBLIGATION_NOT_FOUND', { obligation: address }, { cause });
  const account = namedAccount(read, address, obligation, programs.klend, notFound);
  checkObligation(request, address, account);
  return { obligationAddress: address, obligation: account };
}

function checkObligation({ wallet, market }: ObligationRequest, address: Address, account: Obligation): void {
  if (account.owner !== wallet) {
    throw new SluiceError('BUILD_REFUSED', { reason: `obligation ${address} belongs to another wallet` });
  }
  if (account.lendingMarket !== market) {
    const reason = `obligation ${address} is in market ${account.lendingMarket}, not ${market}`;
    throw new SluiceError('BUILD_REFUSED', { reason });
  }
}

export function marketAt(read: ReadAccounts, address: Address, klend: Address): LendingMarket {
  return namedAccount(
    read,
    address,
    lendingMarket,
    klend,
    (cause) => new SluiceError('KLEND_MARKET_NOT_FOUND', { market: address }, { cause }),
  );
}

export function reserveAt(read: ReadAccounts, address: Address, klend: Address): Reserve {
  return namedAccount(
    read,
    address,
    reserve,
    klend,
    (cause) => new SluiceError('KLEND_RESERVE_NOT_FOUND', { reserve: address }, { cause }),
  );
}

/** The distinct reserves of an obligation: deposits, then debts, in slot order. */
export function obligationReserves(account: Obligation | null): Address[] {
  if (account === null) return [];
  return distinct(positionReserves(account));
}

/** The reserves for which the wallet's referrer needs a token state: all debts, and the one to be borrowed. */
export function referredReserves(request: LendingRequest, account: Obligation): Address[] {
  return distinct([
    ...activeBorrows(account).map(({ borrowReserve }) => borrowReserve),
    request.action === 'borrow' ? request.reserve : null,
  ]);
}

/** Accounts derived from a reserve: its oracle, the wallet's token account and the obligation's stake in the farm. */
export function reserveReads(request: LendingRequest, account: Reserve): Address[] {
  const { programs, wallet, market } = request;
  const farm = farmOf(request, account);
  const owner = chosenAddress(programs, wallet, market, request.obligation);
  return distinct([
    priceFeedOf(account),
    associatedTokenAddress(wallet, liquidityTokenProgram(account), account.liquidity.mintPubkey).address,
    farm && farmUserState(programs.farms, farm, owner).address,
  ]);
}

/** Accounts derived from an obligation and its owner's metadata: its reserves, referrer states, the wallet's table. */
export function obligationReads(
  request: LendingRequest,
  { obligation: existing, userMetadata: metadata }: Pick<LendingOutline, 'obligation' | 'userMetadata'>,
): Address[] {
  const { klend } = request.programs;
  const referrer = existing === null ? null : presentAddress(existing.referrer);
  return distinct([
    ...obligationReserves(existing),
    ...(existing === null || referrer === null
      ? []
      : referredReserves(request, existing).map(
          (address) => referrerTokenStateAddress(klend, referrer, address).address,
        )),
    metadata && presentAddress(metadata.userLookupTable),
  ]);
}

/** Accounts to read in the second round. */
export function secondLendingReads(request: LendingRequest, read: ReadAccounts): Address[] {
  const outline = lendingOutline(request, read);
  const known = new Set(firstLendingReads(request));
  return distinct([...reserveReads(request, outline.reserve), ...obligationReads(request, outline)]).filter(
    (address) => !known.has(address),
  );
}
