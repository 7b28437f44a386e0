import type { LendingMarket } from '@sluice/protocol/klend/lending-market';
import type { BorrowOrder, Obligation } from '@sluice/protocol/klend/obligation';
import { type Reserve, reserve as reserveLayout } from '@sluice/protocol/klend/reserve';
import { placePoint } from '@sluice/protocol/numeric/decimal';
import { associatedTokenAddress } from '@sluice/protocol/token/addresses';
import type { Address } from '@solana/kit';
import { lendingBlock } from '../../domain/action-blocks.ts';
import { borrowOrderInWords } from '../../domain/borrow-order-words.ts';
import { borrowOrderMisfit, borrowOrderSlots, isPlacedOrder } from '../../domain/borrow-orders.ts';
import { existingObligation, liquidityTokenProgram, marketAt } from '../lending/request.ts';
import { checkDecimals, type ReadAccounts, readableAccount } from '../read-accounts.ts';
import { type SymbolOf, symbolsFrom } from '../token-symbol.ts';
import { type BorrowOrderRequest, refused } from './request.ts';

/** One reserve of the token of an order. */
export interface TokenReserve {
  readonly address: Address;
  readonly value: Reserve;
}

/** All inputs of a change of a borrow order. */
export interface BorrowOrderAccounts {
  readonly request: BorrowOrderRequest;
  readonly market: LendingMarket;
  readonly obligationAddress: Address;
  readonly obligation: Obligation;
  /** The readable reserves of the token in the market; at least one. */
  readonly reserves: readonly [TokenReserve, ...TokenReserve[]];
  /** The wallet's own account for the token. */
  readonly ownToken: Address;
  readonly tokenProgram: Address;
  readonly symbolOf: SymbolOf;
}

/** Decodes the accounts. @param known the reserves of the token */
export function borrowOrderAccounts(
  request: BorrowOrderRequest,
  known: readonly Pick<TokenReserve, 'address'>[],
  read: ReadAccounts,
): BorrowOrderAccounts {
  const { klend } = request.programs;
  const market = marketAt(read, request.market, klend);
  const { obligation, obligationAddress } = existingObligation(request, read);
  const [first, ...others] = known.flatMap(({ address }): TokenReserve[] => {
    const value = readableAccount(read, address, reserveLayout, klend);
    return value === null ? [] : [{ address, value }];
  });
  if (first === undefined) throw refused('no reserve of the token can be read');
  const { mintPubkey, mintDecimals } = first.value.liquidity;
  checkDecimals('Reserve', first.address, mintDecimals);
  const tokenProgram = liquidityTokenProgram(first.value);
  return {
    request,
    market,
    obligationAddress,
    obligation,
    reserves: [first, ...others],
    ownToken: associatedTokenAddress(request.wallet, tokenProgram, mintPubkey).address,
    tokenProgram,
    symbolOf: symbolsFrom(read),
  };
}

/** The order in a slot; null for an empty one. */
export function placedOrder(obligation: Obligation, index: number): BorrowOrder | null {
  const order = borrowOrderSlots(obligation)[index];
  return order !== undefined && isPlacedOrder(order) ? order : null;
}

/** The reserves that could fill an order as far as its terms go. */
export function fittingReserves(
  reserves: readonly TokenReserve[],
  market: LendingMarket,
  order: BorrowOrder,
  timestamp: bigint,
): TokenReserve[] {
  return reserves.filter(
    ({ value }) =>
      borrowOrderMisfit(order, value.config, timestamp) === null &&
      lendingBlock(market, value, timestamp) === null,
  );
}

/** `12.5 USDC`. */
export function tokensInWords(symbolOf: SymbolOf, reserve: Reserve, units: bigint): string {
  return `${placePoint(units, Number(reserve.liquidity.mintDecimals))} ${symbolOf(reserve)}`;
}

export const describedOrder = (symbolOf: SymbolOf, reserve: Reserve, order: BorrowOrder): string =>
  borrowOrderInWords(order, tokensInWords(symbolOf, reserve, order.remainingDebtAmount));
