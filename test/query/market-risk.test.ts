import { parseDecimal, toDecimalString } from '@sluice/protocol/numeric/decimal';
import { sum } from '@sluice/protocol/numeric/rational';
import { WRAPPED_SOL_MINT } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ActingApp, startActingApp } from '../support/apps/acting-app.ts';
import { addressNumber } from '../support/builders/lending-accounts.ts';
import { acceptsLiquidation, loansOf } from '../support/lending/liquidation-trial.ts';

const UNKNOWN = addressNumber(77);

let acting: ActingApp;
beforeAll(async () => {
  acting = await startActingApp();
}, 120_000);
afterAll(() => acting?.stop());

interface Named {
  readonly obligation: Address;
  readonly debtUsd: string;
}
interface Scenario {
  readonly label: string | null;
  readonly loans: number;
  readonly debtUsd: string;
  readonly liquidatable: { readonly loans: number; readonly debtUsd: string; readonly collateralUsd: string };
  readonly addedLiquidatableDebtUsd: string;
  readonly badDebtUsd: string;
  readonly badDebtLoans: number;
  readonly unvalued: readonly { readonly reason: string; readonly loans: number }[];
  readonly byCollateral: readonly {
    readonly reserveAddress: Address;
    readonly debtUsd: string;
    readonly collateralUsd: string;
  }[];
  readonly health: readonly {
    readonly from: string | null;
    readonly to: string | null;
    readonly loans: number;
  }[];
  readonly liquidatableLoans: readonly Named[];
}
interface Risk {
  readonly index: { readonly loans: number; readonly slot: string; readonly indexedAt: string };
  readonly now: Scenario;
  readonly shocks: readonly Scenario[];
  readonly borrowers: number;
  readonly largestBorrowers: readonly {
    readonly owner: Address;
    readonly debtUsd: string;
    readonly share: string;
  }[];
  readonly collateral: readonly { readonly reserveAddress: Address; readonly share: string }[];
}

const SCENARIO = `fragment S on ScenarioRisk {
  label loans debtUsd liquidatable { loans debtUsd collateralUsd } addedLiquidatableDebtUsd badDebtUsd badDebtLoans
  unvalued { reason loans } byCollateral { reserveAddress debtUsd collateralUsd }
  health { from to loans } liquidatableLoans(first: 1000) { obligation debtUsd }
}`;
const RISK = `query ($market: Address!, $shocks: [MarketShock!]!) {
  market(address: $market) { risk(shocks: $shocks) {
    index { loans slot indexedAt } now { ...S } shocks { ...S }
    borrowers largestBorrowers(first: 3) { owner debtUsd share } collateral { reserveAddress share }
  } }
} ${SCENARIO}`;
const PRICES = `query ($market: Address!) {
  market(address: $market) { reserves { token { mint symbol price { usd } } } }
}`;

interface Shock {
  readonly label: string;
  readonly prices: readonly { readonly mint: Address; readonly changePct?: string; readonly usd?: string }[];
}

async function askRisk(shocks: readonly Shock[], headers: Readonly<Record<string, string>> = {}) {
  const { market } = acting.localnet.addresses;
  const answer = await acting.gateway.query<{ market: { risk: Risk | null } }>(RISK, {
    variables: { market, shocks },
    headers,
  });
  return answer;
}

async function risk(shocks: readonly Shock[], headers: Readonly<Record<string, string>> = {}): Promise<Risk> {
  const { data, text } = await askRisk(shocks, headers);
  if (!data?.market?.risk) throw new Error(text);
  return data.market.risk;
}

async function prices(headers: Readonly<Record<string, string>> = {}) {
  type Tokens = { token: { mint: Address; symbol: string; price: { usd: string } } }[];
  const { market } = acting.localnet.addresses;
  const { data, text } = await acting.gateway.query<{ market: { reserves: Tokens } }>(PRICES, {
    variables: { market },
    headers,
  });
  if (!data?.market) throw new Error(text);
  return data.market.reserves.map(({ token }) => token);
}

const slotNow = () => ({ 'x-min-slot': String(acting.localnet.chain.slot) });
const accepted = () => {
  const { chain: localChain, addresses } = acting.localnet;
  return loansOf(localChain, addresses.market).filter((loan) => acceptsLiquidation(localChain, loan));
};

