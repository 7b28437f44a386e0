import { referrerTokenStateAddress } from '@sluice/protocol/klend/addresses';
import type { LendingMarket } from '@sluice/protocol/klend/lending-market';
import { type ReferrerTokenState, referrerTokenState } from '@sluice/protocol/klend/referrer-token-state';
import type { Reserve } from '@sluice/protocol/klend/reserve';
import {
  type ProgramIds,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  WRAPPED_SOL_MINT,
} from '@sluice/protocol/program-ids';
import type { OraclePrices } from '@sluice/protocol/scope/oracle-prices';
import { associatedTokenAddress } from '@sluice/protocol/token/addresses';
import type { Mint } from '@sluice/protocol/token/mint';
import type { Address } from '@solana/kit';
import type { AccruedReserve } from '../../domain/accrued-reserve.ts';
import { claimableReferralFees } from '../../domain/referral-fees.ts';
import { refreshReserve } from '../../domain/refreshed-reserve.ts';
import type { StepContext } from '../action.ts';
import { oraclesOf } from '../lending/accounts.ts';
import { liquidityTokenProgram, marketAt, priceFeedOf, reserveAt } from '../lending/request.ts';
import { extendedMint } from '../queue/destination.ts';
import {
  checkDecimals,
  distinct,
  optionalAccount,
  type ReadAccounts,
  type WalletToken,
  walletToken,
} from '../read-accounts.ts';
import { type SymbolOf, symbolsFrom } from '../token-symbol.ts';
import { type UsableTable, usableTables } from '../transaction/lookup-tables.ts';

/** A requested claim of referral fees, before any account is read. */
export interface FeeClaimRequest {
  readonly programs: ProgramIds;
  /** The referrer, who signs. */
  readonly wallet: Address;
  readonly reserves: readonly Address[];
  /** Whether the caller named the reserves, instead of asking for all. */
  readonly named: boolean;
  readonly lookupTables: readonly Address[];
}

/** The fees of a referrer in one reserve. */
export interface ReserveFees {
  readonly reserveAddress: Address;
  readonly reserve: Reserve;
  readonly market: LendingMarket;
  /** The reserve after its refresh. */
  readonly accrued: AccruedReserve;
  readonly stateAddress: Address;
  /** Null while the referrer has no account for the reserve. */
  readonly state: ReferrerTokenState | null;
  /** Base units that the program would pay, all checks passed. */
  readonly claimable: bigint;
  readonly tokenProgram: Address;
  /** The mint when it may have extensions; null otherwise. */
  readonly extended: Mint | null;
  /** The wallet's account that receives the fees. */
  readonly token: WalletToken;
  /** Ticker of the token, for summaries, and that of any reserve. */
  readonly symbol: string;
  readonly symbolOf: SymbolOf;
  readonly isSol: boolean;
  readonly oracles: ReadonlyMap<Address, OraclePrices>;
}

/** All inputs of a claim of referral fees. */
export interface FeeClaimAccounts {
  readonly request: FeeClaimRequest;
  /** Pays rent of accounts that the action creates. */
  readonly payer: Address;
  /** By reserve, in the order of the request. */
  readonly fees: readonly ReserveFees[];
  readonly tables: readonly UsableTable[];
  /** Reserves that the transaction has refreshed and not changed since. */
  readonly fresh: ReadonlySet<Address>;
}

const stateOf = ({ programs, wallet }: FeeClaimRequest, reserve: Address): Address =>
  referrerTokenStateAddress(programs.klend, wallet, reserve).address;

/** Accounts to read in the first round. */
export function firstFeeReads(request: FeeClaimRequest): Address[] {
  const { wallet, reserves, lookupTables } = request;
  return distinct([
    wallet,
    ...reserves.flatMap((reserve) => [reserve, stateOf(request, reserve)]),
    ...lookupTables,
  ]);
}

/** Accounts that a claim from a reserve reads besides those of the first round. */
export function feeReads(wallet: Address, reserve: Reserve): (Address | null)[] {
  const { mintPubkey } = reserve.liquidity;
  const tokenProgram = liquidityTokenProgram(reserve);
  return [
    reserve.lendingMarket,
    priceFeedOf(reserve),
    associatedTokenAddress(wallet, tokenProgram, mintPubkey).address,
    tokenProgram === TOKEN_2022_PROGRAM ? mintPubkey : null,
  ];
}

/** Accounts to read in the second round. */
export function secondFeeReads(request: FeeClaimRequest, read: ReadAccounts): Address[] {
  const { programs, wallet, reserves } = request;
  const known = new Set(firstFeeReads(request));
  return distinct(
    reserves.flatMap((address) => feeReads(wallet, reserveAt(read, address, programs.klend))),
  ).filter((address) => !known.has(address));
}

/** Decodes the accounts, and refreshes the reserves at the moment of the claim. */
export function feeClaimAccounts(
  request: FeeClaimRequest,
  read: ReadAccounts,
  { slot, moment, payer, fresh }: StepContext,
): FeeClaimAccounts {
  return {
    request,
    payer,
    fees: request.reserves.map((address) => reserveFees(request, read, address, moment)),
    tables: usableTables(request.lookupTables, read, slot),
    fresh,
  };
}

function reserveFees(
  request: FeeClaimRequest,
  read: ReadAccounts,
  address: Address,
  moment: StepContext['moment'],
): ReserveFees {
  const { programs, wallet } = request;
  const reserve = reserveAt(read, address, programs.klend);
  const { mintPubkey: mint, mintDecimals } = reserve.liquidity;
  checkDecimals('Reserve', address, mintDecimals);
  const market = marketAt(read, reserve.lendingMarket, programs.klend);
  const stateAddress = stateOf(request, address);
  const state = optionalAccount(read, stateAddress, referrerTokenState, programs.klend);
  const accrued = refreshReserve(reserve, moment, market);
  const tokenProgram = liquidityTokenProgram(reserve);
  return {
    reserveAddress: address,
    reserve,
    market,
    accrued,
    stateAddress,
    state,
    claimable: claimableReferralFees(accrued, state?.amountUnclaimedSf ?? 0n),
    tokenProgram,
    extended: tokenProgram === TOKEN_2022_PROGRAM ? extendedMint(read, mint) : null,
    token: walletToken(read, associatedTokenAddress(wallet, tokenProgram, mint).address),
    symbol: symbolsFrom(read)(reserve),
    symbolOf: symbolsFrom(read),
    isSol: mint === WRAPPED_SOL_MINT && tokenProgram === TOKEN_PROGRAM,
    oracles: oraclesOf([priceFeedOf(reserve)], read),
  };
}
