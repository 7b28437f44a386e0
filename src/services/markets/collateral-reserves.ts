import { WRAPPED_SOL_MINT } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import type { View } from '../../chain/view/view.ts';
import { type BorrowTerms, borrowRoom, borrowTerms } from '../../domain/borrow-terms.ts';
import { perView } from '../request/per-view.ts';
import type { MarketRecord, ReserveRecord } from '../request/records.ts';
import { reserveAmount } from '../reserves/reserves.ts';
import type { TokenAmount } from '../tokens/amounts.ts';
import { Valuation } from '../tokens/valuation.ts';
import { reservesOfMarket } from './markets.ts';

/** SOL includes liquid-staking tokens. */
export type DebtCategory = 'STABLECOIN' | 'SOL' | 'OTHER';

const CATEGORIES: readonly DebtCategory[] = ['STABLECOIN', 'SOL', 'OTHER'];

/** Terms on which a reserve can be borrowed against a collateral. */
export interface CollateralBorrowTerms extends BorrowTerms {
  readonly debt: ReserveRecord;
  /** Amount that all borrowers together can still borrow on these terms, fees included. */
  room(): TokenAmount;
}

/** A collateral with the debts of one category that it can back. */
export interface CollateralReserve {
  readonly market: MarketRecord;
  readonly collateral: ReserveRecord;
  readonly debtCategory: DebtCategory;
  /** By supply of the debt reserve, largest first; several terms of one reserve with the highest maximum LTV first. */
  readonly terms: readonly CollateralBorrowTerms[];
}

/** The category of a debt: whether the catalogue marks its token as a stablecoin, else whether it is SOL or staked SOL. */
function debtCategory(view: View, mint: Address): DebtCategory {
  const valuation = Valuation.of(view);
  if (valuation.catalogue.tokens.get(mint)?.stablecoin) return 'STABLECOIN';
  return mint === WRAPPED_SOL_MINT || valuation.stakeRateSol(mint) !== null ? 'SOL' : 'OTHER';
}

/** Borrowable amounts against each collateral of a market, largest supply of the collateral first. */
export const collateralReserves = perView(
  (view: View, market: MarketRecord): readonly CollateralReserve[] => {
    const reserves = reservesOfMarket(view, market);
    const debts = reserves.map((debt) => ({
      debt,
      category: debtCategory(view, debt.value.liquidity.mintPubkey),
    }));
    return reserves.flatMap((collateral) => {
      const terms = debts.flatMap(({ debt, category }) =>
        termsOf(view, market, collateral, debt).map((each) => ({ category, each })),
      );
      return CATEGORIES.flatMap((category) => {
        const own = terms.filter((term) => term.category === category).map(({ each }) => each);
        return own.length === 0 ? [] : { market, collateral, debtCategory: category, terms: own };
      });
    });
  },
);

function termsOf(
  view: View,
  market: MarketRecord,
  collateral: ReserveRecord,
  debt: ReserveRecord,
): CollateralBorrowTerms[] {
  const addressed = ({ address, value }: ReserveRecord) => ({ address, account: value });
  return borrowTerms(market.value, addressed(collateral), addressed(debt), view.moment).map((terms) => ({
    ...terms,
    debt,
    room: () => {
      const valuation = Valuation.of(view);
      const [backing, lent] = [valuation.accrued(collateral), valuation.accrued(debt)];
      return reserveAmount(view, debt, borrowRoom(backing, lent, terms.group, view.moment));
    },
  }));
}
