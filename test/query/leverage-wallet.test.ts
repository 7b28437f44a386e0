import { generateKeyPairSigner, lamports } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ActingApp, startActingApp } from '../support/apps/acting-app.ts';
import { expectPosition } from '../support/leverage/expect-position.ts';
import { sendSigned } from '../support/leverage/leverage-actor.ts';
import { LeverageDesk } from '../support/leverage/leverage-desk.ts';

/** Contributions of the wallet to an action around a flash loan, on the localnet: balances, wrapped SOL, fee payer. */

const SOL = 1_000_000_000n;
const MSOL = { collateral: 'mSOL', debt: 'USDC' } as const;
const WRAPPED = { collateral: 'SOL', debt: 'USDC' } as const;

let world: ActingApp;
beforeAll(async () => {
  world = await startActingApp();
});
afterAll(() => world?.stop());

const keyOf = (desk: LeverageDesk, collateral: string) =>
  ({ tag: 1, id: 0, seed1: desk.of(collateral).mint, seed2: desk.of('USDC').mint }) as const;

const open = (desk: LeverageDesk, symbol: string, deposit: object, more: object = {}) => ({
  deposit,
  borrow: { tokens: '50' },
  swap: desk.swap(['USDC', 49_990_000n], [symbol, 200_000_000n]),
  ...more,
});

describe('own collateral', () => {
  it('may be all of it', async () => {
    const desk = await LeverageDesk.open(world, [['mSOL', 2_345_678_901n]], ['mSOL', 'USDC']);
    const acted = await desk.act('Multiply', MSOL, open(desk, 'mSOL', { all: 'ALL' }));
    expectPosition(desk, MSOL, desk.obligation(keyOf(desk, 'mSOL')), acted);
    // The deposit takes what its collateral tokens are worth: at most a unit less than offered.
    expect(await desk.tokens('mSOL')).toBeLessThanOrEqual(1n);
  });

  it('beyond the balance is warned of, and the token program refuses it', async () => {
    const desk = await LeverageDesk.open(world, [['mSOL', SOL]], ['mSOL', 'USDC']);
    const plan = await desk.build('Multiply', MSOL, open(desk, 'mSOL', { tokens: '1.5' }));
    expect(plan.preview.warnings).toContainEqual(
      expect.objectContaining({ level: 'ERROR', code: 'BALANCE_TOO_LOW' }),
    );
    expect(plan.simulation.success).toBe(false);
  });

  it('beyond the SOL of the wallet is warned of', async () => {
    const desk = await LeverageDesk.open(world, [], ['SOL', 'USDC']);
    const plan = await desk.build('Multiply', WRAPPED, open(desk, 'SOL', { tokens: '101' }));
    expect(plan.preview.warnings).toContainEqual(
      expect.objectContaining({ level: 'ERROR', code: 'BALANCE_TOO_LOW' }),
    );
    expect(plan.simulation.success).toBe(false);
  });
});

describe('wrapped SOL that the wallet has', () => {
  it('stays wrapped, with a note', async () => {
    const desk = await LeverageDesk.open(world, [['SOL', 3n * SOL]], ['SOL', 'USDC']);
    const acted = await desk.act('Multiply', WRAPPED, open(desk, 'SOL', { tokens: '2' }));
    expectPosition(desk, WRAPPED, desk.obligation(keyOf(desk, 'SOL')), acted);
    expect(acted.preview.warnings).toContainEqual(expect.objectContaining({ code: 'WSOL_LEFT_OVER' }));
    // Beside it, at most a unit that the deposit does not take.
    const left = await desk.tokens('SOL');
    expect([3n * SOL, 3n * SOL + 1n]).toContain(left);
  });

  it('is unwrapped on request', async () => {
    const desk = await LeverageDesk.open(world, [['SOL', 3n * SOL]], ['SOL', 'USDC']);
    const before = (await world.rpc.getBalance(desk.wallet.address).send()).value;
    const options = { ...desk.options, unwrapSol: true };
    const acted = await desk.act('Multiply', WRAPPED, open(desk, 'SOL', { tokens: '2' }, { options }));
    expect(acted.preview.warnings).toContainEqual(expect.objectContaining({ code: 'WSOL_UNWRAPPED' }));
    expect(await desk.tokens('SOL')).toBe(0n);
    const after = (await world.rpc.getBalance(desk.wallet.address).send()).value;
    // Three unwrapped, two deposited, and less than 0.1 of rent and fees.
    expect(after - before).toBeGreaterThan((9n * SOL) / 10n);
    expect(after - before).toBeLessThanOrEqual(SOL + 3_000_000n);
  });
});

describe('another signer', () => {
  it('pays the fee and the rent', async () => {
    const desk = await LeverageDesk.open(world, [['mSOL', 2n * SOL]], ['mSOL', 'USDC']);
    const payer = await generateKeyPairSigner();
    await world.rpc.requestAirdrop(payer.address, lamports(SOL)).send();
    const options = { ...desk.options, feePayer: payer.address };
    const plan = await desk.build('Multiply', MSOL, open(desk, 'mSOL', { tokens: '1' }, { options }));
    expect(plan.code, plan.message).toBeUndefined();
    expect(plan.simulation.success, plan.simulation.logs.join('\n')).toBe(true);
    const before = (await world.rpc.getBalance(desk.wallet.address).send()).value;
    for (const { base64, signers } of plan.transactions) {
      const others = [payer, desk.maker].filter(({ address }) => signers.includes(address));
      await sendSigned(world, base64, desk.wallet, ...others);
    }
    expect((await world.rpc.getBalance(desk.wallet.address).send()).value).toBe(before);
    expect((await world.rpc.getBalance(payer.address).send()).value).toBeLessThan(SOL);
  });
});

describe('a repayment beyond the debt', () => {
  it('repays the debt, and the rest of the loan returns', async () => {
    const desk = await LeverageDesk.open(world, [['mSOL', 2n * SOL]], ['mSOL', 'USDC']);
    await desk.act('Multiply', MSOL, open(desk, 'mSOL', { tokens: '1' }));
    const acted = await desk.act('RepayWithCollateral', MSOL, {
      obligation: { address: desk.obligation(keyOf(desk, 'mSOL')) },
      amount: { tokens: '60' },
      swap: desk.swap(['mSOL', 300_000_000n], ['USDC', 60_000_600n]),
    });
    expect(acted.preview.debtTokens.after).toBe('0');
    expectPosition(desk, MSOL, desk.obligation(keyOf(desk, 'mSOL')), acted);
  });
});
