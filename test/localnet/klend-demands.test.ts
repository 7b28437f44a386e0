import { farmUserState } from '@sluice/protocol/farms/addresses';
import { decodeInstruction, knownInstructions } from '@sluice/protocol/instructions';
import { reserve } from '@sluice/protocol/klend/reserve';
import type { EncodedInstruction } from '@sluice/protocol/layout/instruction';
import { MAINNET_PROGRAMS, SYSTEM_PROGRAM } from '@sluice/protocol/program-ids';
import { oraclePrices } from '@sluice/protocol/scope/oracle-prices';
import { AccountRole, type Address } from '@solana/kit';
import { beforeEach, describe, expect, it } from 'vitest';
import { LendingWorld, lendingOnly } from '../support/localnet/lending-world.ts';

/** Demands of the lending program on refreshes, borrows and repayments, each with the error that it answers with. */

const known = knownInstructions(MAINNET_PROGRAMS);
const { klend, farms } = MAINNET_PROGRAMS;

let world: LendingWorld;

beforeEach(() => {
  world = new LendingWorld();
  world.fund('USDC', 10n ** 12n);
  world.fund('SOL', 10n ** 12n, 1);
});

const nameOf = (instruction: EncodedInstruction) => decodeInstruction(known, instruction).name;

const borrowUsdc = (baseUnits = 1_000_000n) =>
  lendingOnly(world.build('borrow', 'USDC', { baseUnits }).action.instructions);
const repayUsdc = (baseUnits = 1_000_000n) =>
  lendingOnly(world.build('repay', 'USDC', { baseUnits }).action.instructions);

const without = (instructions: readonly EncodedInstruction[], name: string) =>
  instructions.filter((each) => nameOf(each) !== name);

/** The refresh of one reserve. */
function refreshOf(instructions: readonly EncodedInstruction[], reserve: Address): EncodedInstruction {
  const found = instructions.find(
    (each) => nameOf(each) === 'refreshReserve' && each.accounts[0]?.address === reserve,
  );
  if (found === undefined) throw new Error('no refresh');
  return found;
}

/** Replaces the accounts of the one instruction of this name. */
function withAccounts(
  instructions: readonly EncodedInstruction[],
  name: string,
  edit: (accounts: EncodedInstruction['accounts']) => EncodedInstruction['accounts'],
): EncodedInstruction[] {
  return instructions.map((each) =>
    nameOf(each) === name ? { ...each, accounts: edit(each.accounts) } : each,
  );
}

const absent = { address: klend, role: AccountRole.READONLY };

describe('refreshes before an action', () => {
  it('accepts what the builders build', () => {
    expect(world.failureOf(borrowUsdc())).toBeNull();
    expect(world.failureOf(repayUsdc())).toBeNull();
  });

  it('6009: no refresh at all', () => {
    expect(world.failureOf(borrowUsdc().slice(-1))).toBe(6009);
    expect(world.failureOf(repayUsdc().slice(-1))).toBe(6009);
  });

  it('6009: the refreshes were in an earlier slot', () => {
    const instructions = borrowUsdc();
    expect(world.failureOf(instructions.slice(0, -1))).toBeNull();
    expect(world.failureOf(instructions.slice(-1))).toBeNull();
    expect(world.failureOf(instructions.slice(0, -1))).toBeNull();
    world.wait(1n);
    expect(world.failureOf(instructions.slice(-1))).toBe(6009);
  });

  it('6017: the obligation was not refreshed, or not after the last action', () => {
    expect(world.failureOf(without(borrowUsdc(), 'refreshObligation'))).toBe(6017);
    expect(world.failureOf(without(repayUsdc(), 'refreshObligation'))).toBe(6017);
    const instructions = borrowUsdc();
    const [refresh, action] = [refreshOf(instructions, world.reserveAddress('USDC')), instructions.slice(-1)];
    expect(world.failureOf([...instructions, refresh, ...action])).toBe(6017);
  });

  it('6009: a reserve of the obligation is refreshed after the obligation, or not at all', () => {
    const instructions = borrowUsdc();
    const late = refreshOf(instructions, world.reserveAddress('SOL'));
    const others = instructions.filter((each) => each !== late);
    expect(world.failureOf(others)).toBe(6009);
    expect(world.failureOf([...others.slice(0, -1), late, ...others.slice(-1)])).toBe(6009);
  });

  it('6009: an action leaves its reserve stale for the next', () => {
    const instructions = borrowUsdc();
    expect(world.failureOf([...instructions, ...instructions.slice(-2)])).toBe(6009);
  });
});

describe('accounts of refreshObligation', () => {
  const edited = (edit: (accounts: EncodedInstruction['accounts']) => EncodedInstruction['accounts']) =>
    world.failureOf(withAccounts(borrowUsdc(), 'refreshObligation', edit));

  it('6006: a reserve is missing, one too many, or two are swapped', () => {
    expect(edited((accounts) => accounts.slice(0, -1))).toBe(6006);
    expect(edited((accounts) => [...accounts, ...accounts.slice(-1)])).toBe(6006);
    expect(
      edited(([market, obligation, sol, btc, ...rest]) =>
        [market, obligation, btc, sol, ...rest].filter((each) => each !== undefined),
      ),
    ).toBe(6006);
  });

  it('6006: a reserve is read-only', () => {
    const readOnly = edited((accounts) =>
      accounts.map((each, i) => (i < 2 ? each : { ...each, role: AccountRole.READONLY })),
    );
    expect(readOnly).toBe(6006);
  });

  it('panics on an account of another kind', () => {
    const market = world.model(0).market.address;
    const other = edited((accounts) =>
      accounts.map((each, i) => (i === 2 ? { ...each, address: market } : each)),
    );
    expect(other).toBe('ProgramFailedToComplete');
  });
});

