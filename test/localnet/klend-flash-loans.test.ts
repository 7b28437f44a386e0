import type { Program } from '@sluice/localnet/runtime/program';
import { marketAuthority, referrerTokenStateAddress } from '@sluice/protocol/klend/addresses';
import { flashBorrow, flashRepay } from '@sluice/protocol/klend/flash-instructions';
import { lendingMarket } from '@sluice/protocol/klend/lending-market';
import { referrerTokenState } from '@sluice/protocol/klend/referrer-token-state';
import { reserve } from '@sluice/protocol/klend/reserve';
import type { EncodedInstruction } from '@sluice/protocol/layout/instruction';
import { FRACTION_ONE, U64_MAX } from '@sluice/protocol/numeric/fraction';
import { INSTRUCTIONS_SYSVAR, MAINNET_PROGRAMS, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { AccountRole, type Address } from '@solana/kit';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  addressNumber,
  lendingRequest,
  MARKET,
  REFERRER,
  reserveAddress,
  WALLET,
} from '../support/builders/lending-accounts.ts';
import { LendingBench } from '../support/localnet/lending-bench.ts';

/** Flash loans on the localnet, with the errors of the program's source. */

const { klend } = MAINNET_PROGRAMS;
const RESERVE = reserveAddress(0);
const CALLER = addressNumber(801);
/** One base unit in a hundred thousand. */
const FEE_SF = FRACTION_ONE / 100_000n;

/** Calls the lending program with its own data and accounts. */
const caller: Program = {
  address: CALLER,
  run({ invoke, accounts, data }) {
    invoke({
      programAddress: klend,
      data,
      accounts: accounts.map(({ address, isSigner, isWritable }) => ({
        address,
        role: (isSigner ? 2 : 0) + (isWritable ? 1 : 0),
      })),
    });
  },
};

let bench: LendingBench;

beforeEach(() => {
  const setting = { reserves: [{}, {}], balances: [5_000_000n, 5_000_000n], referred: true };
  bench = new LendingBench(setting, lendingRequest('repay', { reserve: RESERVE }), [caller]);
  bench.change(reserve, RESERVE, { config: { fees: { flashLoanFeeSf: FEE_SF } } });
});

interface Loan {
  readonly reserve?: number;
  readonly referrer?: Address | null;
  readonly state?: Address | null;
}

function accountsOf({ reserve: index = 0, referrer = null, state = null }: Loan) {
  const { liquidity } = bench.reserve(index);
  return {
    userTransferAuthority: WALLET,
    lendingMarketAuthority: marketAuthority(klend, MARKET).address,
    lendingMarket: MARKET,
    reserve: reserveAddress(index),
    reserveLiquidityMint: liquidity.mintPubkey,
    reserveLiquiditySupply: liquidity.supplyVault,
    userLiquidity: bench.accounts.token.address,
    reserveLiquidityFeeReceiver: liquidity.feeVault,
    referrerTokenState: state,
    referrerAccount: referrer,
    instructionSysvarAccount: INSTRUCTIONS_SYSVAR,
    tokenProgram: TOKEN_PROGRAM,
  };
}

const borrow = (liquidityAmount = 1_000_000_000n, loan: Loan = {}) =>
  flashBorrow.encode(klend, accountsOf(loan), { liquidityAmount });
const repay = (liquidityAmount = 1_000_000_000n, borrowInstructionIndex = 0, loan: Loan = {}) =>
  flashRepay.encode(klend, accountsOf(loan), { liquidityAmount, borrowInstructionIndex });

const calledBy = (program: Address, { accounts, data }: EncodedInstruction): EncodedInstruction => ({
  programAddress: program,
  accounts: [...accounts, { address: klend, role: AccountRole.READONLY }],
  data,
});

const change = (fields: Parameters<typeof reserve.encode>[0]) => bench.change(reserve, RESERVE, fields);

describe('a flash loan', () => {
  it('returns to the reserve, and pays its fee to the fee vault', () => {
    const before = bench.reserve(0).liquidity;
    expect(bench.failureOf([borrow(), repay()])).toBeNull();
    const after = bench.reserve(0);
    expect(after.liquidity.totalAvailableAmount).toBe(before.totalAvailableAmount);
    expect(after.liquidity.borrowedAmountSf).toBe(before.borrowedAmountSf);
    expect(after.lastUpdate.stale).toBe(1);
    expect(bench.balance(before.feeVault)).toBe(10_000n);
    expect(bench.balance(bench.accounts.token.address)).toBe(5_000_000n - 10_000n);
  });

  it('costs at least one base unit, and nothing where the rate is zero', () => {
    expect(bench.failureOf([borrow(2n), repay(2n)])).toBeNull();
    expect(bench.balance(bench.accounts.token.address)).toBe(4_999_999n);
    change({ config: { fees: { flashLoanFeeSf: 0n } } });
    expect(bench.failureOf([borrow(), repay()])).toBeNull();
    expect(bench.balance(bench.accounts.token.address)).toBe(4_999_999n);
  });

  it('shares the fee with a referrer that the transaction names', () => {
    bench.change(lendingMarket, MARKET, { referralFeeBps: 2_000 });
    const state = referrerTokenStateAddress(klend, REFERRER, RESERVE).address;
    const loan = { referrer: REFERRER, state };
    const available = bench.reserve(0).liquidity.totalAvailableAmount;
    expect(bench.failureOf([borrow(undefined, loan), repay(undefined, 0, loan)])).toBeNull();
    const { liquidity } = bench.reserve(0);
    expect(bench.balance(liquidity.feeVault)).toBe(8_001n);
    expect(liquidity.totalAvailableAmount).toBe(available + 1_999n);
    const earned = referrerTokenState.decode(bench.account(state), klend);
    expect(earned.amountUnclaimedSf).toBe(1_999n * FRACTION_ONE);
  });

  it('may use liquidity that the withdraw queue waits for, and ignores the borrow limit', () => {
    change({
      withdrawQueue: { queuedCollateralAmount: 600_000_000_000n },
      config: { borrowLimit: 0n, utilizationLimitBlockBorrowingAbovePct: 1 },
    });
    expect(bench.failureOf([borrow(), repay()])).toBeNull();
  });
});

