import { lendingMarket } from '@sluice/protocol/klend/lending-market';
import { obligation } from '@sluice/protocol/klend/obligation';
import { reserve } from '@sluice/protocol/klend/reserve';
import type { EncodedInstruction } from '@sluice/protocol/layout/instruction';
import { FRACTION_ONE } from '@sluice/protocol/numeric/fraction';
import {
  MAINNET_PROGRAMS,
  NO_ADDRESS,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '@sluice/protocol/program-ids';
import { AccountRole, type Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import type { AmountInput } from '../../src/builders/amount.ts';
import { buildLending } from '../../src/builders/lending/action.ts';
import {
  addressNumber,
  type LendingSetting,
  MARKET,
  NOW,
  REFERRER,
  reserveAddress,
} from '../support/builders/lending-accounts.ts';
import { type LendingBench, lendingBench } from '../support/localnet/lending-bench.ts';

const { klend } = MAINNET_PROGRAMS;
const DEBT = reserveAddress(1);
const COLLATERAL = reserveAddress(0);
const OTHER = addressNumber(77);

/** 1000 USD of collateral and no debt. One USD is a token of six decimals. */
const POSITION: LendingSetting = {
  reserves: [{}, {}, {}],
  deposits: [[0, 1_000_000_000n]],
  balances: [10n ** 12n, 10n ** 12n, 10n ** 12n],
};
const IN_DEBT: LendingSetting = { ...POSITION, borrows: [[1, 500_000_000n]] };
const GROUP = {
  id: 1,
  ltvPct: 90,
  liquidationThresholdPct: 93,
  allowNewLoans: 1,
  maxReservesAsCollateral: 2,
};
const HUNDRED: AmountInput = { baseUnits: 100_000_000n };

type Prepare = (bench: LendingBench) => void;

interface Attempt {
  readonly action?: 'borrow' | 'repay';
  readonly setting?: LendingSetting;
  readonly input?: AmountInput;
  /** Changes state after the instructions were built. */
  readonly prepare?: Prepare;
  /** Changes the instructions. */
  readonly edit?: (instructions: readonly EncodedInstruction[]) => readonly EncodedInstruction[];
}

function attempt({ action = 'borrow', setting = POSITION, input = HUNDRED, prepare, edit }: Attempt) {
  const bench = lendingBench(setting, action, 1);
  const built = buildLending(bench.accounts, input, NOW).action.instructions;
  const instructions = built.filter(({ programAddress }) => programAddress === klend);
  prepare?.(bench);
  return bench.failureOf(edit?.(instructions) ?? instructions);
}

/** Replaces one account of the action, which is the last instruction. */
const account =
  (position: number, address: Address, role?: AccountRole): NonNullable<Attempt['edit']> =>
  (instructions) =>
    instructions.map((each, i) => {
      if (i !== instructions.length - 1) return each;
      const accounts = each.accounts.map((meta, at) =>
        at === position ? { address, role: role ?? meta.role } : meta,
      );
      return { ...each, accounts };
    });

const debtConfig =
  (config: Parameters<typeof reserve.encode>[0]['config']): Prepare =>
  (bench) =>
    bench.change(reserve, DEBT, { config });
const collateralConfig =
  (config: Parameters<typeof reserve.encode>[0]['config']): Prepare =>
  (bench) =>
    bench.change(reserve, COLLATERAL, { config });
const market =
  (fields: Parameters<typeof lendingMarket.encode>[0]): Prepare =>
  (bench) =>
    bench.change(lendingMarket, MARKET, fields);
const position =
  (fields: Parameters<typeof obligation.encode>[0]): Prepare =>
  (bench) =>
    bench.change(obligation, bench.obligationAddress, fields);
const both =
  (...all: readonly Prepare[]): Prepare =>
  (bench) => {
    for (const each of all) each(bench);
  };

const capOf = (capacity: bigint) => ({
  configCapacity: capacity,
  lastIntervalStartTimestamp: NOW.timestamp - 10n,
  configIntervalLengthSeconds: 100n,
});

describe('borrowObligationLiquidityV2 refuses', () => {
  it('nothing of the plain case', () => {
    expect(attempt({})).toBeNull();
  });

  it.each<[number, string, Prepare]>([
    [6042, 'a market in emergency mode', market({ emergencyMode: 1 })],
    [6088, 'a market that has borrowing disabled', market({ borrowDisabled: 1 })],
    [6082, 'an obsolete reserve', debtConfig({ status: 1 })],
    [6084, 'an obligation with collateral in an obsolete reserve', collateralConfig({ status: 1 })],
    [6139, 'a reserve whose debt has matured', debtConfig({ debtMaturityTimestamp: NOW.timestamp })],
    [
      6115,
      'an obligation marked for deleveraging',
      position({ autodeleverageMarginCallStartedTimestamp: 1n }),
    ],
    [6091, 'collateral that counts in groups only', collateralConfig({ disableUsageAsCollOutsideEmode: 1 })],
    [6013, 'a debt above the allowed value', collateralConfig({ loanToValuePct: 9 })],
    [6013, 'any debt when none is allowed', collateralConfig({ loanToValuePct: 0 })],
    [6013, 'a debt that the borrow factor makes too large', debtConfig({ borrowFactorPct: 751n })],
    [6089, 'a reserve at its borrow limit', debtConfig({ borrowLimit: 400_000_000_000n })],
    [6089, 'an amount above the borrow limit', debtConfig({ borrowLimit: 400_099_999_999n })],
    [
      6089,
      'an amount above the limit outside groups',
      debtConfig({ borrowLimitOutsideElevationGroup: 99_999_999n }),
    ],
    [6064, 'an amount above the outflow cap', debtConfig({ debtWithdrawalCap: capOf(99_999_999n) })],
    [6098, 'a utilization at the block', debtConfig({ utilizationLimitBlockBorrowingAbovePct: 40 })],
    [6092, 'a debt below the minimum value', market({ minNetValueInObligationSf: 101n * FRACTION_ONE })],
    [6119, 'a debt above the liquidation threshold', collateralConfig({ liquidationThresholdPct: 9 })],
  ])('%i: %s', (code, _, prepare) => {
    expect(attempt({ prepare })).toBe(code);
  });

  it('accepts amounts exactly at those limits', () => {
    const prepares: Prepare[] = [
      debtConfig({ borrowFactorPct: 750n }),
      debtConfig({ borrowLimit: 400_100_000_000n }),
      debtConfig({ borrowLimitOutsideElevationGroup: 100_000_000n }),
      debtConfig({ debtWithdrawalCap: capOf(100_000_000n) }),
      market({ minNetValueInObligationSf: 100n * FRACTION_ONE }),
      collateralConfig({ liquidationThresholdPct: 10 }),
    ];
    expect(prepares.map((prepare) => attempt({ prepare }))).toEqual(prepares.map(() => null));
  });

  it('6013: ten percent of the collateral, because the program rounds ten percent down', () => {
    const prepare = collateralConfig({ loanToValuePct: 10 });
    expect(attempt({ prepare })).toBe(6013);
    expect(attempt({ prepare, input: { baseUnits: 99_999_999n } })).toBeNull();
  });

  it('6073: a reserve of another version', () => {
    const prepare: Prepare = (bench) => bench.change(reserve, DEBT, { version: 2n });
    expect(attempt({ prepare, edit: (all) => all.slice(-1) })).toBe(6073);
  });

  it('6003: an amount of zero', () => {
    const edit: Attempt['edit'] = (all) =>
      all.map((each, i) => (i === all.length - 1 ? { ...each, data: each.data.slice().fill(0, 8) } : each));
    expect(attempt({ edit })).toBe(6003);
  });

  it('6008: more than the reserve has', () => {
    const reserves = [{}, { available: 99_999_999n, borrowed: 400_000_000_000n }, {}];
    expect(attempt({ setting: { ...POSITION, reserves } })).toBe(6008);
  });

  it('6012: an amount that the fee eats up', () => {
    const prepare = debtConfig({ fees: { originationFeeSf: FRACTION_ONE / 1_000n } });
    expect(attempt({ prepare, input: { baseUnits: 1n } })).toBe(6012);
    expect(attempt({ prepare, input: { baseUnits: 2n } })).toBeNull();
  });

  it('6018: a sixth debt', () => {
    const setting: LendingSetting = {
      ...POSITION,
      reserves: Array.from({ length: 7 }, () => ({})),
      borrows: [2, 3, 4, 5, 6].map((index) => [index, 1_000_000n] as const),
    };
    expect(attempt({ setting })).toBe(6018);
    expect(attempt({ setting: { ...setting, borrows: setting.borrows?.slice(1) ?? [] } })).toBeNull();
  });

  it('6020, 6022: no deposits, or worthless ones', () => {
    expect(attempt({ setting: { ...POSITION, deposits: [] } })).toBe(6020);
    const prepare: Prepare = (bench) =>
      bench.change(reserve, COLLATERAL, { liquidity: { marketPriceSf: 0n } });
    expect(attempt({ prepare, edit: (all) => all.slice(-2) })).toBe(6022);
  });

  it('6094: as much debt as collateral', () => {
    const prepare = collateralConfig({ loanToValuePct: 200, liquidationThresholdPct: 200 });
    expect(attempt({ prepare, input: { baseUnits: 1_000_000_000n } })).toBe(6094);
    expect(attempt({ prepare, input: { baseUnits: 999_999_999n } })).toBeNull();
  });

  it('6142: more debt after the end of a fixed term', () => {
    const since = (seconds: bigint) =>
      both(
        debtConfig({ debtTermSeconds: 1_000n }),
        position({ borrows: [{ lastBorrowedAtTimestamp: NOW.timestamp - seconds }] }),
      );
    expect(attempt({ setting: IN_DEBT, prepare: since(1_000n) })).toBe(6142);
    expect(attempt({ setting: IN_DEBT, prepare: since(999n) })).toBeNull();
  });

  it('6126: a second debt under an order for a single one', () => {
    const order = { conditionThresholdSf: FRACTION_ONE, conditionType: 1, opportunityType: 0 };
    const prepare = position({ obligationOrders: [order] });
    expect(attempt({ prepare })).toBeNull();
    expect(attempt({ prepare, setting: { ...POSITION, borrows: [[2, 1_000_000n]] } })).toBe(6126);
  });

  it('6068, 6072, 6101, 6104: what its elevation group forbids', () => {
    const member = { elevationGroups: Uint8Array.of(1) };
    const limit = (amount: bigint) => ({
      ...member,
      borrowLimitAgainstThisCollateralInElevationGroup: [amount],
    });
    const setting: LendingSetting = {
      ...POSITION,
      change: { elevationGroup: 1 },
      market: { elevationGroups: [{ ...GROUP, debtReserve: DEBT }] },
    };
    const inGroup = (...changes: readonly Prepare[]) =>
      attempt({
        setting,
        prepare: both(collateralConfig(limit(100_000_000n)), debtConfig(member), ...changes),
      });
    expect(inGroup()).toBeNull();
    expect(inGroup(debtConfig({ elevationGroups: Uint8Array.of(2) }))).toBe(6068);
    expect(inGroup(market({ elevationGroups: [{ allowNewLoans: 0 }] }))).toBe(6072);
    expect(inGroup(collateralConfig(limit(99_999_999n)))).toBe(6101);
    expect(inGroup(market({ elevationGroups: [{ debtReserve: reserveAddress(2) }] }))).toBe(6104);
  });

  it.each<[number, string, number, Address, AccountRole?]>([
    [3010, 'an owner who has not signed', 0, addressNumber(1), AccountRole.READONLY],
    [6019, 'another owner', 0, OTHER, AccountRole.READONLY_SIGNER],
    [3007, 'an obligation that is none', 1, TOKEN_PROGRAM],
    [3002, 'a market in place of the obligation', 1, MARKET, AccountRole.WRITABLE],
    [2006, 'another authority', 3, OTHER],
    [2012, 'another mint', 5, addressNumber(200)],
    [2012, 'another vault', 6, addressNumber(500)],
    [2012, 'another fee vault', 7, addressNumber(600)],
    [3012, 'a token account that does not exist', 8, OTHER],
    [2015, 'a token account of another owner', 8, addressNumber(501)],
    [3008, 'another token program', 10, OTHER],
    [2022, 'the token program of other mints', 10, TOKEN_2022_PROGRAM],
    [2012, 'another sysvar', 11, OTHER],
    [3008, 'another farms program', 14, OTHER],
  ])('%i: %s', (code, _, at, address, role) => {
    expect(attempt({ edit: account(at, address, role) })).toBe(code);
  });

  it('2000: a read-only reserve', () => {
    expect(attempt({ edit: account(4, DEBT, AccountRole.READONLY) })).toBe(2000);
  });

  it('2014: a token account of another mint', () => {
    const bench = lendingBench(POSITION, 'borrow', 0);
    expect(attempt({ edit: account(8, bench.accounts.token.address) })).toBe(2014);
  });

  it('2001: a reserve of another market', () => {
    const prepare: Prepare = (bench) => bench.change(reserve, DEBT, { lendingMarket: OTHER });
    expect(attempt({ prepare, edit: (all) => all.slice(-1) })).toBe(2001);
  });

  it('6078: a referrer without its account', () => {
    expect(attempt({ setting: { ...POSITION, referred: true } })).toBeNull();
    const edit = account(9, klend, AccountRole.READONLY);
    expect(attempt({ setting: { ...POSITION, referred: true }, edit })).toBe(6078);
  });
});

describe('repayObligationLiquidityV2 refuses', () => {
  const repay = (more: Attempt = {}) => attempt({ action: 'repay', setting: IN_DEBT, ...more });

  it('nothing of the plain case, whoever pays', () => {
    expect(repay()).toBeNull();
    expect(repay({ input: { all: true } })).toBeNull();
  });

  it('6021, 6025: a debt that does not exist', () => {
    const owing = (borrowReserve: Address) =>
      repay({ prepare: position({ borrows: [{ borrowReserve }] }), edit: (all) => all.slice(-1) });
    expect(owing(NO_ADDRESS)).toBe(6021);
    expect(owing(reserveAddress(2))).toBe(6025);
  });

  it('6027: a debt of zero', () => {
    expect(repay({ prepare: position({ borrows: [{ borrowedAmountSf: 0n }] }) })).toBe(6027);
  });

  it('6003: an amount of zero', () => {
    const edit: Attempt['edit'] = (all) =>
      all.map((each, i) => (i === all.length - 1 ? { ...each, data: each.data.slice().fill(0, 8) } : each));
    expect(repay({ edit })).toBe(6003);
  });

  it('6092: a rest below the minimum value', () => {
    const prepare = market({ minNetValueInObligationSf: 401n * FRACTION_ONE });
    expect(repay({ prepare })).toBe(6092);
    expect(repay({ prepare, input: { all: true } })).toBeNull();
  });

  it('6042: a market in emergency mode', () => {
    expect(repay({ prepare: market({ emergencyMode: 1 }) })).toBe(6042);
  });

  it('accepts an obsolete reserve', () => {
    expect(repay({ prepare: debtConfig({ status: 1 }) })).toBeNull();
  });

  it('6134: a transaction with a restricted program', () => {
    const restricted: EncodedInstruction = {
      programAddress: 'jupr81YtYssSyPt8jbnGuiWon5f6x9TcDEFxYe3Bdzi' as Address,
      accounts: [],
      data: new Uint8Array(8),
    };
    expect(repay({ edit: (all) => [...all, restricted] })).toBe(6134);
  });

  it('2003: a reserve of another market', () => {
    const prepare: Prepare = (bench) => bench.change(reserve, DEBT, { lendingMarket: OTHER });
    expect(repay({ prepare, edit: (all) => all.slice(-1) })).toBe(2003);
  });

  it.each<[number, string, number, Address, AccountRole?]>([
    [3010, 'a payer who has not signed', 0, addressNumber(1), AccountRole.READONLY],
    [2012, 'another mint', 4, addressNumber(200)],
    [2012, 'another vault', 5, addressNumber(500)],
    [2014, 'a token account of another mint', 6, addressNumber(502)],
    [6006, 'the vault as the source', 6, addressNumber(501)],
    [2012, 'another sysvar', 8, OTHER],
    [2006, 'another authority', 11, OTHER],
    [3008, 'another farms program', 12, OTHER],
  ])('%i: %s', (code, _, at, address, role) => {
    expect(repay({ edit: account(at, address, role) })).toBe(code);
  });

  it('lets another wallet pay', () => {
    const setting = IN_DEBT;
    const bench = lendingBench(setting, 'repay', 1);
    const { mintPubkey } = bench.reserve(1).liquidity;
    bench.setBalance(OTHER, mintPubkey, REFERRER, 10n ** 9n);
    const built = buildLending(bench.accounts, HUNDRED, NOW).action.instructions;
    const instructions = built.filter(({ programAddress }) => programAddress === klend);
    const paid = account(6, OTHER)(account(0, REFERRER)(instructions));
    expect(bench.failureOf(paid)).toBeNull();
    expect(bench.balance(OTHER)).toBe(900_000_000n);
    expect(bench.obligation().borrows[0]?.borrowedAmountSf).toBe(400_000_000n * FRACTION_ONE);
  });
});
