import { Decimal } from '@sluice/client';
import type { PriceShock } from './what-if-documents.ts';

export interface GroupedToken {
  readonly mint: string;
  readonly symbol: string;
  /** SOL per token. Null for a token that is not staked SOL. */
  readonly stakeRateSol: string | null;
}

interface Side {
  readonly reserve: { readonly token: GroupedToken; readonly price: { readonly usd: string } | null } | null;
}

export interface LoanSidesOf {
  readonly deposits: readonly Side[];
  readonly borrows: readonly Side[];
}

/** Tokens whose prices move together, under one slider. */
export interface TokenGroup {
  /** In the link: the symbol of the token that leads the group. */
  readonly key: string;
  readonly name: string;
  /** Symbol of the token in whose price a sentence speaks. */
  readonly lead: string;
  readonly leadUsd: string | null;
  readonly mints: readonly string[];
  /** Prices of dollar tokens hardly move: they stand behind a click. */
  readonly isDollar: boolean;
}

const SOL_MINT = 'So11111111111111111111111111111111111111112';
const [LEAST_DOLLAR, MOST_DOLLAR] = [Decimal.of('0.95'), Decimal.of('1.05')];

type Priced = GroupedToken & { readonly usd: string | null };

/** Tokens of the loans, each once: SOL with its staked forms, then every other, tokens of a dollar last. */
export function tokenGroups(loans: readonly LoanSidesOf[]): readonly TokenGroup[] {
  const tokens = new Map<string, Priced>();
  for (const { deposits, borrows } of loans)
    for (const { reserve } of [...deposits, ...borrows])
      if (reserve !== null)
        tokens.set(reserve.token.mint, { ...reserve.token, usd: reserve.price?.usd ?? null });
  const all = [...tokens.values()];
  const sol = all.filter(isSol).sort((a, b) => Number(b.mint === SOL_MINT) - Number(a.mint === SOL_MINT));
  const others = all.filter((token) => !isSol(token)).map((token) => groupOf([token], token.symbol));
  const [lead] = sol;
  const solGroups = lead === undefined ? [] : [groupOf(sol, solName(sol))];
  const groups = [...solGroups, ...others].sort((a, b) => Number(a.isDollar) - Number(b.isDollar));
  // Two tokens may have one symbol: the link then names the mint.
  return groups.map((group, index) =>
    groups.findIndex(({ key }) => key === group.key) === index
      ? group
      : { ...group, key: group.mints[0] ?? group.key },
  );
}

const isSol = ({ mint, stakeRateSol }: Priced): boolean => mint === SOL_MINT || stakeRateSol !== null;

function solName(tokens: readonly Priced[]): string {
  const [lead, ...others] = tokens;
  if (lead === undefined || others.length === 0) return lead?.symbol ?? '';
  return lead.mint === SOL_MINT ? 'SOL and staked SOL' : 'Staked SOL';
}

function groupOf(tokens: readonly Priced[], name: string): TokenGroup {
  const [lead] = tokens;
  const usd = lead?.usd ?? null;
  return {
    key: lead?.symbol ?? name,
    name,
    lead: lead?.symbol ?? name,
    leadUsd: usd,
    mints: tokens.map(({ mint }) => mint),
    isDollar:
      usd !== null && Decimal.of(usd).compare(LEAST_DOLLAR) >= 0 && Decimal.of(usd).compare(MOST_DOLLAR) <= 0,
  };
}

/** Changes in percent, by the key of a group. */
export type Changes = Readonly<Record<string, number>>;

/** Groups whose prices are supposed to change. */
export const changedGroups = (groups: readonly TokenGroup[], changes: Changes): readonly TokenGroup[] =>
  groups.filter(({ key }) => (changes[key] ?? 0) !== 0);

export const priceShocks = (groups: readonly TokenGroup[], changes: Changes): readonly PriceShock[] =>
  changedGroups(groups, changes).flatMap(({ key, mints }) =>
    mints.map((mint) => ({ mint, changePct: String(changes[key]) })),
  );

/** Whether the collateral and the debt of a loan move together, so that no price alone breaks it. */
export function movesTogether({ deposits, borrows }: LoanSidesOf, groups: readonly TokenGroup[]): boolean {
  const keyOf = ({ reserve }: Side): string | null =>
    reserve === null ? null : (groups.find(({ mints }) => mints.includes(reserve.token.mint))?.key ?? null);
  const keys = new Set([...deposits, ...borrows].map(keyOf));
  return borrows.length > 0 && keys.size === 1 && !keys.has(null);
}
