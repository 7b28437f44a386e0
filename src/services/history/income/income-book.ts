import { roundParts } from '@sluice/protocol/numeric/decimal';
import { type Rational, sum, ZERO } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import { totalIfKnown } from '../../../domain/arithmetic.ts';
import { sumOf } from '../../../domain/pnl/denominated.ts';
import { type TokenAmount, valuedAmount } from '../../tokens/amounts.ts';
import type { Value } from '../../wallets/wallets.ts';
import type { LentToken } from '../obligations/point.ts';

/** Income that is an amount of a token. */
export const AMOUNTS = ['interestEarned', 'interestPaid', 'rewards', 'fees', 'liquidations'] as const;
/** Income that is a change of value. */
export const GAINS = ['realizedGain', 'unrealizedGain'] as const;

export type AmountField = (typeof AMOUNTS)[number];
export type GainField = (typeof GAINS)[number];

/** Income in one token. Null where a rate, a price or an amount is unknown. */
export type TokenIncome = { readonly mint: Address } & {
  readonly [F in AmountField]: TokenAmount | null;
} & { readonly [F in GainField]: Value };

/** The value of all income. Null where a part is unknown. */
export type IncomeTotals = { readonly [F in AmountField | GainField]: Value } & {
  /** interestEarned - interestPaid + rewards - fees + liquidations + realizedGain + unrealizedGain, exactly. */
  readonly profit: Value;
};

interface Sums {
  baseUnits: Rational | null;
  usd: Rational | null;
  sol: Rational | null;
}

const DENOMINATIONS = ['baseUnits', 'usd', 'sol'] as const;
const NOTHING: Sums = { baseUnits: ZERO, usd: ZERO, sol: ZERO };

interface Cell {
  readonly token: LentToken;
  readonly sums: Record<AmountField | GainField, Sums>;
}

/** Adds up income by period and token. Gains have no amount of tokens. */
export class IncomeBook {
  readonly #periods: readonly Map<Address, Cell>[];

  constructor(periods: number) {
    this.#periods = Array.from({ length: periods }, () => new Map());
  }

  /** Adds to a period by its index. Null is unknown, and makes the sum unknown. */
  add(period: number, token: LentToken, field: AmountField | GainField, added: Sums): void {
    const cells = this.#periods[period];
    if (cells === undefined || DENOMINATIONS.every((each) => added[each]?.isZero)) return;
    const cell = cells.get(token.mint) ?? { token, sums: emptySums() };
    cells.set(token.mint, cell);
    const before = cell.sums[field];
    cell.sums[field] = {
      baseUnits: sumOf(before.baseUnits, added.baseUnits),
      usd: sumOf(before.usd, added.usd),
      sol: sumOf(before.sol, added.sol),
    };
  }

  /** The tokens of each period, by mint, rounded so that published sums are those of published parts. */
  periods(): (readonly TokenIncome[])[] {
    this.#round();
    return this.#periods.map((cells) =>
      [...cells.values()].map(incomeOf).sort((a, b) => (a.mint < b.mint ? -1 : a.mint > b.mint ? 1 : 0)),
    );
  }

  #round(): void {
    const cells = this.#periods.flatMap((each) => [...each.values()]);
    for (const unit of DENOMINATIONS) {
      const known = cells.flatMap(({ sums }) =>
        [...AMOUNTS, ...GAINS].flatMap((field) => {
          const value = sums[field][unit];
          return value === null ? [] : [{ of: sums[field], value }];
        }),
      );
      const rounded = roundParts(known.map(({ value }) => value));
      for (const [i, { of }] of known.entries()) of[unit] = rounded[i] ?? ZERO;
    }
  }
}

const emptySums = (): Record<AmountField | GainField, Sums> => ({
  interestEarned: { ...NOTHING },
  interestPaid: { ...NOTHING },
  rewards: { ...NOTHING },
  fees: { ...NOTHING },
  liquidations: { ...NOTHING },
  realizedGain: { ...NOTHING },
  unrealizedGain: { ...NOTHING },
});

function incomeOf({ token, sums }: Cell): TokenIncome {
  const amount = (field: AmountField) => {
    const { baseUnits, usd, sol } = sums[field];
    return baseUnits === null ? null : valuedAmount(token, baseUnits, { usd, sol });
  };
  const gain = ({ usd, sol }: Sums): Value => ({ usd, sol });
  return {
    mint: token.mint,
    interestEarned: amount('interestEarned'),
    interestPaid: amount('interestPaid'),
    rewards: amount('rewards'),
    fees: amount('fees'),
    liquidations: amount('liquidations'),
    realizedGain: gain(sums.realizedGain),
    unrealizedGain: gain(sums.unrealizedGain),
  };
}

const UNKNOWN: Value = { usd: null, sol: null };

/** The sums of rounded incomes. */
export function totalsOf(incomes: readonly TokenIncome[]): IncomeTotals {
  const of = (field: AmountField | GainField): Value => {
    const values = incomes.map((income) => income[field] ?? UNKNOWN);
    return {
      usd: totalIfKnown(values.map(({ usd }) => usd)),
      sol: totalIfKnown(values.map(({ sol }) => sol)),
    };
  };
  const totals = {
    interestEarned: of('interestEarned'),
    interestPaid: of('interestPaid'),
    rewards: of('rewards'),
    fees: of('fees'),
    liquidations: of('liquidations'),
    realizedGain: of('realizedGain'),
    unrealizedGain: of('unrealizedGain'),
  };
  const profit = (unit: keyof Value) =>
    totalIfKnown([
      totals.interestEarned[unit],
      totals.interestPaid[unit]?.neg() ?? null,
      totals.rewards[unit],
      totals.fees[unit]?.neg() ?? null,
      totals.liquidations[unit],
      totals.realizedGain[unit],
      totals.unrealizedGain[unit],
    ]);
  return { ...totals, profit: { usd: profit('usd'), sol: profit('sol') } };
}

/** The sums by token over several periods, by mint. */
export function sumByToken(periods: readonly (readonly TokenIncome[])[]): TokenIncome[] {
  const byMint = new Map<Address, TokenIncome[]>();
  for (const income of periods.flat()) byMint.set(income.mint, [...(byMint.get(income.mint) ?? []), income]);
  return [...byMint]
    .map(([mint, incomes]) => {
      const { profit: _, ...totals } = totalsOf(incomes);
      const amount = (field: AmountField): TokenAmount | null => {
        const parts = incomes.map((income) => income[field]);
        const known = parts.flatMap((each) => each ?? []);
        const [first] = known;
        if (first === undefined || known.length < parts.length) return null;
        return valuedAmount(first, sum(known.map(({ baseUnits }) => baseUnits)), totals[field]);
      };
      return {
        mint,
        interestEarned: amount('interestEarned'),
        interestPaid: amount('interestPaid'),
        rewards: amount('rewards'),
        fees: amount('fees'),
        liquidations: amount('liquidations'),
        realizedGain: totals.realizedGain,
        unrealizedGain: totals.unrealizedGain,
      };
    })
    .sort((a, b) => (a.mint < b.mint ? -1 : 1));
}
