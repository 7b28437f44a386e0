import { lookupTableAddress, marketOwner } from '@sluice/localnet/world/markets';
import { addressFromBytes } from '@sluice/protocol/layout/base58';
import type { EncodedInstruction } from '@sluice/protocol/layout/instruction';
import { COMPUTE_BUDGET_PROGRAM, MAINNET_PROGRAMS, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { setComputeUnitLimit } from '@sluice/protocol/system/instructions';
import { associatedTokenAddress } from '@sluice/protocol/token/addresses';
import { closeAccount } from '@sluice/protocol/token/instructions';
import type { Address, KeyPairSigner } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ActingApp, startActingApp } from '../support/apps/acting-app.ts';
import { buildLeverage, type LeverageAction, sendSigned } from '../support/leverage/leverage-actor.ts';
import { given, type Leg, swapWith } from '../support/leverage/maker-swap.ts';

/** Refusals and warnings of the builders around a flash loan, beside the answers of the lending program. */

const TABLE = lookupTableAddress(marketOwner('sluice'), 'Harbor Market');
const options = { lookupTables: [TABLE] };

let world: ActingApp;
let wallet: KeyPairSigner;
let maker: KeyPairSigner;
/** By symbol. */
let reserves: Map<string, { readonly address: Address; readonly mint: Address }>;

beforeAll(async () => {
  world = await startActingApp();
  const { market, stakedMint, tokenMint } = world.localnet.addresses;
  const { data } = await world.gateway.query<{
    market: { reserves: { address: Address; token: { symbol: string; mint: Address } }[] };
  }>(`{ market(address: "${market}") { reserves { address token { symbol mint } } } }`);
  reserves = new Map(
    data.market.reserves.map(({ address, token }) => [token.symbol, { address, mint: token.mint }]),
  );
  wallet = await world.newWallet({ [stakedMint]: 5_000_000_000n });
  maker = await world.newWallet({ [stakedMint]: 10_000_000_000n, [tokenMint]: 10_000_000_000n });
});
afterAll(() => world?.stop());

const of = (symbol: string) => reserves.get(symbol) ?? expect.fail(`no reserve of ${symbol}`);
const leg = (symbol: string, amount: bigint): Leg => ({ mint: of(symbol).mint, amount });

interface Swapped {
  readonly paid: Leg;
  readonly received: Leg;
  readonly more?: readonly EncodedInstruction[];
  readonly change?: object;
}

const swapOf = ({ paid, received, more = [], change = {} }: Swapped) => ({
  instructions: given([...swapWith(maker.address, wallet.address, paid, received), ...more]),
  inAmount: String(paid.amount),
  minOut: String(received.amount),
  signers: [maker.address],
  ...change,
});

function build(action: LeverageAction, swap: Swapped, input: object, pair: readonly [string, string]) {
  const target = {
    wallet: wallet.address,
    market: world.localnet.addresses.market,
    collateralReserve: of(pair[0]).address,
    debtReserve: of(pair[1]).address,
    options,
  };
  return buildLeverage(world, action, { ...target, swap: swapOf(swap), ...input });
}

const multiply = (change: Partial<Swapped> = {}, input: object = {}, pair = ['mSOL', 'USDC'] as const) =>
  build(
    'Multiply',
    { paid: leg('USDC', 149_000_000n), received: leg('mSOL', 640_000_000n), ...change },
    { deposit: { tokens: '1' }, borrow: { tokens: '150' }, ...input },
    pair,
  );

const ownAccount = (symbol: string) =>
  associatedTokenAddress(wallet.address, TOKEN_PROGRAM, of(symbol).mint).address;

it.each<LeverageAction>(['Multiply', 'Deleverage', 'RepayWithCollateral', 'SwapDebt', 'SwapCollateral'])(
  'without a swap, %s says how to supply one, or which setting quotes one',
  async (action) => {
    const [first, second] = [of('mSOL').address, of('USDC').address];
    const sides =
      action === 'SwapDebt'
        ? { repayReserve: first, borrowReserve: second }
        : action === 'SwapCollateral'
          ? { withdrawReserve: first, depositReserve: second }
          : { collateralReserve: first, debtReserve: second };
    const amount = action === 'Multiply' ? { borrow: { tokens: '1' } } : { amount: { tokens: '1' } };
    const { market } = world.localnet.addresses;
    const refused = await buildLeverage(world, action, {
      wallet: wallet.address,
      market,
      ...sides,
      ...amount,
    });
    expect(refused).toMatchObject({ __typename: 'SwapRefused', code: 'QUOTES_OFF', instruction: null });
    expect(refused.message).toMatch(/pass `swap` .* QUOTE_URL/);
  },
);