describe('flashBorrowReserveLiquidity refuses', () => {
  it.each<[number, string, () => readonly EncodedInstruction[]]>([
    [6032, 'a loan that nothing repays', () => [borrow()]],
    [6033, 'a repayment of another amount', () => [borrow(), repay(999_999_999n)]],
    [6033, 'a repayment that names another instruction', () => [borrow(), repay(1_000_000_000n, 1)]],
    [6033, 'a repayment with other accounts', () => [borrow(), repay(undefined, 0, { reserve: 1 })]],
    [6035, 'a second loan', () => [borrow(), borrow(), repay()]],
    [6035, 'a second repayment', () => [borrow(), repay(), repay()]],
    [6031, 'a call by another program', () => [calledBy(CALLER, borrow()), repay()]],
    [6008, 'more than the reserve has', () => [borrow(600_000_000_001n), repay(600_000_000_001n)]],
    [
      6036,
      'a reserve that has flash loans disabled',
      () => {
        change({ config: { fees: { flashLoanFeeSf: U64_MAX } } });
        return [borrow(), repay()];
      },
    ],
    [
      6082,
      'an obsolete reserve',
      () => {
        change({ config: { status: 1 } });
        return [borrow(), repay()];
      },
    ],
    [
      6073,
      'a reserve of another version',
      () => {
        change({ version: 2n });
        return [borrow(), repay()];
      },
    ],
    [
      6175,
      'a reserve in emergency mode',
      () => {
        change({ config: { emergencyMode: 1 } });
        return [borrow(), repay()];
      },
    ],
    [
      6042,
      'a market in emergency mode',
      () => {
        bench.change(lendingMarket, MARKET, { emergencyMode: 1 });
        return [borrow(), repay()];
      },
    ],
    [
      6006,
      "the reserve's own vault as destination",
      () => {
        const { supplyVault } = bench.reserve(0).liquidity;
        const own = ({ accounts, ...rest }: EncodedInstruction) => ({
          ...rest,
          accounts: accounts.map((meta, i) => (i === 6 ? { ...meta, address: supplyVault } : meta)),
        });
        return [own(borrow()), own(repay())];
      },
    ],
  ])('%i: %s', (code, _, instructions) => {
    expect(bench.failureOf(instructions())).toBe(code);
  });
});

describe('flashRepayReserveLiquidity refuses', () => {
  it.each<[number, string, () => readonly EncodedInstruction[]]>([
    [6033, 'an index beyond itself', () => [repay(1_000_000_000n, 1)]],
    [6033, 'an index of another instruction', () => [repay(1_000_000_000n, 0)]],
    [6034, 'a call by another program', () => [calledBy(CALLER, repay())]],
  ])('%i: %s', (code, _, instructions) => {
    expect(bench.failureOf(instructions())).toBe(code);
  });

  it('6175: a reserve in emergency mode', () => {
    change({ config: { emergencyMode: 1 } });
    expect(bench.failureOf([repay()])).toBe(6175);
  });

  it('no permission: flash loans need none', () => {
    bench.change(lendingMarket, MARKET, { permissioningAuthority: CALLER, permissionedOps: 7n });
    expect(bench.failureOf([borrow(), repay()])).toBeNull();
  });

  it('6012: a loan that is not larger than its fee', () => {
    const result = bench.run([borrow(1n), repay(1n)]);
    expect(result.failure).toEqual({ index: 1, reason: { Custom: 6012 } });
  });

  it('6077: the account of another referrer', () => {
    const state = referrerTokenStateAddress(klend, REFERRER, RESERVE).address;
    const loan = { referrer: WALLET, state };
    const result = bench.run([borrow(undefined, loan), repay(undefined, 0, loan)]);
    expect(result.failure).toEqual({ index: 1, reason: { Custom: 6077 } });
  });

  it('a wallet that cannot pay the fee: the whole transaction fails', () => {
    const { mintPubkey } = bench.reserve(0).liquidity;
    bench.setBalance(bench.accounts.token.address, mintPubkey, WALLET, 9_999n);
    const result = bench.run([borrow(), repay()]);
    expect(result.failure).toEqual({ index: 1, reason: { Custom: 1 } });
    expect(bench.balance(bench.accounts.token.address)).toBe(9_999n);
  });
});
