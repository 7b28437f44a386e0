import { Decimal } from '@sluice/client';
import { part, price } from '../../format/numbers.ts';
import { loanLabel } from './loan-label.ts';
import { movesTogether, type TokenGroup } from './token-groups.ts';
import type { Loan } from './wallet-documents.ts';

/** The fall of one token of the collateral that breaks a loan, all else unchanged. */
export interface Break {
  readonly symbol: string;
  readonly at: string;
  readonly now: string;
  /** A fraction: 0.49 for a fall of 49 %. */
  readonly fall: Decimal;
}

type Breakable = Pick<Loan, 'deposits'>;

/** The smallest fall of one deposit that leads to liquidation. Null when no single one does. */
export function breakOf({ deposits }: Breakable): Break | null {
  const breaks = deposits.flatMap(({ reserve, liquidationPriceUsd }): Break[] => {
    const now = reserve?.price?.usd ?? null;
    if (reserve === null || now === null || liquidationPriceUsd === null || Decimal.of(now).isZero) return [];
    const fall = Decimal.of('1').minus(Decimal.of(liquidationPriceUsd).dividedBy(Decimal.of(now), 9));
    return [{ symbol: reserve.token.symbol, at: liquidationPriceUsd, now, fall }];
  });
  return breaks.sort((a, b) => a.fall.compare(b.fall))[0] ?? null;
}

/** At most two sentences: what breaks the nearest loans, and which ones hardly move. */
export function breakNotes(loans: readonly Loan[], groups: readonly TokenGroup[]): readonly string[] {
  return loans
    .filter(({ borrows }) => borrows.length > 0)
    .slice(0, 2)
    .flatMap((loan) => {
      const name = `The loan ${loanLabel(loan, loans)},`;
      if (movesTogether(loan, groups)) {
        const symbols = [...loan.deposits, ...loan.borrows].map(({ amount }) => amount?.token.symbol ?? '');
        return [`${name} hardly moves: ${[...new Set(symbols)].join(' and ')} fall together.`];
      }
      const broken = breakOf(loan);
      if (broken === null || broken.fall.isNegative) return [];
      return [
        `${name} breaks when ${broken.symbol} falls ${part(broken.fall, { whole: true }).text}, to ${price(Decimal.of(broken.at)).text}.`,
      ];
    });
}