describe('a swap is refused', () => {
  it.each<[string, number | null, RegExp, () => ReturnType<typeof multiply>]>([
    ['without instructions', null, /no instructions/, () => multiply({ change: { instructions: [] } })],
    [
      'with a compute budget',
      2,
      /compute budget/,
      () => multiply({ more: [setComputeUnitLimit.encode(COMPUTE_BUDGET_PROGRAM, {}, { units: 1 })] }),
    ],
    [
      'when it closes an account of the loan',
      2,
      /closes the token account/,
      () => {
        const { address } = wallet;
        const accounts = { account: ownAccount('mSOL'), destination: address, owner: address };
        return multiply({ more: [closeAccount.encode(TOKEN_PROGRAM, accounts, {})] });
      },
    ],
    [
      'when it writes a reserve',
      2,
      /writes a reserve/,
      () => {
        const accounts = [{ address: of('mSOL').address, role: 1 }];
        return multiply({ more: [{ programAddress: TOKEN_PROGRAM, accounts, data: Uint8Array.of(1) }] });
      },
    ],
    [
      'when it writes another obligation',
      2,
      /account of the lending program/,
      () => {
        const accounts = [{ address: world.localnet.addresses.obligation, role: 1 }];
        return multiply({ more: [{ programAddress: TOKEN_PROGRAM, accounts, data: Uint8Array.of(1) }] });
      },
    ],
    [
      'when it calls the lending program',
      2,
      /lending program/,
      () =>
        multiply({
          more: [{ programAddress: MAINNET_PROGRAMS.klend, accounts: [], data: Uint8Array.of(1) }],
        }),
    ],
    ['when a signer is not named', 1, /signature of/, () => multiply({ change: { signers: [] } })],
    ['with data that is not base64', 0, /base64/, () => multiply({ change: { instructions: [NOT_BASE64] } })],
    [
      'when the borrow cannot repay the flash loan',
      null,
      /costs 150.0015 USDC to repay, but only 150 USDC/,
      () => multiply({ paid: leg('USDC', 150_000_000n) }),
    ],
  ])('%s', async (_, instruction, reason, run) => {
    const refused = await run();
    expect(refused).toMatchObject({ __typename: 'SwapRefused', code: 'SWAP_REFUSED', instruction });
    expect(refused.message).toMatch(reason);
  });
});

const NOT_BASE64 = { programAddress: TOKEN_PROGRAM, accounts: [], data: '*' };

describe('a build is refused', () => {
  it.each<[string, RegExp, () => ReturnType<typeof multiply>]>([
    [
      'for an obligation of another tag',
      /MULTIPLY or LEVERAGE/,
      () => multiply({}, { obligation: { tagged: { tag: 'VANILLA' } } }),
    ],
    [
      'for seeds that are not the two mints',
      /seeds of the obligation/,
      () =>
        multiply(
          {},
          { obligation: { tagged: { tag: 'MULTIPLY', seed1: of('USDC').mint, seed2: of('mSOL').mint } } },
        ),
    ],
    ['for one reserve on both sides', /same reserve/, () => multiply({}, {}, ['USDC', 'USDC'] as never)],
    ['for a borrow of all', /must be an amount/, () => multiply({}, { borrow: { all: 'ALL' } })],
  ])('%s', async (_, reason, run) => {
    const refused = await run();
    expect(refused.code).toBe('BUILD_REFUSED');
    expect(refused.message).toMatch(reason);
  });

  it('when it does not fit into one transaction', async () => {
    const accounts = Array.from({ length: 30 }, (_, i) => ({ address: someAddress(i), role: 0 as const }));
    const more = [{ programAddress: TOKEN_PROGRAM, accounts, data: Uint8Array.of(1) }];
    expect(await multiply({ more })).toMatchObject({ code: 'TRANSACTION_SIZE_ERROR' });
  });
});

const someAddress = (i: number) => {
  const bytes = new Uint8Array(32).fill(11);
  bytes[0] = i;
  return addressFromBytes(bytes);
};

