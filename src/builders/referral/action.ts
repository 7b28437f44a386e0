import type { Address } from '@solana/kit';
import { SluiceError } from '../../errors/sluice-error.ts';
import { type Action, once, walletTokenAccount } from '../action.ts';
import type { ActionOptions } from '../built-instruction.ts';
import type { KnownAccounts } from '../known-accounts.ts';
import { distinct } from '../read-accounts.ts';
import {
  type FeeClaimRequest,
  feeClaimAccounts,
  feeReads,
  firstFeeReads,
  secondFeeReads,
} from './claim-accounts.ts';
import { feeClaimChanges } from './claim-changes.ts';
import { buildFeeClaim, paidFees } from './claim-fees.ts';
import { feeClaimPreview } from './claim-preview.ts';
import {
  buildNaming,
  checkNaming,
  namingAccounts,
  namingChanges,
  namingPreview,
  namingReads,
} from './name-referrer.ts';
import { buildSetUp, setUpAccounts, setUpChanges, setUpPreview, setUpReads } from './set-up.ts';

/** Kinds of action in this folder, with their descriptions. */
export const REFERRAL_ACTIONS = {
  SET_UP_REFERRER: 'Set a wallet up as a referrer in reserves of a market.',
  NAME_REFERRER: 'Register a wallet with the lending program and name its referrer.',
  CLAIM_REFERRAL_FEES: 'Claim the fees of a referrer.',
} as const;

export interface SetUpReferrerRequest {
  readonly wallet: Address;
  readonly market: Address;
  /** By default those of the market that lend. */
  readonly reserves?: readonly Address[];
}

/**
 * The set-up of a referrer.
 *
 * @throws BUILD_REFUSED for no reserve
 * @example
 * setUpReferrerAction(known, { wallet, market, reserves: [reserve] });
 */
export function setUpReferrerAction(known: KnownAccounts, request: SetUpReferrerRequest): Action {
  const { wallet, market, reserves = lendingReserves(known, market) } = request;
  checkReserves(reserves);
  const setUp = { programs: known.programs, wallet, market, reserves: distinct(reserves) };
  return {
    wallet,
    named: setUpReads(setUp),
    expected: [],
    needed: () => [],
    build(read, at) {
      const accounts = setUpAccounts(setUp, read, at);
      return {
        kind: 'SET_UP_REFERRER',
        action: buildSetUp(accounts),
        tables: [],
        walletTokens: [],
        preview: once(() => setUpPreview(accounts)),
        after: once(() => setUpChanges(accounts, read)),
        fresh: at.fresh,
      };
    },
  };
}

const lendingReserves = (known: KnownAccounts, market: Address): Address[] =>
  known
    .reservesOf(market)
    .filter(({ value }) => value.config.borrowLimit > 0n)
    .map(({ address }) => address);

function checkReserves(reserves: readonly Address[]): void {
  if (reserves.length > 0) return;
  throw new SluiceError('BUILD_REFUSED', {
    reason: 'the set-up has no reserve: name some, or a market with reserves that lend',
  });
}

export interface NameReferrerRequest {
  readonly wallet: Address;
  readonly referrer: Address;
}

/**
 * The registration of a wallet with its referrer.
 *
 * @throws BUILD_REFUSED for a wallet that names itself
 * @example
 * nameReferrerAction(known, { wallet, referrer });
 */
export function nameReferrerAction(known: KnownAccounts, { wallet, referrer }: NameReferrerRequest): Action {
  const naming = { programs: known.programs, wallet, referrer };
  checkNaming(naming);
  return {
    wallet,
    named: namingReads(naming),
    expected: [],
    needed: () => [],
    build(read, at) {
      const accounts = namingAccounts(naming, read, at);
      return {
        kind: 'NAME_REFERRER',
        action: buildNaming(accounts),
        tables: [],
        walletTokens: [],
        preview: once(() => namingPreview(accounts)),
        after: once(() => namingChanges(accounts, read)),
        fresh: at.fresh,
      };
    },
  };
}

export interface ClaimFeesRequest extends ActionOptions {
  /** The referrer. */
  readonly wallet: Address;
  /** Reserves to claim from. By default all that owe the wallet fees. */
  readonly reserves?: readonly Address[];
}

/** @throws BUILD_REFUSED for an empty list, which would claim nothing */
export function checkClaimedReserves({ reserves }: ClaimFeesRequest): void {
  if (reserves?.length !== 0) return;
  const reason = 'the list of reserves is empty; omit it to claim from all';
  throw new SluiceError('BUILD_REFUSED', { reason });
}

/**
 * A claim of referral fees.
 *
 * @param owing the reserves in which the wallet has a referrer's account; those that the caller named, if any
 * @example
 * claimFeesAction(known, { wallet, reserves: [reserve] }, [reserve]);
 */
export function claimFeesAction(
  known: KnownAccounts,
  request: ClaimFeesRequest,
  owing: readonly Address[],
): Action {
  const { wallet } = request;
  const reserves = distinct(request.reserves ?? owing);
  const claim: FeeClaimRequest = {
    programs: known.programs,
    wallet,
    reserves,
    named: request.reserves !== undefined,
    lookupTables: distinct(
      reserves.flatMap((address) => {
        const market = known.reserve(address)?.lendingMarket;
        return market === undefined ? [] : known.tablesOfMarket(market);
      }),
    ),
  };
  return {
    wallet,
    named: firstFeeReads(claim),
    expected: distinct(
      reserves.flatMap((address) => {
        const reserve = known.reserve(address);
        return reserve === undefined ? [] : feeReads(wallet, reserve);
      }),
    ),
    needed: (read) => secondFeeReads(claim, read),
    build(read, at) {
      const accounts = feeClaimAccounts(claim, read, at);
      const action = buildFeeClaim(accounts, at.moment, request);
      const paid = paidFees(accounts, at.moment);
      const changed = new Set(paid.map(({ reserveAddress }) => reserveAddress));
      return {
        kind: 'CLAIM_REFERRAL_FEES',
        action,
        tables: accounts.tables,
        walletTokens: paid.map(({ token, reserve }) =>
          walletTokenAccount(token, reserve.liquidity.mintPubkey, reserve.liquidity.mintDecimals),
        ),
        preview: once(() => feeClaimPreview(accounts, action, at.moment)),
        after: once(() => feeClaimChanges(accounts, action, at.moment, read)),
        fresh: new Set([...at.fresh].filter((address) => !changed.has(address))),
      };
    },
  };
}
