import { reserve as reserveLayout } from '@sluice/protocol/klend/reserve';
import { parseDecimal, toDecimalString } from '@sluice/protocol/numeric/decimal';
import { Rational } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ActingApp, type Landed, startActingApp } from '../support/apps/acting-app.ts';
import { alterAccount } from '../support/apps/plan-actor.ts';
import { Explainer, sentences } from '../support/explain/explainer.ts';
import { debtUnits, depositUnits, ratiosOf } from '../support/lending/position-units.ts';
import { expectNear } from '../support/leverage/expect-position.ts';
import { buildLeverage, type LeveragePlan, sendSigned } from '../support/leverage/leverage-actor.ts';
import { LeverageDesk } from '../support/leverage/leverage-desk.ts';

/** Debt and collateral of a vanilla obligation, swapped on the frozen localnet: built, signed by wallet and maker, sent and read. */

const SYMBOLS = ['mSOL', 'USDC', 'USDT', 'SOL', 'jitoSOL'] as const;
type Action = 'SwapDebt' | 'SwapCollateral';

let world: ActingApp;
let desk: LeverageDesk;
let obligation: Address;

beforeAll(async () => {
  world = await startActingApp();
  desk = await LeverageDesk.open(world, [['mSOL', 5_000_000_000n]], SYMBOLS);
  obligation = desk.obligation({ tag: 0, id: 0, seed1: NONE, seed2: NONE });
  await lend('Deposit', 'mSOL', '4');
  await lend('Borrow', 'USDC', '150');
});
afterAll(() => world?.stop());

const NONE = '11111111111111111111111111111111' as Address;

async function lend(action: 'Deposit' | 'Borrow', symbol: string, tokens: string): Promise<void> {
  const { data } = await world.gateway.query<{ plan: { transactions: { base64: string }[] } }>(
    `mutation ($input: LendingActionInput!) { plan: buildLending${action}(input: $input) {
      ... on TransactionPlan { transactions { base64 } } ... on BuildError { code message } } }`,
    {
      variables: {
        input: {
          wallet: desk.wallet.address,
          market: world.localnet.addresses.market,
          reserve: desk.of(symbol).address,
          amount: { tokens },
        },
      },
      headers: desk.headers,
    },
  );
  for (const { base64 } of data.plan.transactions) {
    const landed = await sendSigned(world, base64, desk.wallet);
    desk.headers = landed.headers;
  }
}

const inputOf = (action: Action, from: string, to: string) => {
  const [old, next] = [desk.of(from).address, desk.of(to).address];
  const sides =
    action === 'SwapDebt'
      ? { repayReserve: old, borrowReserve: next }
      : { withdrawReserve: old, depositReserve: next };
  const { wallet, market } = desk.target({ collateral: from, debt: to });
  return { wallet, market, ...sides, options: desk.options };
};

const build = (action: Action, from: string, to: string, input: object) =>
  buildLeverage(world, action, { ...inputOf(action, from, to), ...input }, desk.headers);

const published = (units: Rational, decimals: number) =>
  toDecimalString(units.div(Rational.of(10n ** BigInt(decimals))));

