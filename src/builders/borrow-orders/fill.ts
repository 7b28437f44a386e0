import { fillBorrowOrderV2 } from '@sluice/protocol/klend/order-instructions';
import { eventAuthority } from '@sluice/protocol/layout/pda';
import type { Address } from '@solana/kit';
import { isExpiredOrder } from '../../domain/borrow-orders.ts';
import { dateInWords } from '../../domain/dates.ts';
import type { Moment } from '../../domain/moment.ts';
import { type Action, type BuiltStep, once } from '../action.ts';
import { type BuiltAction, instruction } from '../built-instruction.ts';
import type { KnownAccounts } from '../known-accounts.ts';
import { referencesOf } from '../lending/action.ts';
import { expectedObligationReads, knownOracles } from '../lending/expected-reads.ts';
import type { LendingOutcome } from '../lending/preview.ts';
import { freshAfter, groupReserves, lendingRefresh } from '../lending/refresh.ts';
import { reserveReads } from '../lending/request.ts';
import { obligationSetup } from '../lending/setup.ts';
import { permissionOf, sharedAccounts } from '../lending/terms.ts';
import { permissionAccounts } from '../permission.ts';
import { createTokenAccount } from '../token-instructions.ts';
import { tokensInWords } from './accounts.ts';
import { type FillAccounts, fillAccounts } from './fill-accounts.ts';
import { fillChanges } from './fill-changes.ts';
import { fillOutcome } from './fill-outcome.ts';
import { fillPreview } from './fill-preview.ts';
import { type FillRequest, firstFillReads, secondFillReads } from './fill-request.ts';
import { checkBorrowOrderIndex, refused } from './request.ts';

export interface FillBorrowOrderRequest {
  /** Whoever fills. */
  readonly wallet: Address;
  /** Anyone's obligation. */
  readonly obligation: Address;
  readonly index: number;
  /** The reserve to borrow from. */
  readonly reserve: Address;
}

/**
 * The fill of a borrow order: a debt of the obligation's owner, who receives the tokens. Anyone may send it.
 *
 * @throws BUILD_REFUSED when there is no such order, it is for another token, or it has expired
 * @example
 * fillBorrowOrderAction(known, { wallet, obligation, index: 0, reserve });
 */
export function fillBorrowOrderAction(known: KnownAccounts, given: FillBorrowOrderRequest): Action {
  const { wallet, obligation, index, reserve } = given;
  checkBorrowOrderIndex(index);
  const market = known.reserve(reserve)?.lendingMarket;
  const request: FillRequest = {
    programs: known.programs,
    wallet,
    obligation,
    index,
    reserve,
    lookupTables: market === undefined ? [] : known.tablesOfMarket(market),
    oracles: market === undefined ? [] : knownOracles(known, market),
  };
  return {
    wallet,
    named: firstFillReads(request),
    expected: expectedReads(known, request, market),
    needed: (read) => secondFillReads(request, read),
    build(read, at): BuiltStep {
      const accounts = fillAccounts(request, read, at);
      const { moment } = at;
      checkNotExpired(accounts, moment);
      const outcome = once(() => fillOutcome(accounts, moment));
      return {
        kind: 'FILL_BORROW_ORDER',
        action: builtFill(accounts, outcome().borrow),
        tables: accounts.borrow.tables,
        walletTokens: [],
        preview: once(() => fillPreview(accounts, outcome(), moment)),
        after: once(() => fillChanges(accounts, outcome(), moment, read)),
        fresh: freshAfter(accounts.borrow),
        references: referencesOf(accounts.borrow),
      };
    },
  };
}

/** The refresh in front of the fill would remove it. */
function checkNotExpired({ order, request }: FillAccounts, { timestamp }: Moment): void {
  if (!isExpiredOrder(order, timestamp)) return;
  const until = order.fillableUntilTimestamp;
  throw refused(
    `borrow order ${request.index} could be filled until ${dateInWords(until)} and has expired (6138 BorrowOrderFillTimeLimitExceeded)`,
  );
}

/** Accounts that a fill will probably need: those that its reserve and its obligation refer to. */
function expectedReads(known: KnownAccounts, request: FillRequest, market: Address | undefined): Address[] {
  const reserve = known.reserve(request.reserve);
  if (reserve === undefined || market === undefined) return [];
  const { programs, wallet, obligation: address, lookupTables, oracles } = request;
  const borrow = {
    action: 'borrow',
    programs,
    wallet,
    market,
    reserve: request.reserve,
    obligation: { address },
    lookupTables,
    oracles,
  } as const;
  return [market, ...reserveReads(borrow, reserve), ...expectedObligationReads(known, borrow)];
}

function builtFill(accounts: FillAccounts, { effect }: LendingOutcome): BuiltAction {
  const { request, borrow, order, ownToken } = accounts;
  const { klend } = request.programs;
  const { mintPubkey, supplyVault, feeVault } = borrow.reserve.liquidity;
  const { payer, tokenProgram, token } = borrow;
  const state = borrow.referrerStates.find(({ reserve }) => reserve === request.reserve);
  const { owner, ...shared } = sharedAccounts(borrow);
  const opening = createTokenAccount(
    { wallet: owner, payer },
    ownToken,
    mintPubkey,
    tokenProgram,
    borrow.symbol,
  );
  return {
    amount: effect.moved,
    all: false,
    wrappedSol: null,
    instructions: [
      ...(token.address === ownToken ? [opening] : []),
      ...obligationSetup(borrow),
      ...lendingRefresh(borrow),
      instruction(
        fillBorrowOrderV2,
        klend,
        {
          ...shared,
          payer: request.wallet,
          borrowReserve: request.reserve,
          borrowReserveLiquidityMint: mintPubkey,
          reserveSourceLiquidity: supplyVault,
          borrowReserveLiquidityFeeReceiver: feeVault,
          userDestinationLiquidity: order.filledDebtDestination,
          referrerTokenState: state?.address ?? null,
          tokenProgram,
          eventAuthority: eventAuthority(klend).address,
          program: klend,
        },
        { orderIdx: request.index },
        {
          summary: `Fill borrow order ${request.index} of the obligation: borrow up to ${tokensInWords(borrow.symbolOf, borrow.reserve, order.remainingDebtAmount)} for its owner`,
          remaining: [...groupReserves(borrow), ...permissionAccounts(permissionOf(borrow))],
        },
      ),
    ],
  };
}
