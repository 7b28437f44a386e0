import { VANILLA_OBLIGATION } from '@sluice/protocol/klend/addresses';
import { lendingMarket } from '@sluice/protocol/klend/lending-market';
import { reserve } from '@sluice/protocol/klend/reserve';
import { FRACTION_ONE, U64_MAX } from '@sluice/protocol/numeric/fraction';
import { MAINNET_PROGRAMS, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { associatedTokenAddress } from '@sluice/protocol/token/addresses';
import type { Address } from '@solana/kit';
import { beforeEach, describe, expect, it } from 'vitest';
import type { StepContext } from '../../src/builders/action.ts';
import { leverageAccounts } from '../../src/builders/leverage/accounts.ts';
import type { LeverageBuild } from '../../src/builders/leverage/build.ts';
import { buildMultiply } from '../../src/builders/leverage/multiply.ts';
import { leveragePreview } from '../../src/builders/leverage/preview.ts';
import { buildRepayWithCollateral } from '../../src/builders/leverage/repay-with-collateral.ts';
import type { LeverageRequest } from '../../src/builders/leverage/request.ts';
import type { ReadAccounts } from '../../src/builders/read-accounts.ts';
import { withPositions } from '../../src/builders/transaction/instruction-positions.ts';
import {
  addressNumber,
  lendingRequest,
  MARKET,
  NOW,
  reserveAddress,
  WALLET,
} from '../support/builders/lending-accounts.ts';
import { swapWith } from '../support/leverage/maker-swap.ts';
import { LendingBench } from '../support/localnet/lending-bench.ts';

/**
 * Refusals of actions around a flash loan by the lending program, beside the warnings of their previews. Both tokens have
 * six decimals and cost one dollar; the loan-to-value limit is 75 %.
 */

const [COLLATERAL, DEBT] = [reserveAddress(0), reserveAddress(1)];
const MAKER = addressNumber(850);
const TOKEN = 1_000_000n;
/** One base unit in a hundred thousand. */
const FEE_SF = FRACTION_ONE / 100_000n;
/** Of the debt reserve before. */
const [AVAILABLE, BORROWED] = [600_000n * TOKEN, 400_000n * TOKEN];

let bench: LendingBench;

beforeEach(() => {
  const setting = {
    reserves: [{}, {}],
    deposits: [[0, 100n * TOKEN]],
    borrows: [[1, 10n * TOKEN]],
    balances: [50n * TOKEN, 0n],
    change: { hasDebt: 1 },
  } as const;
  bench = new LendingBench(setting, lendingRequest('deposit', { reserve: COLLATERAL }));
  debtReserve({ config: { fees: { flashLoanFeeSf: FEE_SF } } });
  for (const index of [0, 1]) {
    const { mintPubkey } = bench.reserve(index).liquidity;
    const account = associatedTokenAddress(MAKER, TOKEN_PROGRAM, mintPubkey).address;
    bench.setBalance(account, mintPubkey, MAKER, 10n ** 15n);
  }
});

type ReserveFields = Parameters<typeof reserve.encode>[0];
const collateralReserve = (fields: ReserveFields) => bench.change(reserve, COLLATERAL, fields);
const debtReserve = (fields: ReserveFields) => bench.change(reserve, DEBT, fields);

const read: ReadAccounts = (address) => {
  const found = bench.get(address);
  return found === undefined ? null : { address, ...found };
};

interface Swap {
  readonly spent: bigint;
  readonly minOut: bigint;
  /** Payment of the maker, if not the minimum. */
  readonly paid?: bigint;
}

function requestOf(action: 'deposit' | 'withdraw', { spent, minOut, paid = minOut }: Swap): LeverageRequest {
  const mints = [0, 1].map((index) => bench.reserve(index).liquidity.mintPubkey) as [Address, Address];
  const [sold, bought] = action === 'deposit' ? [mints[1], mints[0]] : mints;
  const legs = [
    { mint: sold, amount: spent },
    { mint: bought, amount: paid },
  ] as const;
  const instructions = swapWith(MAKER, WALLET, ...legs);
  const { oracles } = lendingRequest('deposit');
  return {
    programs: MAINNET_PROGRAMS,
    wallet: WALLET,
    market: MARKET,
    obligation: { key: VANILLA_OBLIGATION },
    collateralReserve: COLLATERAL,
    debtReserve: DEBT,
    swap: { instructions, lookupTables: [], inAmount: spent, minOut, signers: [MAKER], quote: null },
    lookupTables: [],
    oracles,
    isShareMint: () => false,
    rewardApys: () => ({ supply: {}, borrow: {} }),
  };
}

const AT: StepContext = { slot: NOW.slot, moment: NOW, payer: WALLET, fresh: new Set() };

/** Borrows and swaps so many tokens, with a loan of as much as that repays. */
function multiply(tokens: bigint, swap: Partial<Swap> = {}): LeverageBuild {
  const borrow = tokens * TOKEN;
  const spent = borrow - borrow / 50_000n;
  const request = requestOf('deposit', { spent, minOut: spent, ...swap });
  const accounts = leverageAccounts(request, 'deposit', read, AT);
  return buildMultiply(accounts, { deposit: null, borrow: { baseUnits: borrow } }, read);
}

function repay(tokens: bigint, swap: Partial<Swap> = {}): LeverageBuild {
  const amount = tokens * TOKEN;
  const minOut = amount + amount / 50_000n;
  const request = requestOf('withdraw', { spent: minOut, minOut, ...swap });
  const accounts = leverageAccounts(request, 'withdraw', read, AT);
  return buildRepayWithCollateral(accounts, { repay: { baseUnits: amount }, closes: false }, read);
}

/** Runs what was built: the codes of the errors that the preview warns of, and the error of the program. */
function outcome(build: LeverageBuild) {
  const { warnings } = leveragePreview(build, read);
  const codes = warnings.filter(({ level }) => level === 'ERROR').map(({ code }) => code);
  return { codes, failure: bench.failureOf(withPositions(build.sequence.instructions)) };
}

it('works without a limit in the way', () => {
  expect(outcome(multiply(100n))).toEqual({ codes: [], failure: null });
  expect(outcome(repay(5n))).toEqual({ codes: [], failure: null });
});

describe('a leveraged deposit', () => {
  it.each<[string, string, number, () => LeverageBuild]>([
    [
      'a reserve without flash loans',
      'BORROW_NOT_ALLOWED',
      6036,
      () => {
        debtReserve({ config: { fees: { flashLoanFeeSf: U64_MAX } } });
        return multiply(100n);
      },
    ],
    [
      'an obsolete debt reserve',
      'BORROW_NOT_ALLOWED',
      6082,
      () => {
        debtReserve({ config: { status: 1 } });
        return multiply(100n);
      },
    ],
    ['a debt that the collateral does not cover', 'COLLATERAL_TOO_LOW', 6013, () => multiply(400n)],
    [
      'a borrow limit that the borrow alone exceeds',
      'BORROW_LIMIT_EXCEEDED',
      6089,
      () => {
        debtReserve({ config: { borrowLimit: BORROWED + 99n * TOKEN } });
        return multiply(100n);
      },
    ],
    [
      'a borrow limit that the flash loan uses up',
      'BORROW_LIMIT_EXCEEDED',
      6089,
      () => {
        debtReserve({ config: { borrowLimit: BORROWED + 150n * TOKEN } });
        return multiply(100n);
      },
    ],
    [
      'a limit on debt outside elevation groups',
      'BORROW_LIMIT_EXCEEDED',
      6089,
      () => {
        debtReserve({ config: { borrowLimitOutsideElevationGroup: 50n * TOKEN } });
        return multiply(100n);
      },
    ],
    [
      'a utilization at which borrowing stops, reached with the flash loan',
      'UTILIZATION_BLOCK',
      6098,
      () => {
        // 990 of 2,000 are lent; the borrow of 9 alone would stay below half.
        debtReserve({
          liquidity: {
            totalAvailableAmount: 1_010n * TOKEN,
            borrowedAmountSf: 990n * TOKEN * FRACTION_ONE,
          },
          config: { utilizationLimitBlockBorrowingAbovePct: 50 },
        });
        return multiply(9n);
      },
    ],
    [
      'liquidity for the flash loan but not for the borrow as well',
      'LIQUIDITY_TOO_LOW',
      6008,
      () => {
        debtReserve({ liquidity: { totalAvailableAmount: 150n * TOKEN } });
        return multiply(100n);
      },
    ],
    [
      'a deposit limit',
      'DEPOSIT_LIMIT_EXCEEDED',
      6090,
      () => {
        collateralReserve({ config: { depositLimit: BORROWED + AVAILABLE + 50n * TOKEN } });
        return multiply(100n);
      },
    ],
    [
      'a debt reserve in emergency mode',
      'BORROW_NOT_ALLOWED',
      6175,
      () => {
        debtReserve({ config: { emergencyMode: 1 } });
        return multiply(100n);
      },
    ],
    [
      'a collateral reserve in emergency mode',
      'ACTION_NOT_ALLOWED',
      6175,
      () => {
        collateralReserve({ config: { emergencyMode: 1 } });
        return multiply(100n);
      },
    ],
    [
      'a market in emergency mode',
      'ACTION_NOT_ALLOWED',
      6042,
      () => {
        bench.change(lendingMarket, MARKET, { emergencyMode: 1 });
        return multiply(100n);
      },
    ],
  ])('%s: %s, %i', (_, code, failure, run) => {
    const { codes, failure: found } = outcome(run());
    expect(found).toBe(failure);
    expect(codes).toContain(code);
  });

  it('has no fee for a flash loan that the reserve does not give', () => {
    debtReserve({ config: { fees: { flashLoanFeeSf: U64_MAX } } });
    const { fees, worstCase } = leveragePreview(multiply(100n), read);
    expect(fees).toEqual([]);
    // The borrow less the loan.
    expect(worstCase?.walletChanges[1]?.amount).toBe((100n * TOKEN) / 50_000n);
  });

  it('names the permissioning authority in its deposit and its borrow', () => {
    const authority = addressNumber(851);
    bench.change(lendingMarket, MARKET, { permissioningAuthority: authority, permissionedOps: 3n });
    const build = multiply(100n);
    const { warnings } = leveragePreview(build, read);
    expect(warnings.filter(({ code }) => code === 'NEEDS_PERMISSION')).toHaveLength(1);
    const signed = build.sequence.instructions
      .filter(({ labels }) => labels.includes('permissioningAuthority'))
      .map(({ name, accounts }) => [name, accounts.at(-1)?.address]);
    expect(signed).toEqual([
      ['depositReserveLiquidityAndObligationCollateralV2', authority],
      ['borrowObligationLiquidityV2', authority],
    ]);
    expect(outcome(build)).toEqual({ codes: [], failure: null });
  });

  it('fits a borrow limit that leaves room for both', () => {
    debtReserve({ config: { borrowLimit: BORROWED + 201n * TOKEN } });
    expect(outcome(multiply(100n))).toEqual({ codes: [], failure: null });
  });

  it('fails when the swap pays less than its minimum and the wallet cannot make up for it', () => {
    const { mintPubkey } = bench.reserve(0).liquidity;
    bench.setBalance(bench.accounts.token.address, mintPubkey, WALLET, 0n);
    // The error of the token program: insufficient funds.
    const found = outcome(multiply(100n, { paid: 99n * TOKEN }));
    expect(found).toEqual({ codes: ['TOKENS_TO_OTHER'], failure: 1 });
    expect(bench.balance(bench.accounts.token.address)).toBe(0n);
  });
});

describe('a repayment with collateral', () => {
  it.each<[string, string, number, () => LeverageBuild]>([
    [
      'a reserve without flash loans',
      'BORROW_NOT_ALLOWED',
      6036,
      () => {
        debtReserve({ config: { fees: { flashLoanFeeSf: U64_MAX } } });
        return repay(5n);
      },
    ],
    [
      'a withdrawal that leaves too little collateral',
      'COLLATERAL_TOO_LOW',
      6011,
      () => repay(1n, { spent: 95n * TOKEN }),
    ],
    [
      'liquidity below the flash loan',
      'LIQUIDITY_TOO_LOW',
      6008,
      () => {
        debtReserve({ liquidity: { totalAvailableAmount: 4n * TOKEN } });
        return repay(5n);
      },
    ],
  ])('%s: %s, %i', (_, code, failure, run) => {
    const { codes, failure: found } = outcome(run());
    expect(found).toBe(failure);
    expect(codes).toContain(code);
  });

  it('fails when the swap pays less than its minimum', () => {
    const found = outcome(repay(5n, { paid: 5n * TOKEN - 1n }));
    expect(found).toEqual({ codes: ['TOKENS_TO_OTHER'], failure: 1 });
  });
});