/** Builds a swap that works, and sends it; the chain then has what the preview says. */
async function act(
  action: Action,
  from: string,
  to: string,
  input: object,
): Promise<LeveragePlan & { readonly landed: Landed }> {
  const plan = await build(action, from, to, input);
  expect(plan.code, plan.message).toBeUndefined();
  expect(plan.preview.warnings.filter(({ level }) => level === 'ERROR')).toEqual([]);
  expect(plan.simulation.success, plan.simulation.logs.join('\n')).toBe(true);
  const tokens = () => Promise.all([from, to].map((symbol) => desk.tokens(symbol)));
  const before = await tokens();
  let landed: Landed | undefined;
  for (const { base64, signers } of plan.transactions) {
    const makers = signers.includes(desk.maker.address) ? [desk.maker] : [];
    landed = await sendSigned(world, base64, desk.wallet, ...makers);
  }
  if (landed === undefined) throw new Error('nothing was sent');
  desk.headers = landed.headers;
  const { after } = landed;
  const unitsIn = action === 'SwapDebt' ? debtUnits : depositUnits;
  expect(plan.preview.positions.map(({ reserve, tokens: of }) => [reserve, of.after])).toEqual(
    [from, to].map((symbol) => {
      const { address, decimals } = desk.of(symbol);
      return [address, published(unitsIn(after, obligation, address), decimals)];
    }),
  );
  const { loanToValue, healthFactor } = ratiosOf(after, obligation);
  expectNear(plan.preview.loanToValue.after, loanToValue);
  expectNear(plan.preview.healthFactor.after, healthFactor);
  expect(plan.preview.worstCase.leverage).toBe(plan.preview.leverage.after);
  // SOL is unwrapped into lamports, from which rent and the transaction's fee are paid, too.
  if (from !== 'SOL' && to !== 'SOL') {
    const gained = (await tokens()).map((units, i) => units - (before[i] ?? 0n));
    expect(gained).toEqual(plan.preview.worstCase.walletChanges.map(({ baseUnits }) => BigInt(baseUnits)));
  }
  return { ...plan, landed };
}

describe('a debt', () => {
  it('moves in part to another token', async () => {
    const { preview, bundle } = await act('SwapDebt', 'USDC', 'USDT', {
      amount: { tokens: '60' },
      swap: desk.swap(['USDT', 60_100_000n], ['USDC', 60_050_000n]),
    });
    const [old, to] = preview.positions;
    expect([old?.side, to?.side, to?.tokens.before]).toEqual(['DEBT', 'DEBT', '0']);
    expect(preview.worstCase.walletChanges[0]?.baseUnits).toBe('50000');
    expect(preview.worstCase.walletChanges[1]?.baseUnits).toBe('0');
    expect(preview.fees.map(({ kind }) => kind)).toEqual(['FLASH_LOAN', 'ORIGINATION']);
    const summaries = bundle.instructions.map(({ summary }) => summary);
    expect(summaries).toContain('Take a flash loan of 60.1 USDT');
    expect(summaries).toContain('Repay 60 USDC');
  });

  it('moves wholly into SOL, which is unwrapped by nobody on the way', async () => {
    const { preview } = await act('SwapDebt', 'USDC', 'SOL', {
      amount: { all: 'ALL' },
      swap: desk.swap(['SOL', 500_000_000n], ['USDC', 90_200_000n]),
    });
    expect(preview.positions[0]?.tokens.after).toBe('0');
    expect(parseDecimal(preview.positions[1]?.tokens.after ?? '').compare(parseDecimal('0.5'))).toBe(1);
  });

  it('and back, with a plan of one step', async () => {
    const input = {
      ...inputOf('SwapDebt', 'SOL', 'USDC'),
      amount: { tokens: '0.25' },
      swap: desk.swap(['USDC', 45_000_000n], ['SOL', 251_000_000n]),
    };
    const { options, ...step } = input;
    const { data } = await world.gateway.query<{
      plan: { steps: { kind: string }[]; transactions: { base64: string }[] };
    }>(
      `mutation ($action: BuildAction!, $options: BuildOptions) {
        plan: buildPlan(actions: [$action], options: $options) {
          ... on TransactionPlan { steps { kind } transactions { base64 } } ... on BuildError { code message } } }`,
      { variables: { action: { swapDebt: step }, options }, headers: desk.headers },
    );
    expect(data.plan.steps).toEqual([{ kind: 'SWAP_DEBT' }]);
    const landed = await sendSigned(world, data.plan.transactions[0]?.base64, desk.wallet, desk.maker);
    desk.headers = landed.headers;
    expect(debtUnits(landed.after, obligation, desk.of('USDC').address).toNumber()).toBeGreaterThan(
      45_000_000,
    );
  });
});

