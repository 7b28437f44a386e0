import type { Address } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ActingApp, startActingApp } from '../support/apps/acting-app.ts';
import { loansOf } from '../support/lending/liquidation-trial.ts';

/** Work that fields draw from the account of a request, compared with the size of the question. */

let acting: ActingApp;
let market: Address;
let loans: readonly Address[];
let mints: readonly Address[];

beforeAll(async () => {
  acting = await startActingApp();
  market = acting.localnet.addresses.market;
  loans = loansOf(acting.localnet.chain, market);
  const { data } = await acting.gateway.query<{
    market: { reserves: readonly { token: { mint: Address } }[]; risk: object };
  }>(
    `query ($market: Address!) { market(address: $market) { reserves { token { mint } } risk(shocks: []) { borrowers } } }`,
    {
      variables: { market },
    },
  );
  mints = data.market.reserves.map(({ token }) => token.mint);
}, 120_000);
afterAll(() => acting?.stop());

interface Drawn {
  readonly folded?: number;
  readonly resolved: number;
  readonly work: number;
}

async function drawnBy(query: string, variables: Readonly<Record<string, unknown>>) {
  const { errors, extensions } = await acting.gateway.query(query, { variables });
  expect(errors).toEqual([]);
  const { folded: steps = 0, resolved, work } = (extensions as unknown as { cost: Drawn }).cost;
  return { steps, resolved, work, calls: extensions.chain?.rpcRequests ?? 0 };
}

let named = 0;
/** Risk under shocks that no earlier query named, so that nothing is cached. */
const risk = (shocks: number) =>
  drawnBy(
    `query ($market: Address!, $shocks: [MarketShock!]!) {
      market(address: $market) { risk(shocks: $shocks) { now { loans } } }
    }`,
    {
      market,
      shocks: Array.from({ length: shocks }, (_, i) => {
        named += 1;
        return { label: `${named}`, prices: mints.map((mint) => ({ mint, changePct: `-${(i % 90) + 1}` })) };
      }),
    },
  );

const ofLoan = (fields: string, loan = loans[0]) =>
  drawnBy(`query ($loan: Address!) { obligation(address: $loan) { ${fields} } }`, { loan });

const aliases = (count: number, field: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => `a${index}: ${field(index)}`).join(' ');

async function positionsOf(loan: Address) {
  const { data } = await acting.gateway.query<{
    obligation: Record<'deposits' | 'borrows', readonly { reserveAddress: Address }[]>;
  }>(
    `query ($loan: Address!) { obligation(address: $loan) { deposits { reserveAddress } borrows { reserveAddress } } }`,
    { variables: { loan } },
  );
  return data.obligation;
}

describe('the account of a request', () => {
  it('is the sum of objects, steps and calls', async () => {
    const { steps, resolved, work, calls } = await ofLoan('whatIf { healthFactor }');
    expect([resolved, calls]).toEqual([2, 1]);
    // An account is a tenth of a unit.
    expect(work).toBe(Math.ceil(resolved + steps + 90 * calls + 0.1));
  });

  it('has an outcome of each loan in each scenario, 32 to a step', async () => {
    const [ten, hundred] = [await risk(10), await risk(100)];
    const outcomes = (scenarios: number) => (loans.length * scenarios) / 32;
    expect(ten.steps).toBeGreaterThan(outcomes(11));
    // Beside the loans: prices of every reserve, of which 16 are checked and 32 prepared in a step, and a sum per scenario.
    const prepared = (90 * mints.length * 3) / 32 + 90;
    expect(hundred.steps - ten.steps).toBeGreaterThan(outcomes(90));
    expect(hundred.steps - ten.steps).toBeLessThan(2 * (outcomes(90) + prepared));
  });

  it('has the loans of a list of those that can be liquidated', async () => {
    const { steps } = await drawnBy(
      `query ($market: Address!) {
        obligations(scope: { market: $market }, filter: { liquidatable: true }) { nodes { address } }
      }`,
      { market },
    );
    expect(steps).toBeGreaterThanOrEqual(Math.floor(loans.length / 32));
  });

  it('has each what-if, with the interest of each of its reserves', async () => {
    const now = await ofLoan('whatIf { healthFactor }');
    const later = await ofLoan('whatIf(days: 365) { healthFactor }');
    const five = await ofLoan(aliases(5, (i) => `whatIf(days: ${i + 300}) { healthFactor }`));
    const [loan] = loans;
    const { deposits, borrows } = await positionsOf(loan ?? expect.fail('no loan'));
    const reserves = new Set([...deposits, ...borrows].map(({ reserveAddress }) => reserveAddress)).size;
    expect(now.steps).toBeGreaterThan(reserves);
    // A growth of deposits and one of debts; a side without interest has none.
    expect(later.steps - now.steps).toBeGreaterThan(0);
    expect(later.steps - now.steps).toBeLessThanOrEqual(2 * reserves);
    expect(five.steps).toBe(5 * later.steps);
  });

  it('has a growth far from one as the many bits that it needs', async () => {
    const [loan] = loans;
    const { borrows } = await positionsOf(loan ?? expect.fail('no loan'));
    const rate = (apy: string) =>
      `whatIf(days: 3650, rates: [{ reserve: "${borrows[0]?.reserveAddress}", borrowApy: "${apy}" }]) { healthFactor }`;
    const [near, far] = [await ofLoan(rate('0.1')), await ofLoan(rate('999'))];
    // 2^24 is reached by 10 years at 425 % and not by 10 years at 10 %.
    expect(far.steps - near.steps).toBe(19);
  });

  it('has each evaluation of a search', async () => {
    const [loan] = loans;
    const { borrows } = await positionsOf(loan ?? expect.fail('no loan'));
    const search = (health: string) =>
      `toReach(by: REPAY, reserve: "${borrows[0]?.reserveAddress}", healthFactor: "${health}") { limit }`;
    const [one, eight] = [await ofLoan(search('3')), await ofLoan(aliases(8, () => search('3')))];
    expect(one.steps).toBeGreaterThan(2);
    expect(eight.steps).toBe(8 * one.steps);
  });

  it('has the obligations and shares of a wallet in a what-if', async () => {
    const { data } = await acting.gateway.query<{ obligation: { owner: { address: Address } } }>(
      `query ($loan: Address!) { obligation(address: $loan) { owner { address } } }`,
      { variables: { loan: loans[0] } },
    );
    const wallet = data.obligation.owner.address;
    const { steps, calls } = await drawnBy(
      `query ($wallet: Address!) { wallet(address: $wallet) { whatIf { obligations { healthFactor } } } }`,
      { wallet },
    );
    expect(steps).toBeGreaterThan(4);
    expect(calls).toBeGreaterThan(2);
  });
});
