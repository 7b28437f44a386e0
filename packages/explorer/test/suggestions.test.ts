import { expect, it } from 'vitest';
import { matching, type Suggestion } from '../src/shell/suggestions.ts';

const suggestion = (kind: Suggestion['kind'], name: string, weight = 0, also = ''): Suggestion => ({
  kind,
  key: name,
  name,
  detail: '',
  route: '/',
  figure: null,
  also,
  weight,
});

const ALL = [
  suggestion('vault', 'Harbor SOL', 5),
  suggestion('vault', 'Harbor USDC Prime', 18),
  suggestion('vault', 'Safe Harbor', 90),
  suggestion('vault', 'Compass SOL', 4, 'SOL Compass Labs'),
  suggestion('market', 'Harbor Market', 100),
  suggestion('token', 'HUSD', 1, 'Harbor USD'),
];
const names = (typed: string) => matching(ALL, typed).map(({ name }) => name);

it('puts names that begin with the text first, then words, then symbols and curators, larger ones first', () => {
  expect(names('har')).toEqual(['Harbor Market', 'Harbor USDC Prime', 'Harbor SOL', 'Safe Harbor', 'HUSD']);
  expect(names('compass labs')).toEqual(['Compass SOL']);
});

it('shows at most four of a kind, and nothing before something is typed', () => {
  const many = Array.from({ length: 9 }, (_, i) => suggestion('vault', `Vault ${i}`, i));
  expect(matching(many, 'vault')).toHaveLength(4);
  expect(names('  ')).toEqual([]);
});