describe('collateral', () => {
  it('moves in part to another token', async () => {
    const { preview } = await act('SwapCollateral', 'mSOL', 'jitoSOL', {
      amount: { tokens: '1.5' },
      swap: desk.swap(['mSOL', 1_500_000_000n], ['jitoSOL', 1_490_000_003n]),
    });
    const [old, to] = preview.positions;
    expect([old?.side, to?.side, to?.tokens.before]).toEqual(['DEPOSIT', 'DEPOSIT', '0']);
    expect(to?.liquidationPriceUsd.before).toBeNull();
    expect(to?.liquidationPriceUsd.after ?? old?.liquidationPriceUsd.after).not.toBeUndefined();
    expect(preview.fees.map(({ kind }) => kind)).toEqual(['FLASH_LOAN']);
  });

  it('moves wholly, with what is not sold left in the wallet', async () => {
    const { preview } = await act('SwapCollateral', 'mSOL', 'jitoSOL', {
      amount: { all: 'ALL' },
      swap: desk.swap(['mSOL', 2_400_000_000n], ['jitoSOL', 2_350_000_000n]),
    });
    expect(preview.positions[0]?.tokens.after).toBe('0');
    expect(BigInt(preview.worstCase.walletChanges[0]?.baseUnits ?? 0)).toBeGreaterThan(90_000_000n);
  });

  it('moves into SOL', async () => {
    const { preview } = await act('SwapCollateral', 'jitoSOL', 'SOL', {
      amount: { tokens: '1' },
      swap: desk.swap(['jitoSOL', 1_000_000_000n], ['SOL', 1_050_000_000n]),
    });
    expect(preview.positions[1]?.tokens.before).toBe('0');
  });

  it('is explained sentence by sentence', async () => {
    const plan = await build('SwapCollateral', 'jitoSOL', 'SOL', {
      amount: { tokens: '0.1' },
      swap: desk.swap(['jitoSOL', 100_000_000n], ['SOL', 105_000_000n]),
    });
    const explainer = new Explainer(world, desk.wallet);
    const told = sentences(await explainer.explain(plan.transactions[0]?.base64 ?? ''));
    expect(told).toContainEqual(expect.stringMatching(/flash loan/i));
    expect(told).toContainEqual(expect.stringMatching(/^Withdraw/));
    expect(told).toContainEqual(expect.stringMatching(/^Deposit/));
  });
});

describe('refusals', () => {
  it('warns of collateral that is worth too little, which the simulation finds, too', async () => {
    await lend('Borrow', 'USDC', '120');
    const plan = await build('SwapCollateral', 'jitoSOL', 'SOL', {
      amount: { tokens: '2.5' },
      swap: desk.swap(['jitoSOL', 2_500_000_000n], ['SOL', 10_000_000n]),
    });
    expect(plan.preview.warnings).toContainEqual(
      expect.objectContaining({ level: 'ERROR', code: 'COLLATERAL_TOO_LOW' }),
    );
    expect(plan.simulation.success).toBe(false);
    const refused = await build('SwapCollateral', 'jitoSOL', 'SOL', {
      amount: { tokens: '2.5' },
      swap: desk.swap(['jitoSOL', 2_500_000_000n], ['SOL', 10_000_000n]),
      options: { ...desk.options, strict: true },
    });
    expect(refused.code).toBe('BUILD_REFUSED');
  });

  it('says how much the minimum out must be', async () => {
    const refused = await build('SwapDebt', 'USDC', 'USDT', {
      amount: { tokens: '20' },
      swap: desk.swap(['USDT', 20_100_000n], ['USDC', 19_999_999n]),
    });
    expect(refused.__typename).toBe('SwapRefused');
    expect(refused.message).toMatch(/20 USDC \(20000000 base units\) repays the debt/);
  });

  it('names a Multiply obligation', async () => {
    const pair = { collateral: 'mSOL', debt: 'USDC' } as const;
    const other = await LeverageDesk.open(world, [['mSOL', 2_000_000_000n]], SYMBOLS);
    await other.act('Multiply', pair, {
      deposit: { tokens: '1' },
      borrow: { tokens: '100' },
      swap: other.swap(['USDC', 99_990_000n], ['mSOL', 400_000_000n]),
    });
    const seeds = { seed1: other.of('mSOL').mint, seed2: other.of('USDC').mint };
    const refused = await buildLeverage(
      world,
      'SwapDebt',
      {
        ...inputOf('SwapDebt', 'USDC', 'USDT'),
        wallet: other.wallet.address,
        obligation: { address: other.obligation({ tag: 1, id: 0, ...seeds }) },
        amount: { tokens: '20' },
        swap: other.swap(['USDT', 20_100_000n], ['USDC', 20_050_000n]),
      },
      other.headers,
    );
    expect(refused.code).toBe('BUILD_REFUSED');
    expect(refused.message).toMatch(/made from its debt/);
  });
});

