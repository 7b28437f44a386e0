import { parseDecimal, toDecimalString } from '@sluice/protocol/numeric/decimal';
import { Rational } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cases } from '../../packages/protocol/test/support/cases.ts';
import { type ActingApp, startActingApp } from '../support/apps/acting-app.ts';
import { debtUnits, depositUnits } from '../support/lending/position-units.ts';
import { Chance } from '../support/lending/random-states.ts';
import { buildLeverage, type LeverageAction, sendSigned } from '../support/leverage/leverage-actor.ts';
import { LeverageDesk } from '../support/leverage/leverage-desk.ts';

/** Actions without a swap of the caller, on the frozen localnet: quoted, built, signed by the wallet alone, sent and read. */

const CASES = cases(10, 330);
const SLIPPAGE_BPS = 50n;
const NONE = '11111111111111111111111111111111' as Address;

let world: ActingApp;
let desk: LeverageDesk;
let vanilla: Address;

beforeAll(async () => {
  world = await startActingApp({ quotes: true });
  desk = await LeverageDesk.open(
    world,
    [
      ['mSOL', 900_000_000_000n],
      ['USDC', 5_000_000_000n],
    ],
    ['USDC'],
  );
  vanilla = desk.obligation({ tag: 0, id: 0, seed1: NONE, seed2: NONE });
  await lend('Deposit', 'mSOL', '400');
  await lend('Borrow', 'USDC', '9000');
});
afterAll(() => world?.stop());

async function lend(action: 'Deposit' | 'Borrow', symbol: string, tokens: string): Promise<void> {
  const { wallet, market } = target();
  const { data } = await world.gateway.query<{ plan: { transactions: { base64: string }[] } }>(
    `mutation ($input: LendingActionInput!) { plan: buildLending${action}(input: $input) {
      ... on TransactionPlan { transactions { base64 } } ... on BuildError { code message } } }`,
    {
      variables: { input: { wallet, market, reserve: desk.of(symbol).address, amount: { tokens } } },
      headers: desk.headers,
    },
  );
  for (const { base64 } of data.plan.transactions) {
    desk.headers = (await sendSigned(world, base64, desk.wallet)).headers;
  }
}

const target = () => ({
  wallet: desk.wallet.address,
  market: world.localnet.addresses.market,
  options: desk.options,
});

/** The reserves of an action, by the names of its input. */
function sidesOf(action: LeverageAction, first: string, second: string) {
  const [a, b] = [desk.of(first).address, desk.of(second).address];
  if (action === 'SwapDebt') return { repayReserve: a, borrowReserve: b };
  if (action === 'SwapCollateral') return { withdrawReserve: a, depositReserve: b };
  return { collateralReserve: a, debtReserve: b };
}