describe('what the program would reject is warned of, and the simulation has its error', () => {
  it.each<[string, string, string, () => ReturnType<typeof multiply>]>([
    [
      'BORROW_NOT_ALLOWED',
      'FlashLoansDisabled',
      'a reserve without flash loans',
      () =>
        multiply(
          { paid: leg('EURK', 1_000_000n), received: leg('mSOL', 4_000_000n) },
          { borrow: { tokens: '2' } },
          ['mSOL', 'EURK'] as never,
        ),
    ],
    [
      'COLLATERAL_TOO_LOW',
      'BorrowTooLarge',
      'a debt that the collateral does not cover',
      () => multiply({}, { borrow: { tokens: '400' } }),
    ],
    [
      'LIQUIDITY_TOO_LOW',
      'InsufficientLiquidity',
      'a flash loan beyond the liquidity',
      () => multiply({ paid: leg('USDC', 10n ** 15n) }, { borrow: { baseUnits: String(2n * 10n ** 15n) } }),
    ],
  ])('%s and %s: %s', async (code, error, _, run) => {
    const plan = await run();
    const errors = plan.preview.warnings.filter(({ level }) => level === 'ERROR').map((each) => each.code);
    expect(errors).toContain(code);
    expect(plan.simulation).toMatchObject({ success: false, error: { name: error } });
  });

  it('a strict build is refused', async () => {
    const refused = await multiply({}, { borrow: { tokens: '400' }, options: { ...options, strict: true } });
    expect(refused.code).toBe('BUILD_REFUSED');
    expect(refused.message).toMatch(/COLLATERAL_TOO_LOW/);
  });
});

describe('a repayment with collateral', () => {
  it('says how much the minimum out must be', async () => {
    const opened = await multiply();
    await sendSigned(world, opened.transactions[0]?.base64, wallet, maker);
    const paid = leg('mSOL', 300_000_000n);
    const input = { amount: { tokens: '60' } };
    const refused = await build('Deleverage', { paid, received: leg('USDC', 60_000_599n) }, input, [
      'mSOL',
      'USDC',
    ]);
    expect(refused.code).toBe('SWAP_REFUSED');
    expect(refused.message).toMatch(/60\.0006 USDC \(60000600 base units\) repays the flash loan/);
    const enough = await build('Deleverage', { paid, received: leg('USDC', 60_000_600n) }, input, [
      'mSOL',
      'USDC',
    ]);
    expect(enough.simulation).toMatchObject({ success: true });
  });

  it('needs an input amount unless everything is withdrawn', async () => {
    const swap = { paid: leg('mSOL', 1n), received: leg('USDC', 2_000_000n), change: { inAmount: null } };
    const refused = await build('Deleverage', swap, { amount: { tokens: '1' } }, ['mSOL', 'USDC']);
    expect(refused.message).toMatch(/inAmount is missing/);
  });

  it('of a debt that is not there is refused', async () => {
    const swap = { paid: leg('mSOL', 1_000n), received: leg('USDT', 2_000_000n) };
    const refused = await build('RepayWithCollateral', swap, { amount: { tokens: '1' } }, ['mSOL', 'USDT']);
    expect(refused.code).toBe('KLEND_OBLIGATION_NOT_FOUND');
  });

  it('that leaves too little collateral is warned of', async () => {
    const swap = { paid: leg('mSOL', 1_500_000_000n), received: leg('USDC', 2_000_000n) };
    const plan = await build('Deleverage', swap, { amount: { tokens: '1' } }, ['mSOL', 'USDC']);
    const codes = plan.preview.warnings.filter(({ level }) => level === 'ERROR').map(({ code }) => code);
    expect(codes).toContain('COLLATERAL_TOO_LOW');
    expect(plan.simulation.success).toBe(false);
  });
});

describe('the layout of the transaction', () => {
  it('the repayment names the flash loan behind compute budget and set-up', async () => {
    const input = {
      obligation: { tagged: { tag: 'LEVERAGE', seed1: of('mSOL').mint, seed2: of('USDC').mint } },
      options: { ...options, computeUnitLimit: 900_000, priorityFeeMicroLamports: '7' },
    };
    const plan = await multiply({}, input);
    expect(plan.transactions).toHaveLength(1);
    await sendSigned(world, plan.transactions[0]?.base64, wallet, maker);
  });

  it('set-up runs first in its own transaction where the whole does not fit', async () => {
    const key = { tag: 'MULTIPLY', id: 1, seed1: of('mSOL').mint, seed2: of('USDC').mint };
    const plan = await multiply({}, { obligation: { tagged: key }, options: {} });
    expect(plan.transactions.map(({ signers }) => signers.length)).toEqual([1, 2]);
    await sendSigned(world, plan.transactions[0]?.base64, wallet);
    await sendSigned(world, plan.transactions[1]?.base64, wallet, maker);
  });
});