describe('a debt with a fixed term, before its end', () => {
  it('is left at the cost of its penalty, which the swap pays', async () => {
    alterAccount(world, reserveLayout, desk.of('USDC').address, {
      config: { debtTermSeconds: 2_592_000n, earlyRepayRemainingInterestPct: 40 },
    });
    const short = await build('SwapDebt', 'USDC', 'USDT', {
      amount: { tokens: '20' },
      swap: desk.swap(['USDT', 20_100_000n], ['USDC', 20_000_001n]),
    });
    expect(short.code).toBe('SWAP_REFUSED');
    const { preview } = await act('SwapDebt', 'USDC', 'USDT', {
      amount: { tokens: '20' },
      swap: desk.swap(['USDT', 21_100_000n], ['USDC', 21_000_000n]),
    });
    const penalty = preview.fees.find(({ kind }) => kind === 'EARLY_REPAY_PENALTY')?.amount.baseUnits;
    expect(BigInt(penalty ?? 0)).toBeGreaterThan(10_000n);
    const left = BigInt(preview.worstCase.walletChanges[0]?.baseUnits ?? 0);
    expect(left).toBe(1_000_000n - BigInt(penalty ?? 0));
  });
});

describe('a loan above its maximum LTV', () => {
  beforeAll(() => {
    for (const symbol of SYMBOLS) {
      alterAccount(world, reserveLayout, desk.of(symbol).address, { config: { loanToValuePct: 10 } });
    }
  });

  const better = { amount: { tokens: '0.1' } };

  it('swaps collateral by one instruction, in one transaction, if its LTV does not rise', async () => {
    const { preview, bundle, transactions } = await act('SwapCollateral', 'jitoSOL', 'SOL', {
      ...better,
      swap: desk.swap(['jitoSOL', 100_000_000n], ['SOL', 150_000_000n]),
    });
    const lending = bundle.instructions.filter(({ summary }) => /^(Deposit|Withdraw)/.test(summary));
    expect(lending.map(({ summary }) => summary)).toEqual([
      expect.stringMatching(/^Deposit 0\.\d+ SOL as collateral and withdraw 0\.1 jitoSOL of the deposit$/),
    ]);
    expect(transactions).toHaveLength(1);
    const { before, after } = preview.loanToValue;
    expect(parseDecimal(after ?? '').compare(parseDecimal(before ?? ''))).toBe(-1);
  });

  it('is explained in one sentence', async () => {
    const plan = await build('SwapCollateral', 'jitoSOL', 'SOL', {
      ...better,
      swap: desk.swap(['jitoSOL', 100_000_000n], ['SOL', 150_000_000n]),
    });
    const explainer = new Explainer(world, desk.wallet);
    const told = sentences(await explainer.explain(plan.transactions[0]?.base64 ?? ''));
    expect(told).toContainEqual(
      expect.stringMatching(/^Deposit .* SOL as collateral and withdraw .* jitoSOL/),
    );
  });

  it('does not fit into a transaction without a lookup table', async () => {
    const refused = await build('SwapCollateral', 'jitoSOL', 'SOL', {
      ...better,
      swap: desk.swap(['jitoSOL', 100_000_000n], ['SOL', 150_000_000n]),
      options: {},
    });
    expect(refused.code).toBe('TRANSACTION_SIZE_ERROR');
  });

  it('is refused a swap that loses value, by the simulation, too', async () => {
    const plan = await build('SwapCollateral', 'jitoSOL', 'SOL', {
      ...better,
      swap: desk.swap(['jitoSOL', 100_000_000n], ['SOL', 90_000_000n]),
    });
    expect(plan.preview.warnings).toContainEqual(
      expect.objectContaining({ level: 'ERROR', code: 'LTV_WOULD_RISE' }),
    );
    expect(plan.simulation.success).toBe(false);
  });
});
