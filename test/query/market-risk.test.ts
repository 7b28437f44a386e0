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

describe('the loans at risk under a shock', () => {
  interface Side {
    readonly reserveAddress: Address;
    readonly reserve: { readonly token: { readonly symbol: string } };
  }
  interface Endangered {
    readonly obligation: Address;
    readonly owner: Address;
    readonly reason: string | null;
    readonly debtUsd: string;
    readonly badDebtUsd: string;
    readonly collateralUsd: string;
    readonly deposits: readonly (Side & { readonly valueUsd: string })[];
    readonly debts: readonly (Side & { readonly valueUsd: string })[];
  }
  interface Loan {
    readonly owner: { readonly address: Address };
    readonly deposits: readonly (Side & { readonly amount: { readonly usd: string } })[];
    readonly borrows: readonly (Side & { readonly amount: { readonly usd: string } })[];
  }

  it('are those whose values, each moved by hand, leave them open to a liquidation or without cover', async () => {
    const fall = 0.3;
    const shocks = [
      { label: 'SOL', prices: [{ mint: WRAPPED_SOL_MINT, changePct: String(-100 * (1 - fall)) }] },
    ];
    const { data, text } = await acting.gateway.query<{
      market: {
        risk: {
          shocks: {
            liquidatable: { debtUsd: string };
            liquidatableLoans: { obligation: Address }[];
            badDebtUsd: string;
            atRisk: { loans: number; debtUsd: string; badDebtUsd: string };
            loansAtRisk: Endangered[];
          }[];
        };
      };
    }>(
      `query ($market: Address!, $shocks: [MarketShock!]!) { market(address: $market) { risk(shocks: $shocks) { shocks {
        liquidatable { debtUsd } liquidatableLoans(first: 1000) { obligation } badDebtUsd
        atRisk { loans debtUsd badDebtUsd }
        loansAtRisk(first: 100) {
          obligation owner reason debtUsd badDebtUsd collateralUsd
          deposits { reserveAddress valueUsd reserve { token { symbol } } }
          debts { reserveAddress valueUsd reserve { token { symbol } } }
        } } } } }`,
      { variables: { market: acting.localnet.addresses.market, shocks }, headers: slotNow() },
    );
    const [scenario] = data?.market?.risk?.shocks ?? expect.fail(text);
    if (scenario === undefined) throw new Error(text);
    const addresses = loansOf(acting.localnet.chain, acting.localnet.addresses.market);
    const fields = `owner { address }
      deposits { reserveAddress amount { usd } reserve { token { symbol } } }
      borrows { reserveAddress amount { usd } reserve { token { symbol } } }`;
    const loans = new Map<Address, Loan>();
    for (const address of addresses) {
      const answer = await acting.gateway.query<{ obligation: Loan }>(
        `query ($address: Address!) { obligation(address: $address) { ${fields} } }`,
        { variables: { address } },
      );
      loans.set(address, answer.data.obligation);
    }
    const moved = (sides: Loan['deposits']) =>
      sides.reduce(
        (all, { amount, reserve }) => all + Number(amount.usd) * (reserve.token.symbol === 'SOL' ? fall : 1),
        0,
      );
    const open = new Set(scenario.liquidatableLoans.map(({ obligation }) => obligation));
    const expected = [...loans].flatMap(([address, { deposits, borrows }]) => {
      const [collateral, debt] = [moved(deposits), moved(borrows)];
      const bad = Math.max(0, debt - collateral);
      return open.has(address) || bad > 0.01 ? [{ address, collateral, debt, bad }] : [];
    });
    expect(expected.some(({ bad }) => bad > 1)).toBe(true);
    const found = scenario.loansAtRisk;
    expect(new Set(found.map(({ obligation }) => obligation))).toEqual(
      new Set(expected.map(({ address }) => address)),
    );
    for (const { address, collateral, debt, bad } of expected) {
      const one = found.find(({ obligation }) => obligation === address);
      const loan = loans.get(address);
      expect(one?.owner).toBe(loan?.owner.address);
      expect(Number(one?.debtUsd) / debt).toBeCloseTo(1, 4);
      expect(Number(one?.collateralUsd) / collateral).toBeCloseTo(1, 4);
      expect(Math.abs(Number(one?.badDebtUsd) - bad)).toBeLessThan(debt * 1e-4 + 0.01);
      expect(one?.reason !== null).toBe(open.has(address));
      expect(one?.deposits.map(({ reserveAddress }) => reserveAddress)).toEqual(
        loan?.deposits.map(({ reserveAddress }) => reserveAddress),
      );
      expect(one?.debts.map(({ reserve }) => reserve.token.symbol)).toEqual(
        loan?.borrows.map(({ reserve }) => reserve.token.symbol),
      );
    }
    expect(found.map(({ debtUsd }) => Number(debtUsd))).toEqual(
      found.map(({ debtUsd }) => Number(debtUsd)).toSorted((a, b) => b - a),
    );
    const { atRisk } = scenario;
    expect(atRisk.loans).toBe(found.length);
    expect(Number(atRisk.debtUsd)).toBeCloseTo(Number(added(found.map(({ debtUsd }) => debtUsd))), 6);
    expect(Number(atRisk.badDebtUsd)).toBeCloseTo(
      Number(added(found.map(({ badDebtUsd }) => badDebtUsd))),
      6,
    );
    expect(atRisk.badDebtUsd).toBe(scenario.badDebtUsd);
    expect(Number(atRisk.debtUsd)).toBeGreaterThanOrEqual(Number(scenario.liquidatable.debtUsd));
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
