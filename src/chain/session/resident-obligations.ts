import { borrowOrder, obligation } from '@sluice/protocol/klend/obligation';
import { addressBytes } from '@sluice/protocol/layout/base58';
import type { Address } from '@solana/kit';
import type { WorkBudget } from '../../node/work-budget.ts';
import type { ChainAccount } from '../accounts/account-page.ts';
import type { Positions } from '../positions/positions.ts';

const MARKET_AT = obligation.offsetOf('lendingMarket');
const TAIL = obligation.offsetOf('tailBorrowOrders');
/** Places of the borrow orders in an obligation. */
export const BORROW_ORDER_PLACES: readonly number[] = [
  obligation.offsetOf('headBorrowOrder'),
  TAIL,
  TAIL + borrowOrder.size,
];
const { debtLiquidityMint, active } = borrowOrder.offsets;
/** Obligations looked at in a step of work. */
const OBLIGATIONS_PER_STEP = 64;

/** Those of a market, as its bytes say; all when it is null. */
export function obligationsIn(
  obligations: readonly ChainAccount[],
  market: Address | null,
): readonly ChainAccount[] {
  if (market === null) return obligations;
  const key = addressBytes(market);
  return obligations.filter(({ data }) => hasBytes(data, MARKET_AT, key));
}

/** Obligations of a market with a borrow order, for one token or for any, by address. */
export async function withBorrowOrders(
  positions: Positions,
  market: Address,
  mint: Address | null,
  work: WorkBudget,
): Promise<readonly ChainAccount[]> {
  const wanted = mint === null ? Uint8Array.of(1) : addressBytes(mint);
  const offset = mint === null ? active : debtLiquidityMint;
  const found: ChainAccount[] = [];
  let seen = 0;
  for (const account of positions.within('obligation', market)) {
    const pause = seen % OBLIGATIONS_PER_STEP === 0 ? work.step(1) : null;
    if (pause !== null) await pause;
    seen += 1;
    if (BORROW_ORDER_PLACES.some((place) => hasBytes(account.data, place + offset, wanted)))
      found.push(account);
  }
  return found.sort((a, b) => (a.address < b.address ? -1 : 1));
}

function hasBytes(data: Uint8Array, offset: number, bytes: Uint8Array): boolean {
  return (
    data.length >= offset + bytes.length &&
    Buffer.compare(data.subarray(offset, offset + bytes.length), bytes) === 0
  );
}