describe('accounts of an action', () => {
  it.each(['borrow', 'repay'] as const)('6006: a %s in a group without the deposit reserves', (action) => {
    const built = lendingOnly(world.build(action, 'SOL', { baseUnits: 1_000_000n }, 1).action.instructions);
    const name = `${action}ObligationLiquidityV2`;
    const named = action === 'borrow' ? 15 : 13;
    expect(world.failureOf(withAccounts(built, name, (accounts) => accounts.slice(0, named)))).toBe(6006);
    expect(world.failureOf(built)).toBeNull();
  });

  it('2502: a borrow in a group with another reserve in the place of a deposit', () => {
    const built = lendingOnly(world.build('borrow', 'SOL', { baseUnits: 1_000_000n }, 1).action.instructions);
    const other = world.reserveAddress('mSOL', 1);
    const swapped = withAccounts(built, 'borrowObligationLiquidityV2', (accounts) =>
      accounts.map((each, i) => (i === 15 ? { ...each, address: other } : each)),
    );
    expect(world.failureOf(swapped)).toBe(2502);
  });

  it('6120: the farm accounts are left out on a reserve with a debt farm', () => {
    const left = withAccounts(borrowUsdc(), 'borrowObligationLiquidityV2', (accounts) =>
      accounts.map((each, i) => (i === 12 || i === 13 ? absent : each)),
    );
    expect(world.failureOf(left)).toBe(6120);
    const leftOfRepay = withAccounts(repayUsdc(), 'repayObligationLiquidityV2', (accounts) =>
      accounts.map((each, i) => (i === 9 || i === 10 ? absent : each)),
    );
    expect(world.failureOf(leftOfRepay)).toBe(6120);
  });

  it('3007: the obligation has no stake in the debt farm yet', () => {
    const instructions = borrowUsdc();
    const { farmDebt } = world.reserve('USDC');
    const { address } = farmUserState(farms, farmDebt, world.model(0).address);
    world.set(address, { owner: SYSTEM_PROGRAM, lamports: 0n, data: new Uint8Array(0), executable: false });
    expect(world.failureOf(instructions)).toBe(3007);
  });

  it('3007: the obligation is closed', () => {
    const instructions = borrowUsdc();
    const { address } = world.model(0);
    world.set(address, { owner: SYSTEM_PROGRAM, lamports: 0n, data: new Uint8Array(0), executable: false });
    expect(world.failureOf(instructions)).toBe(3007);
  });

  it('6056: a wrong or missing Scope account in refreshReserve', () => {
    const scopeAt = 5;
    const edit = (address: Address) =>
      withAccounts(borrowUsdc(), 'refreshReserve', (accounts) =>
        accounts.map((each, i) => (i === scopeAt ? { ...each, address } : each)),
      );
    expect(world.failureOf(edit(klend))).toBe(6056);
    expect(world.failureOf(edit(world.model(0).market.address))).toBe(6056);
  });
});

describe('limits of an action', () => {
  it('6013: a borrow above the loan-to-value limit', () => {
    expect(world.failureOf(borrowUsdc(10n ** 11n))).toBe(6013);
  });

  it('6013: nothing can be borrowed any more', () => {
    const all = world.build('borrow', 'USDC', { all: true }).action.instructions;
    expect(world.failureOf(all)).toBeNull();
    world.wait(1n);
    expect(world.failureOf(borrowUsdc())).toBe(6013);
  });

  it('6009: a borrow at a price that is too old, while a repayment passes', () => {
    const [borrow, repay] = [borrowUsdc(), repayUsdc()];
    world.wait(100_000n);
    expect(world.failureOf(borrow)).toBe(6009);
    expect(world.failureOf(repay)).toBeNull();
  });

  it('6017: a borrow against collateral whose price is too old', () => {
    const [borrow, repay] = [borrowUsdc(), repayUsdc()];
    const { priceFeed, priceChain } = world.reserve('wBTC').config.tokenInfo.scopeConfiguration;
    const [index = 0] = priceChain;
    const { prices } = oraclePrices.decode(world.account(priceFeed), world.account(priceFeed).owner);
    world.change(oraclePrices, priceFeed, {
      prices: prices.map((each, i) => (i === index ? { unixTimestamp: each.unixTimestamp - 100_000n } : {})),
    });
    expect(world.failureOf(borrow)).toBe(6017);
    expect(world.failureOf(repay)).toBeNull();
  });

  it('6116: a withdrawal when the debt needs all collateral', () => {
    expect(world.failureOf(world.build('borrow', 'USDC', { all: true }).action.instructions)).toBeNull();
    const withdraw = () => world.build('withdraw', 'SOL', { baseUnits: 1_000_000n }).action.instructions;
    world.change(reserve, world.reserveAddress('SOL'), { config: { loanToValuePct: 1 } });
    expect(world.failureOf(withdraw())).toBe(6116);
  });

  it('6009: a withdrawal at a price that is too old while in debt, while a deposit passes', () => {
    world.fund('wBTC', 10n ** 8n);
    const withdraw = world.build('withdraw', 'wBTC', { baseUnits: 1_000n }).action.instructions;
    const deposit = world.build('deposit', 'wBTC', { baseUnits: 1_000n }).action.instructions;
    world.wait(100_000n);
    expect(world.failureOf(withdraw)).toBe(6009);
    expect(world.failureOf(deposit)).toBeNull();
  });
});