describe('the risk of a market', () => {
  it('names exactly the loans that the program lets be liquidated once the prices have fallen', async () => {
    const before = await prices(slotNow());
    const { data, text, extensions } = await askRisk([]);
    const view = data.market.risk ?? expect.fail(text);
    const loans = loansOf(acting.localnet.chain, acting.localnet.addresses.market);
    // The first question waits for a scan of the marks, and for the loans in pages of 98.
    expect(extensions.chain?.rpcRequests).toBe(1 + Math.ceil(loans.length / 98));
    expect(view.index.loans).toBe(loans.length);
    expect(loans.length).toBeGreaterThan(20);
    expect(new Set(view.now.liquidatableLoans.map(({ obligation }) => obligation))).toEqual(
      new Set(accepted()),
    );

    const old = await acting.gateway.query(`{ chain { view } }`);
    const headers = { 'x-view': (old.data as { chain: { view: string } }).chain.view };
    const sol = before.find(({ symbol }) => symbol === 'SOL');
    const fallen = String(Math.round(Number(sol?.price.usd) * 60) / 100);
    await acting.call('localnet_setPrice', ['SOL', fallen]);
    const after = await prices(slotNow());
    const shock = {
      label: 'SOL -40 %',
      prices: after.map(({ mint, price }) => ({ mint, usd: price.usd })),
    };
    const { now, shocks } = await risk([shock], headers);
    const named = new Set(shocks[0]?.liquidatableLoans.map(({ obligation }) => obligation));
    expect(named).toEqual(new Set(accepted()));
    expect(named.size).toBeGreaterThan(now.liquidatable.loans);
    expect(named.size).toBeLessThan(loans.length);
    // The list that keepers use finds the same loans at the new prices.
    const list = await acting.gateway.query<{
      obligations: { totalCount: number; nodes: { address: Address }[] };
    }>(
      `query ($market: Address!) { obligations(scope: { market: $market }, filter: { liquidatable: true }, orderBy: { field: HEALTH, direction: ASC }, first: 100) {
        totalCount indexedAt nodes { address healthFactor } } }`,
      { variables: { market: acting.localnet.addresses.market }, headers: slotNow() },
    );
    expect(new Set(list.data.obligations.nodes.map(({ address }) => address))).toEqual(named);
    expect(list.data.obligations.totalCount).toBe(named.size);
  });

  it('divides its totals among collateral, health and borrowers without a remainder', async () => {
    const [sol] = (await prices()).filter(({ symbol }) => symbol === 'SOL');
    if (sol === undefined) throw new Error('no SOL');
    const { now, shocks, borrowers, largestBorrowers, collateral, index } = await risk([
      { label: 'half', prices: [{ mint: sol.mint, changePct: '-50' }] },
      { label: 'same', prices: [] },
    ]);
    expect(shocks.map(({ label }) => label)).toEqual(['half', 'same']);
    expect(shocks[1]).toEqual({ ...now, label: 'same', addedLiquidatableDebtUsd: '0' });
    expect(now).toMatchObject({ label: null, addedLiquidatableDebtUsd: '0', unvalued: [] });
    for (const scenario of [now, ...shocks]) {
      const { liquidatable, byCollateral, health, loans } = scenario;
      expect(loans).toBe(index.loans);
      expect(health.reduce((sum, each) => sum + each.loans, 0)).toBe(loans);
      expect(added(byCollateral.map(({ debtUsd }) => debtUsd))).toBe(liquidatable.debtUsd);
      expect(added(byCollateral.map(({ collateralUsd }) => collateralUsd))).toBe(liquidatable.collateralUsd);
    }
    expect(health(now)).toEqual([
      [null, '1'],
      ['1', '1.05'],
      ['1.05', '1.1'],
      ['1.1', '1.25'],
      ['1.25', '1.5'],
      ['1.5', '2'],
      ['2', '3'],
      ['3', null],
    ]);
    expect(borrowers).toBeLessThanOrEqual(index.loans);
    expect(largestBorrowers.map(({ debtUsd }) => Number(debtUsd))).toEqual(
      largestBorrowers.map(({ debtUsd }) => Number(debtUsd)).toSorted((a, b) => b - a),
    );
    expect(Number(added(collateral.map(({ share }) => share)))).toBeCloseTo(1, 12);
  });

  it.each<[string, Shock['prices'], string]>([
    ['an unknown mint', [{ mint: UNKNOWN, changePct: '-5' }], 'SHOCK_MINT_UNKNOWN'],
    ['a fall of more than everything', [{ mint: WRAPPED_SOL_MINT, changePct: '-101' }], 'SHOCK_INVALID'],
    ['a price without a value', [{ mint: WRAPPED_SOL_MINT }], 'SHOCK_INVALID'],
    [
      'a token named twice',
      [
        { mint: WRAPPED_SOL_MINT, changePct: '-5' },
        { mint: WRAPPED_SOL_MINT, usd: '1' },
      ],
      'SHOCK_INVALID',
    ],
  ])('refuses %s', async (_, shocked, code) => {
    const { data, errors } = await askRisk([{ label: 'wrong', prices: shocked }]);
    expect(errors.map(({ extensions }) => extensions?.code)).toEqual([code]);
    expect(data.market.risk).toBeNull();
  });

  it('refuses more shocks than a heat map has', async () => {
    const { errors } = await askRisk(Array.from({ length: 101 }, (_, i) => ({ label: `${i}`, prices: [] })));
    expect(errors.map(({ extensions }) => extensions?.code)).toEqual(['LIST_TOO_LONG']);
  });
});

