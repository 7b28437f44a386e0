import { Decimal } from '@sluice/client';
import type { PlannedMoves } from './vault-plan-documents.ts';

type Move = Pick<PlannedMoves['moves'][number], 'kind' | 'summary' | 'reserve' | 'allocation'>;

const withUnit = (amount: Decimal, symbol: string): string =>
  `${amount.abs().format({ places: amount.abs().compare(Decimal.of('10000')) >= 0 ? 0 : 2 })} ${symbol}`;

/** A move in words, with the name of the reserve. */
export function moveText(
  { kind, summary, reserve, allocation }: Move,
  symbol: string,
  nameOf: (reserve: string) => string,
): string {
  if (reserve === null || allocation === null) return summary;
  const name = nameOf(reserve);
  switch (kind) {
    case 'INVEST_VAULT': {
      const moved = Decimal.of(allocation.tokens.after ?? '0').minus(
        Decimal.of(allocation.tokens.before ?? '0'),
      );
      return moved.isNegative
        ? `Take ${withUnit(moved, symbol)} out of ${name}`
        : `Put ${withUnit(moved, symbol)} into ${name}`;
    }
    case 'SET_VAULT_ALLOCATION':
      return [
        `Set ${name}`,
        ...changeText('weight', allocation.weight, ''),
        ...changeText('cap', allocation.cap, ` ${symbol}`),
      ].join(', ');
    case 'REMOVE_VAULT_ALLOCATION':
      return `Leave ${name} for good`;
    default:
      return summary;
  }
}

interface Change {
  readonly before: string | null;
  readonly after: string | null;
}

function changeText(what: string, { before, after }: Change, unit: string): readonly string[] {
  if (before === after) return [];
  const text = (value: string | null) => (value === null ? 'none' : `${Decimal.of(value).format()}${unit}`);
  return [`${what} from ${text(before)} to ${text(after)}`];
}
