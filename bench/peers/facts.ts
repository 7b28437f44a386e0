import type { NestedAnswer, PortfolioAnswer } from './queries.ts';

/** Values in a contender's answer, under names that all contenders share. */
export type Facts = ReadonlyMap<string, string>;

/** Whether a fact is a yield of one of these objects. */
export const isYieldOf = (fact: string, objects: ReadonlySet<string>): boolean =>
  fact.endsWith('apy') && objects.has(fact.split(/[ :]/)[1] ?? '');

/** Fact names: the address of the object, then the field. */
export const vaultFact = (vault: string, what: 'name' | 'tokens' | 'apy' | 'base apy' | 'price') =>
  `vault ${vault}: ${what}`;
export const allocationFact = (vault: string, reserve: string) => `vault ${vault}: lent in ${reserve}`;
export const reserveFact = (reserve: string, what: 'supply apy' | 'utilization' | 'price' | 'market') =>
  `reserve ${reserve}: ${what}`;
export const sharesFact = (vault: string) => `shares of ${vault}`;
export const positionFact = (obligation: string, side: 'deposit' | 'borrow', reserve: string) =>
  `loan ${obligation}: ${side} in ${reserve}`;

export function nestedFacts({ vaults }: NestedAnswer): Map<string, string> {
  const facts = new Map<string, string>();
  for (const { address, name, totalValue, currentApy: apy, token, allocations } of vaults.nodes) {
    facts.set(vaultFact(address, 'name'), name);
    if (totalValue !== null) facts.set(vaultFact(address, 'tokens'), totalValue.amount);
    if (apy !== null) {
      facts.set(vaultFact(address, 'apy'), apy.total);
      facts.set(vaultFact(address, 'base apy'), apy.base);
    }
    if (token.price !== null) facts.set(vaultFact(address, 'price'), token.price.usd);
    for (const { invested, reserve } of allocations) {
      if (reserve === null) continue;
      if (invested !== null) facts.set(allocationFact(address, reserve.address), invested.amount);
      facts.set(reserveFact(reserve.address, 'supply apy'), reserve.supplyApy.base);
      facts.set(reserveFact(reserve.address, 'utilization'), reserve.utilization);
      facts.set(reserveFact(reserve.address, 'market'), reserve.market.name);
      if (reserve.price !== null) facts.set(reserveFact(reserve.address, 'price'), reserve.price.usd);
    }
  }
  return facts;
}

/** Shares, deposits and borrows, in whole tokens. */
export function portfolioFacts({ wallet }: PortfolioAnswer): Map<string, string> {
  const facts = new Map<string, string>();
  for (const { totalShares, vault } of wallet.vaultPositions.nodes)
    facts.set(sharesFact(vault.address), totalShares);
  for (const { address, deposits, borrows } of wallet.obligations.nodes) {
    for (const { amount, reserve } of deposits)
      facts.set(positionFact(address, 'deposit', reserve.address), amount.amount);
    for (const { amount, reserve } of borrows)
      facts.set(positionFact(address, 'borrow', reserve.address), amount.amount);
  }
  return facts;
}

/** Tolerance between two numbers: relative to their size, or in absolute terms. Either is enough. */
export interface Tolerance {
  readonly relative: number;
  readonly absolute: number;
}

export const EXACT: Tolerance = { relative: 0, absolute: 0 };

function differ(expected: string, actual: string, { relative, absolute }: Tolerance): boolean {
  if (expected === actual) return false;
  const [a, b] = [Number(expected), Number(actual)];
  if (expected === '' || actual === '' || Number.isNaN(a) || Number.isNaN(b)) return true;
  const apart = Math.abs(a - b);
  return apart > absolute && apart > relative * Math.max(Math.abs(a), Math.abs(b));
}

/** Facts of a contender that differ from ours or that we do not have. Facts it lacks are not reported. */
export function differences(ours: Facts, theirs: Facts, tolerance: Tolerance): string[] {
  const found: string[] = [];
  for (const [name, value] of theirs) {
    const own = ours.get(name);
    if (own === undefined) found.push(`${name}: ${value}, missing in our answer`);
    else if (differ(own, value, tolerance)) found.push(`${name}: ${value}, ours is ${own}`);
  }
  return found;
}

/** Throws when a contender's facts differ, or cover less than `share` of ours. Returns how many agree. */
export function mustAgree(
  contender: string,
  ours: Facts,
  theirs: Facts,
  { tolerance, share }: { readonly tolerance: Tolerance; readonly share: number },
): number {
  const found = differences(ours, theirs, tolerance);
  if (found.length > 0)
    throw new Error(
      `${contender} returns ${found.length} different facts, such as ${found.slice(0, 3).join('; ')}`,
    );
  if (theirs.size < share * ours.size)
    throw new Error(`${contender} returns ${theirs.size} facts of ${ours.size}: too few to compare`);
  return theirs.size;
}