/** Builds an action without a swap, signs with the wallet alone, sends, and compares preview and outcome. */
async function act(
  action: LeverageAction,
  [first, second]: readonly [string, string],
  input: object,
  obligation = vanilla,
) {
  const given = { ...target(), ...sidesOf(action, first, second), ...input };
  const plan = await buildLeverage(world, action, given, desk.headers);
  expect(plan.code, plan.message).toBeUndefined();
  const { preview } = plan;
  expect(preview.warnings.filter(({ level }) => level === 'ERROR')).toEqual([]);
  expect(preview.warnings.map(({ code }) => code)).not.toContain('UNKNOWN_PROGRAM_WRITES');
  expect(plan.simulation.success, plan.simulation.logs.join('\n')).toBe(true);
  const tokens = () => Promise.all([first, second].map((symbol) => desk.tokens(symbol)));
  const before = await tokens();
  let landed = null;
  for (const { base64, signers } of plan.transactions) {
    expect(signers).toEqual([desk.wallet.address]);
    landed = await sendSigned(world, base64, desk.wallet);
  }
  if (landed === null) throw new Error('nothing was sent');
  desk.headers = landed.headers;
  const gained = (await tokens()).map((units, i) => units - (before[i] ?? 0n));
  const quote = preview.quote ?? expect.fail('no quote');
  const [sold, expected, guaranteed] = [quote.sold, quote.expected, quote.guaranteed].map(({ baseUnits }) =>
    BigInt(baseUnits),
  ) as [bigint, bigint, bigint];
  expect(quote.router).toBe('LocaLnetExchange111111111111111111111111111');
  expect(quote.slippage).toBe('0.005');
  expect(guaranteed).toBe((expected * (10_000n - SLIPPAGE_BPS)) / 10_000n);
  // The exchange takes nothing but rounding, which is much of an amount of a few units.
  if (sold > 1_000_000n && expected > 1_000_000n) {
    expect(parseDecimal(quote.priceImpact).abs().compare(Rational.of(1n, 100_000n))).toBeLessThanOrEqual(0);
  }
  // What the swap pays beyond the minimum stays in the wallet, on the side that it buys.
  const buysSecond = action !== 'Multiply' && action !== 'SwapDebt';
  const worst = preview.worstCase.walletChanges.map(({ baseUnits }) => BigInt(baseUnits));
  const surplus = expected - guaranteed;
  const wanted = worst.map((units, i) => units + ((i === 1) === buysSecond ? surplus : 0n));
  // SOL is unwrapped into lamports, from which rent and the transaction's fee are paid, too.
  [first, second].forEach((symbol, i) => {
    if (symbol !== 'SOL') expect({ symbol, gained: gained[i] }).toEqual({ symbol, gained: wanted[i] });
  });
  const unitsOf = (symbol: string, side: 'debt' | 'deposit') => {
    const { address, decimals } = desk.of(symbol);
    const isOpen = (landed?.after.get(obligation)?.data.length ?? 0) > 0;
    const units = (side === 'debt' ? debtUnits : depositUnits)(landed?.after ?? fail(), obligation, address);
    return toDecimalString((isOpen ? units : Rational.of(0n)).div(Rational.of(10n ** BigInt(decimals))));
  };
  if (action === 'SwapDebt' || action === 'SwapCollateral') {
    const side = action === 'SwapDebt' ? 'debt' : 'deposit';
    expect(preview.positions.map((each) => each.tokens.after)).toEqual([
      unitsOf(first, side),
      unitsOf(second, side),
    ]);
  } else if (landed.after.get(obligation)?.data.length) {
    expect([preview.tokens.after, preview.debtTokens.after]).toEqual([
      unitsOf(first, 'deposit'),
      unitsOf(second, 'debt'),
    ]);
  }
  return { ...plan, sold, expected, guaranteed };
}

const fail = (): never => {
  throw new Error('nothing landed');
};