describe('the list of loans that can be liquidated', () => {
  const LIST = `query ($scope: ObligationScope!, $liquidatable: Boolean!, $first: Int, $after: String) {
    obligations(scope: $scope, filter: { liquidatable: $liquidatable }, orderBy: { field: BORROWED, direction: DESC }, first: $first, after: $after) {
      totalCount indexedAt pageInfo { hasNextPage endCursor } nodes { address owner { address } }
    } }`;
  interface List {
    readonly obligations: {
      readonly totalCount: number;
      readonly indexedAt: string | null;
      readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
      readonly nodes: readonly { readonly address: Address; readonly owner: { readonly address: Address } }[];
    };
  }
  const list = (variables: Readonly<Record<string, unknown>>) =>
    acting.gateway.query<List>(LIST, { variables: { liquidatable: true, ...variables } });
  const market = () => ({ scope: { market: acting.localnet.addresses.market } });

  it('goes from the largest debt to the smallest, page by page', async () => {
    const { now } = await risk([]);
    const found: Address[] = [];
    let after: string | null = null;
    do {
      const { data, text }: { data: List; text: string } = await list({ ...market(), first: 4, after });
      if (!data?.obligations) throw new Error(text);
      found.push(...data.obligations.nodes.map(({ address }) => address));
      expect(data.obligations.indexedAt).not.toBeNull();
      const { hasNextPage, endCursor } = data.obligations.pageInfo;
      after = hasNextPage ? endCursor : null;
    } while (after !== null);
    expect(found).toEqual(now.liquidatableLoans.map(({ obligation }) => obligation));
    expect(found.length).toBeGreaterThan(4);
  });

  it('agrees with the obligations of a wallet', async () => {
    const { data } = await list({ ...market(), first: 1 });
    const [loan] = data.obligations.nodes;
    const [open, safe] = await Promise.all([
      list({ scope: { owner: loan?.owner.address } }),
      list({ scope: { owner: loan?.owner.address }, liquidatable: false }),
    ]);
    expect(open.data.obligations.nodes.map(({ address }) => address)).toContain(loan?.address);
    expect(safe.data.obligations.nodes.map(({ address }) => address)).not.toContain(loan?.address);
  });

  it('refuses to list all healthy obligations of a market', async () => {
    const { errors } = await list({ ...market(), liquidatable: false });
    expect(errors.map(({ extensions }) => extensions?.code)).toEqual(['BAD_REQUEST']);
  });
});

const health = ({ health: buckets }: Scenario) => buckets.map(({ from, to }) => [from, to]);
const added = (values: readonly string[]) => toDecimalString(sum(values.map(parseDecimal)));
