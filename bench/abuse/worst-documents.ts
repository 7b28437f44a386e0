import type { Address } from '@solana/kit';

/**
 * Permitted documents that once cost much more than they were charged. `test/query/worst-work.test.ts` executes them and
 * counts their work, so that none of them becomes cheap again.
 *
 * To add one, take the request of a finding (`npm run bench -- abuse --json FILE`), name its accounts by the cast, lower its
 * aliases until it takes about a second, and allow the work that its processor time is worth: a unit is at most 0.2 ms.
 */
export interface WorstDocument {
  readonly name: string;
  readonly query: string;
  /** The same work for each event of a stream. */
  readonly subscription: string;
  readonly variables: Readonly<Record<string, unknown>>;
  /** Units of work that it draws at least: less would be sold too cheaply. */
  readonly leastWork: number;
  /** Units of work that it may draw. */
  readonly mostWork: number;
  /** Lookups in the View between two turns, each of which is over at once. Preparing all aliases together takes more. */
  readonly mostLookups: number;
}

/** Accounts of a market with at least 15 tokens. */
export interface WorstCast {
  readonly market: Address;
  /** A vault that lends to the market. */
  readonly vault: Address;
  readonly loans: number;
  readonly mints: readonly Address[];
  /** An obligation with several debts and deposits. */
  readonly obligation: Address;
  readonly debts: readonly Address[];
  readonly deposits: readonly Address[];
  /** Its health factor. */
  readonly health: number;
}

const aliases = (count: number, field: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => `a${index}: ${field(index)}`).join(' ');

const SHOCKS = 100;
const SHOCKED_MINTS = 15;
const RISKS = 4;
const WHAT_IFS = 20;
const TARGETS = 20;
/** In terms of the present health: each is reached by a part of a position. */
const TARGET_OF = { REPAY: 1.001, WITHDRAW: 0.99, DEPOSIT: 1.001 } as const;

export function worstDocuments(cast: WorstCast): readonly WorstDocument[] {
  const { market, vault, loans, mints, obligation, debts, deposits, health } = cast;
  const shocked = mints.slice(0, SHOCKED_MINTS);
  // Aliases with equal shocks share one pass.
  const shocksOf = (alias: number) =>
    Array.from({ length: SHOCKS }, (_, number) => ({
      label: `${alias} ${number}`,
      prices: shocked.map((mint, index) => ({ mint, changePct: `-${((number + index) % 90) + 1}.25` })),
    }));
  const shockLists = Array.from({ length: RISKS }, (_, alias) => shocksOf(alias));
  const used = [...new Set([...debts, ...deposits])];
  const rates = used.map((reserve, index) => ({
    reserve,
    supplyApy: `${900 + index}.123456`,
    borrowApy: `${950 + index}.654321`,
  }));
  const ofMarket = (fields: string, declared: string) => ({
    query: `query ($market: Address!, ${declared}) { market(address: $market) { ${fields} } }`,
    subscription: `subscription ($vault: Address!, ${declared}) {
      vaults(addresses: [$vault]) { vault { allocations { reserve { market { ${fields} } } } } }
    }`,
  });
  const ofObligation = (fields: string, declared: string) => ({
    query: `query ($obligation: Address!, ${declared}) { obligation(address: $obligation) { ${fields} } }`,
    subscription: `subscription ($obligation: Address!, ${declared}) {
      obligations(addresses: [$obligation]) { obligation { ${fields} } }
    }`,
  });
  return [
    {
      name: 'aliases of Market.risk under a hundred shocks of fifteen tokens',
      ...ofMarket(
        aliases(RISKS, (i) => `risk(shocks: $shocks${i}) { now { loans } }`),
        shockLists.map((_, i) => `$shocks${i}: [MarketShock!]!`).join(', '),
      ),
      variables: {
        market,
        vault,
        ...Object.fromEntries(shockLists.map((shocks, i) => [`shocks${i}`, shocks])),
      },
      // An outcome of a loan takes about 5 us.
      leastWork: (RISKS * loans * (SHOCKS + 1)) / 40,
      mostWork: RISKS * ((loans * (SHOCKS + 1)) / 20 + 1_000),
      // All pairs of debts and deposits of one loan under all shocks.
      mostLookups: 4_000,
    },
    {
      name: 'aliases of Obligation.whatIf with rates that multiply an amount many times',
      ...ofObligation(
        aliases(WHAT_IFS, (index) => `whatIf(days: ${3_650 - index}, rates: $rates) { healthFactor }`),
        '$rates: [ReserveRates!]',
      ),
      variables: { obligation, rates },
      // Both rates of a reserve take 3 to 7 ms.
      leastWork: WHAT_IFS * used.length * 15,
      mostWork: WHAT_IFS * used.length * 60,
      mostLookups: 200,
    },
    ...(['REPAY', 'WITHDRAW', 'DEPOSIT'] as const).map((action) => ({
      name: `aliases of Obligation.toReach by ${action}`,
      ...ofObligation(
        aliases(
          TARGETS,
          (index) =>
            `toReach(by: ${action}, reserve: $reserve, healthFactor: "${(health * TARGET_OF[action] + index / 1e6).toFixed(9)}") { limit }`,
        ),
        '$reserve: Address!',
      ),
      variables: { obligation, reserve: (action === 'REPAY' ? debts : deposits)[0] },
      // A search halves a range of up to 2^64 amounts.
      leastWork: TARGETS * 20,
      mostWork: TARGETS * 100,
      mostLookups: 200,
    })),
  ];
}