describe('without a swap of the caller', () => {
  it('a Multiply position is opened with a swap of the flash loan', async () => {
    const key = { tag: 1, id: 0, seed1: desk.of('mSOL').mint, seed2: desk.of('USDC').mint };
    const { sold, preview, bundle } = await act(
      'Multiply',
      ['mSOL', 'USDC'],
      { deposit: { tokens: '1' }, borrow: { tokens: '150' } },
      desk.obligation(key),
    );
    // The fee of the flash loan is 1/100,000, rounded, so 149.9985 is the largest loan that 150 repays.
    expect(sold).toBe(149_998_500n);
    expect(preview.fees.map(({ kind }) => kind)).toContain('FLASH_LOAN');
    expect(bundle.instructions.map(({ summary }) => summary).join('\n')).toMatch(
      /Swap 149\.9985 USDC for at least [\d.]+ mSOL, as quoted/,
    );
  });

  it('and closed, with the rest of the collateral in the wallet', async () => {
    const key = { tag: 1, id: 0, seed1: desk.of('mSOL').mint, seed2: desk.of('USDC').mint };
    const { preview } = await act(
      'Deleverage',
      ['mSOL', 'USDC'],
      { amount: { all: 'ALL' } },
      desk.obligation(key),
    );
    expect([preview.tokens.after, preview.debtTokens.after]).toEqual(['0', '0']);
    const [collateral, debt] = preview.worstCase.walletChanges;
    expect(BigInt(collateral?.baseUnits ?? 0)).toBeGreaterThan(900_000_000n);
    expect(BigInt(debt?.baseUnits ?? -1)).toBeGreaterThanOrEqual(0n);
    // Little more than needed is bought: interest of 25 minutes, and a margin of 1/10,000.
    expect(BigInt(debt?.baseUnits ?? 0)).toBeLessThan(100_000n);
  });

  it('a debt is repaid with collateral', async () => {
    const { guaranteed } = await act('RepayWithCollateral', ['mSOL', 'USDC'], { amount: { tokens: '100' } });
    expect(guaranteed).toBeGreaterThanOrEqual(100_001_000n);
    expect(guaranteed).toBeLessThan(100_030_000n);
  });

  it('a debt moves into SOL, and wholly back', async () => {
    await act('SwapDebt', ['USDC', 'SOL'], { amount: { tokens: '500' } });
    const { preview } = await act('SwapDebt', ['SOL', 'USDC'], { amount: { all: 'ALL' } });
    expect(preview.positions[0]?.tokens.after).toBe('0');
  });

  it('collateral moves in part', async () => {
    const { sold } = await act('SwapCollateral', ['mSOL', 'jitoSOL'], { amount: { tokens: '3' } });
    expect(sold).toBe(3_000_000_000n);
    const { preview } = await act('SwapCollateral', ['jitoSOL', 'mSOL'], { amount: { all: 'ALL' } });
    expect(preview.positions[0]?.tokens.after).toBe('0');
  });

  it('a step of a plan is quoted, too, and an error names it', async () => {
    const { wallet, market } = target();
    const swapDebt = { wallet, market, ...sidesOf('SwapDebt', 'USDC', 'USDT'), amount: { tokens: '7' } };
    const build = async (step: object) => {
      const { data } = await world.gateway.query<{ plan: object }>(
        `mutation ($actions: [BuildAction!]!) { plan: buildPlan(actions: $actions) {
          ... on TransactionPlan { steps { kind preview { quote { guaranteed { amount } } } } }
          ... on BuildError { code step } } }`,
        { variables: { actions: [{ swapDebt: step }] }, headers: desk.headers },
      );
      return data.plan;
    };
    expect(await build(swapDebt)).toMatchObject({
      steps: [
        {
          kind: 'SWAP_DEBT',
          preview: { quote: { guaranteed: { amount: expect.stringMatching(/^7\.00/) } } },
        },
      ],
    });
    const none = { ...swapDebt, ...sidesOf('SwapDebt', 'USDT', 'USDC') };
    expect(await build(none)).toEqual({ code: 'KLEND_POSITION_NOT_FOUND', step: 0 });
  });
});

describe('random actions without a swap', () => {
  const DEBTS = ['USDC', 'SOL', 'USDT'] as const;
  const COLLATERAL = ['mSOL', 'jitoSOL'] as const;
  const nextDebt = (chance: Chance, debt: string) => {
    const [first = 'USDC', ...others] = DEBTS.filter((each) => each !== debt);
    return chance.pick(first, ...others);
  };

  it(`have the outcome of their preview, ${CASES} of them`, { timeout: 1_800_000 }, async () => {
    let [debt, collateral]: readonly [string, string] = ['USDC', 'mSOL'];
    for (let seed = 1; seed <= CASES; seed += 1) {
      const chance = new Chance(seed + 9_000_000);
      const part = (whole: bigint) => `${1n + chance.below(whole)}.${10n + chance.below(90n)}`;
      switch (chance.pick('debt', 'collateral', 'repay')) {
        case 'debt': {
          const to = nextDebt(chance, debt);
          await act('SwapDebt', [debt, to], { amount: { all: 'ALL' } });
          debt = to;
          break;
        }
        case 'collateral': {
          const to = COLLATERAL.find((each) => each !== collateral) ?? 'mSOL';
          const all = chance.hit(0.3);
          const amount = all ? { all: 'ALL' } : { tokens: part(5n) };
          await act('SwapCollateral', [collateral, to], { amount });
          if (all) collateral = to;
          break;
        }
        default:
          await act('RepayWithCollateral', [collateral, debt], {
            amount: { tokens: debt === 'SOL' ? `0.0${10n + chance.below(90n)}` : part(9n) },
          });
      }
    }
  });
});
