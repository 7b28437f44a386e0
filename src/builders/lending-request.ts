import type { Address } from '@solana/kit';
import { activeBorrows, activeDeposits } from '../domain/obligation.ts';
import { SluiceError } from '../errors/sluice-error.ts';
import { farmUserState } from '../programs/farms/addresses.ts';
import { referrerTokenStateAddress, userMetadataAddress } from '../programs/klend/addresses.ts';
import { type LendingMarket, lendingMarket } from '../programs/klend/lending-market.ts';
import { type Obligation, obligation } from '../programs/klend/obligation.ts';
import { type Reserve, reserve } from '../programs/klend/reserve.ts';
import { type UserMetadata, userMetadata } from '../programs/klend/user-metadata.ts';
import { type ProgramIds, presentAddress, TOKEN_PROGRAM } from '../programs/program-ids.ts';
import { associatedTokenAddress } from '../programs/token/addresses.ts';
import { chosenAddress, type ObligationChoice } from './obligation-choice.ts';
import {
  checkDecimals,
  distinct,
  namedAccount,
  optionalAccount,
  type ReadAccounts,
} from './read-accounts.ts';

export type LendingAction = 'deposit' | 'borrow' | 'repay' | 'withdraw';

/** What a lending action is about, before anything has been read. */
export interface LendingRequest {
  readonly action: LendingAction;
  readonly programs: ProgramIds;
  /** Owner of the obligation, signer and fee payer. */
  readonly wallet: Address;
  readonly market: Address;
  readonly reserve: Address;
  readonly obligation: ObligationChoice;
  /** Tables to try besides the wallet's own: the market's configured one and those that the caller names. */
  readonly lookupTables: readonly Address[];
}

/** Which farm of a reserve an action touches: 0 collateral, 1 debt, as the program counts them. */
export const farmModeOf = (action: LendingAction): 0 | 1 =>
  action === 'deposit' || action === 'withdraw' ? 0 : 1;

/** The farm that the action earns or loses rewards in; null when the reserve has none on that side. */
export function farmOf({ action }: LendingRequest, account: Reserve): Address | null {
  return presentAddress(farmModeOf(action) === 0 ? account.farmCollateral : account.farmDebt);
}

/** Either token program; SPL Token where an old reserve does not say. */
export function liquidityTokenProgram({ liquidity }: Reserve): Address {
  return presentAddress(liquidity.tokenProgram) ?? TOKEN_PROGRAM;
}

/** What can be read before anything is known. */
export function firstLendingReads(request: LendingRequest): Address[] {
  const { programs, wallet, market } = request;
  return distinct([
    market,
    request.reserve,
    chosenAddress(programs, wallet, market, request.obligation),
    userMetadataAddress(programs.klend, wallet).address,
    wallet,
    ...request.lookupTables,
  ]);
}

/** What the named accounts tell. */
export interface LendingOutline {
  readonly market: LendingMarket;
  readonly reserve: Reserve;
  readonly obligationAddress: Address;
  /** Null when it has to be initialised, for the first time or again. */
  readonly obligation: Obligation | null;
  /** Null before the wallet's first deposit anywhere. */
  readonly userMetadata: UserMetadata | null;
}

/** Decodes the named accounts; refuses what cannot be built, before anything else is read for it. */
export function lendingOutline(request: LendingRequest, read: ReadAccounts): LendingOutline {
  const { klend } = request.programs;
  const market = namedAccount(
    read,
    request.market,
    lendingMarket,
    klend,
    (cause) => new SluiceError('KLEND_MARKET_NOT_FOUND', { market: request.market }, { cause }),
  );
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

function obligationOf(request: LendingRequest, read: ReadAccounts) {
  const { programs, wallet, market, action } = request;
  const address = chosenAddress(programs, wallet, market, request.obligation);
  const notFound = (cause?: unknown) =>
    new SluiceError('KLEND_OBLIGATION_NOT_FOUND', { obligation: address }, { cause });
  const mayBeNew = action === 'deposit' && 'key' in request.obligation;
  const account = mayBeNew
    ? optionalAccount(read, address, obligation, programs.klend)
    : namedAccount(read, address, obligation, programs.klend, notFound);
  if (account !== null && account.owner !== wallet) {
    throw new SluiceError('BUILD_REFUSED', { reason: `obligation ${address} belongs to another wallet` });
  }
  if (account !== null && account.lendingMarket !== market) {
    const reason = `obligation ${address} is in market ${account.lendingMarket}, not ${market}`;
    throw new SluiceError('BUILD_REFUSED', { reason });
  }
  return { obligationAddress: address, obligation: account };
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

/** The reserves of an obligation: deposits, then debts, in slot order, each once. */
export function obligationReserves(account: Obligation | null): Address[] {
  if (account === null) return [];
  return distinct([
    ...activeDeposits(account).map(({ depositReserve }) => depositReserve),
    ...activeBorrows(account).map(({ borrowReserve }) => borrowReserve),
  ]);
}

/** The reserves for which the wallet's referrer needs a token state: all debts, and one that is about to be taken. */
export function referredReserves(request: LendingRequest, account: Obligation): Address[] {
  return distinct([
    ...activeBorrows(account).map(({ borrowReserve }) => borrowReserve),
    request.action === 'borrow' ? request.reserve : null,
  ]);
}

/** What a reserve makes known: the wallet's account for its token, and the obligation's stake in its farm. */
export function reserveReads(request: LendingRequest, account: Reserve): Address[] {
  const { programs, wallet, market } = request;
  const farm = farmOf(request, account);
  const owner = chosenAddress(programs, wallet, market, request.obligation);
  return distinct([
    associatedTokenAddress(wallet, liquidityTokenProgram(account), account.liquidity.mintPubkey).address,
    farm && farmUserState(programs.farms, farm, owner).address,
  ]);
}

/** What an obligation and its owner's metadata make known: all reserves, the referrer's states, the wallet's own table. */
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

/** What has to be read besides, once what the request names has been. */
export function secondLendingReads(request: LendingRequest, read: ReadAccounts): Address[] {
  const outline = lendingOutline(request, read);
  const known = new Set(firstLendingReads(request));
  return distinct([...reserveReads(request, outline.reserve), ...obligationReads(request, outline)]).filter(
    (address) => !known.has(address),
  );
}
