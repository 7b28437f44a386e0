import { farmUserState } from '@sluice/protocol/farms/addresses';
import { userState } from '@sluice/protocol/farms/user-state';
import { depositV2, withdrawV2 } from '@sluice/protocol/klend/action-instructions';
import { obligation } from '@sluice/protocol/klend/obligation';
import { reserve } from '@sluice/protocol/klend/reserve';
import type { EncodedInstruction, InstructionLayout } from '@sluice/protocol/layout/instruction';
import { MAINNET_PROGRAMS, SYSTEM_PROGRAM, TOKEN_2022_PROGRAM } from '@sluice/protocol/program-ids';
import { TRANSFER_FEE_CONFIG } from '@sluice/protocol/token/extensions';
import { decodeMint, encodeMint } from '@sluice/protocol/token/mint';
import { AccountRole, type Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { buildLending } from '../../src/builders/lending/action.ts';
import {
  addressNumber,
  type LendingSetting,
  MARKET,
  NOW,
  reserveAddress,
  WALLET,
} from '../support/builders/lending-accounts.ts';
import { type DepositBench, depositBench } from '../support/localnet/deposit-bench.ts';

const { klend, farms } = MAINNET_PROGRAMS;
const OTHER = addressNumber(950);
const FUNDED: LendingSetting = { balances: [10n ** 12n, 10n ** 12n, 10n ** 12n] };
const HOLDING: LendingSetting = { ...FUNDED, deposits: [[0, 1_000_000n]] };
const UNIT = 1n << 60n;

type Action = 'deposit' | 'withdraw';
const LAYOUTS = { deposit: depositV2, withdraw: withdrawV2 } as const;

/** The refresh of the obligation and the action, as the builders make them. */
function built(bench: DepositBench, amount: bigint): [EncodedInstruction, EncodedInstruction] {
  const { instructions } = buildLending(bench.accounts, { baseUnits: amount }, NOW).action;
  const [refresh, action] = instructions.filter(({ programAddress }) => programAddress === klend).slice(-2);
  if (refresh === undefined || action === undefined) throw new Error('no action');
  return [refresh, action];
}

function replaced(
  instruction: EncodedInstruction,
  layout: Pick<InstructionLayout, 'accountNames'>,
  name: string,
  change: { readonly address?: Address; readonly role?: AccountRole },
): EncodedInstruction {
  const at = layout.accountNames.indexOf(name);
  const accounts = instruction.accounts.map((each, i) => (i === at ? { ...each, ...change } : each));
  return { ...instruction, accounts };
}

function failure(bench: DepositBench, amount = 1_000n) {
  return bench.failureOf(built(bench, amount));
}

function failureWith(action: Action, name: string, change: { address?: Address; role?: AccountRole }) {
  const bench = depositBench(HOLDING, action);
  bench.setBalance(OTHER, bench.reserve(0).liquidity.mintPubkey, OTHER, 10n ** 9n);
  const [refresh, run] = built(bench, 1_000n);
  return bench.failureOf([refresh, replaced(run, LAYOUTS[action], name, change)]);
}

describe('deposit and withdraw check their accounts', () => {
  it.each([
    ['deposit', 'owner', { role: AccountRole.WRITABLE }, 3010],
    ['deposit', 'owner', { address: OTHER }, 2001],
    ['deposit', 'obligation', { role: AccountRole.READONLY }, 2000],
    ['deposit', 'obligation', { address: OTHER }, 3007],
    ['deposit', 'lendingMarket', { address: OTHER }, 3007],
    ['deposit', 'lendingMarketAuthority', { address: OTHER }, 2006],
    ['deposit', 'reserve', { address: MARKET }, 3002],
    ['deposit', 'reserveLiquidityMint', { address: addressNumber(700) }, 2012],
    ['deposit', 'reserveLiquiditySupply', { address: OTHER }, 2012],
    ['deposit', 'reserveCollateralMint', { address: addressNumber(200) }, 2012],
    ['deposit', 'reserveDestinationDepositCollateral', { address: OTHER }, 2012],
    ['deposit', 'userSourceLiquidity', { address: OTHER }, 2015],
    ['deposit', 'userSourceLiquidity', { address: addressNumber(951) }, 3012],
    ['deposit', 'collateralTokenProgram', { address: TOKEN_2022_PROGRAM }, 3008],
    ['deposit', 'liquidityTokenProgram', { address: TOKEN_2022_PROGRAM }, 2022],
    ['deposit', 'liquidityTokenProgram', { address: SYSTEM_PROGRAM }, 3008],
    ['deposit', 'instructionSysvarAccount', { address: OTHER }, 2012],
    ['deposit', 'farmsProgram', { address: OTHER }, 3008],
    ['withdraw', 'owner', { role: AccountRole.WRITABLE }, 3010],
    ['withdraw', 'owner', { address: OTHER }, 2001],
    ['withdraw', 'lendingMarketAuthority', { address: OTHER }, 2006],
    ['withdraw', 'reserveLiquidityMint', { address: addressNumber(700) }, 2012],
    ['withdraw', 'reserveSourceCollateral', { address: OTHER }, 2012],
    ['withdraw', 'reserveCollateralMint', { address: addressNumber(200) }, 2012],
    ['withdraw', 'reserveLiquiditySupply', { address: OTHER }, 2012],
    ['withdraw', 'userDestinationLiquidity', { address: OTHER }, 2015],
    ['withdraw', 'instructionSysvarAccount', { address: OTHER }, 2012],
  ] as const)('%s with %s %o: %i', (action, name, change, code) => {
    expect(failureWith(action, name, change)).toBe(code);
  });

  it('a token account of another mint: 2014', () => {
    const bench = depositBench({ ...FUNDED, reserves: [{}, {}] });
    const [refresh, run] = built(bench, 1_000n);
    const address = depositBench({ ...FUNDED, reserves: [{}, {}] }, 'deposit', 1).accounts.token.address;
    const changed = replaced(run, depositV2, 'userSourceLiquidity', { address });
    expect(bench.failureOf([refresh, changed])).toBe(2014);
  });

  it('a reserve or an obligation of another market: 2001', () => {
    for (const layout of [reserve, obligation]) {
      const bench = depositBench(FUNDED);
      const steps = built(bench, 1_000n);
      bench.run(steps.slice(0, 1));
      const at = layout === reserve ? reserveAddress(0) : bench.obligationAddress;
      if (layout === reserve) bench.change(reserve, at, { lendingMarket: OTHER });
      else bench.change(obligation, at, { lendingMarket: OTHER });
      expect(bench.failureOf(steps.slice(1))).toBe(2001);
    }
  });
});

describe('deposit refuses', () => {
  /** The refresh of the obligation would fail with the same number. */
  const REFUSED_BY_REFRESH: readonly number[] = [6042, 6073];

  it.each([
    ['a market in emergency', { ...FUNDED, market: { emergencyMode: 1 } }, 6042],
    ['an obsolete reserve', { ...FUNDED, reserves: [{ config: { status: 1 } }] }, 6082],
    ['a reserve of another version', { ...FUNDED, reserves: [{ change: { version: 2n } }] }, 6073],
    [
      'an amount above the reserve limit',
      { ...FUNDED, reserves: [{ config: { depositLimit: 10n ** 12n } }] },
      6090,
    ],
    ['more than the wallet has', { balances: [999n] }, 1],
    ['a position below the market minimum', { ...FUNDED, market: { minNetValueInObligationSf: UNIT } }, 6092],
  ] as const)('%s', (_, setting, code) => {
    const bench = depositBench(setting);
    const [refresh, run] = built(bench, 1_000n);
    expect(bench.failureOf(REFUSED_BY_REFRESH.includes(code) ? [run] : [refresh, run])).toBe(code);
  });

  it('nothing: 6003, also when the amount buys no collateral token', () => {
    const bench = depositBench(FUNDED);
    const [refresh, run] = built(bench, 1n);
    const data = run.data.slice();
    data.fill(0, 8);
    expect(bench.failureOf([refresh, { ...run, data }])).toBe(6003);
    const dear = depositBench({ ...FUNDED, reserves: [{ collateral: 400_000_000_000n }] });
    expect(failure(dear, 1n)).toBe(6003);
  });

  it('a reserve that was not refreshed in this slot: 6009', () => {
    for (const lastUpdate of [{ slot: NOW.slot - 1n }, { stale: 1 }]) {
      const bench = depositBench(FUNDED);
      const [refresh, run] = built(bench, 1_000n);
      bench.run([refresh]);
      bench.change(reserve, reserveAddress(0), { lastUpdate });
      expect(bench.failureOf([run])).toBe(6009);
    }
  });

  it('an obligation that was not refreshed in this slot: 6017', () => {
    const bench = depositBench(FUNDED);
    const [refresh, run] = built(bench, 1_000n);
    expect(bench.failureOf([run])).toBe(6017);
    expect(bench.failureOf([refresh, run])).toBe(null);
    // The deposit leaves both stale.
    expect(bench.failureOf([run])).toBe(6009);
  });

  it('a mint that charges transfer fees: 6108', () => {
    const bench = depositBench({ ...FUNDED, reserves: [{ tokenProgram: TOKEN_2022_PROGRAM }] });
    const { mintPubkey } = bench.reserve(0).liquidity;
    const fee = new Uint8Array(108);
    fee[106] = 1;
    const mint = decodeMint(bench.account(mintPubkey));
    const data = encodeMint({ ...mint, extensions: [{ type: TRANSFER_FEE_CONFIG, data: fee }], size: 300 });
    bench.set(mintPubkey, { ...bench.account(mintPubkey), owner: TOKEN_2022_PROGRAM, data });
    expect(failure(bench)).toBe(6108);
    fee[106] = 0;
    const free = encodeMint({ ...mint, extensions: [{ type: TRANSFER_FEE_CONFIG, data: fee }], size: 300 });
    bench.set(mintPubkey, { ...bench.account(mintPubkey), data: free });
    expect(failure(bench)).not.toBe(6108);
  });

  it('a ninth kind of collateral: 6018', () => {
    const reserves = Array.from({ length: 9 }, () => ({}));
    const deposits = Array.from({ length: 8 }, (_, i) => [i, 1_000_000n] as const);
    const balances = reserves.map(() => 10n ** 12n);
    expect(failure(depositBench({ reserves, deposits, balances }, 'deposit', 8))).toBe(6018);
  });

  it.each([
    ['a reserve outside the group', {}, { id: 1 }, 6068],
    [
      'the debt reserve of the group',
      { config: { elevationGroups: Uint8Array.of(1) } },
      { debtReserve: reserveAddress(0) },
      6105,
    ],
    [
      'more collateral than the group allows',
      { config: { elevationGroups: Uint8Array.of(1) } },
      { maxReservesAsCollateral: 0 },
      6106,
    ],
    ['a group without terms', { config: { elevationGroups: Uint8Array.of(1) } }, { ltvPct: 0 }, 6069],
  ] as const)('%s', (_, setting, group, code) => {
    const terms = {
      id: 1,
      ltvPct: 90,
      liquidationThresholdPct: 95,
      allowNewLoans: 1,
      maxReservesAsCollateral: 2,
    };
    const bench = depositBench({
      ...FUNDED,
      reserves: [setting],
      market: { elevationGroups: [{ ...terms, ...group }] },
    });
    const [refresh, run] = built(bench, 1_000n);
    bench.run([refresh]);
    bench.change(obligation, bench.obligationAddress, { elevationGroup: 1 });
    expect(bench.failureOf([run])).toBe(code);
  });
});

describe('deposit and withdraw in an elevation group', () => {
  const group = {
    id: 1,
    ltvPct: 90,
    liquidationThresholdPct: 95,
    allowNewLoans: 1,
    maxReservesAsCollateral: 2,
    debtReserve: reserveAddress(1),
  };
  const config = { elevationGroups: Uint8Array.of(1) };
  const setting: LendingSetting = {
    ...FUNDED,
    reserves: [{ config }, { config }, { config }],
    deposits: [[0, 1_000_000_000n]],
    borrows: [[1, 500_000_000n]],
    market: { elevationGroups: [group] },
    change: { elevationGroup: 1 },
  };
  const counted = (bench: DepositBench, index: number) =>
    bench.reserve(index).borrowedAmountsAgainstThisReserveInElevationGroups[0];

  it('count the whole debt against a new collateral, and no longer once it has left', () => {
    const bench = depositBench(setting, 'deposit', 2);
    expect(failure(bench, 2_000_000n)).toBe(null);
    expect(counted(bench, 2)).toBe(500_000_000n);
    const [, added] = bench.obligation().deposits;
    expect(added).toMatchObject({
      depositReserve: reserveAddress(2),
      depositedAmount: 2_000_000n,
      borrowedAmountAgainstThisCollateralInElevationGroup: 500_000_000n,
    });
    const deposits = [
      [0, 1_000_000_000n],
      [2, 2_000_000n],
    ] as const;
    const leaving = depositBench({ ...setting, deposits }, 'withdraw', 2);
    const steps = built(leaving, 2_000_000n);
    leaving.run(steps.slice(0, 1));
    const borrowedInGroup = { borrowedAmountAgainstThisCollateralInElevationGroup: 500_000_000n };
    leaving.change(obligation, leaving.obligationAddress, { deposits: [{}, borrowedInGroup] });
    leaving.change(reserve, reserveAddress(2), {
      borrowedAmountsAgainstThisReserveInElevationGroups: [700_000_000n],
    });
    expect(leaving.failureOf(steps.slice(1))).toBe(null);
    expect(counted(leaving, 2)).toBe(200_000_000n);
  });
});

describe('deposit and withdraw report the position to the farm of the reserve', () => {
  const setting: LendingSetting = {
    ...HOLDING,
    reserves: [{ farmCollateral: true }],
    farmUsers: [{ reserve: 0, side: 'collateral' }],
  };
  const stakeOf = (bench: DepositBench) => {
    const farm = bench.reserve(0).farmCollateral;
    const { address } = farmUserState(farms, farm, bench.obligationAddress);
    return { address, stake: userState.decode(bench.account(address), farms).activeStakeScaled };
  };

  it('sets the stake to the collateral tokens, and to 0 when the obligation closes', () => {
    const bench = depositBench(setting);
    expect(failure(bench, 5_000n)).toBe(null);
    expect(stakeOf(bench).stake).toBe(1_005_000n);
    const leaving = depositBench(setting, 'withdraw');
    const { address } = stakeOf(leaving);
    leaving.change(userState, address, { activeStakeScaled: 1_000_000n });
    const owner = leaving.account(WALLET).lamports;
    const rent = leaving.account(leaving.obligationAddress).lamports;
    expect(failure(leaving, 1_000_000n)).toBe(null);
    expect(stakeOf(leaving).stake).toBe(0n);
    expect(leaving.account(leaving.obligationAddress)).toMatchObject({ owner: SYSTEM_PROGRAM, lamports: 0n });
    expect(leaving.account(WALLET).lamports).toBe(owner + rent);
  });

  it.each([
    ['deposit', 'obligationFarmUserState', klend, 6120],
    ['deposit', 'reserveFarmState', klend, 6120],
    ['deposit', 'obligationFarmUserState', OTHER, 3007],
    ['deposit', 'reserveFarmState', OTHER, 6006],
    ['withdraw', 'obligationFarmUserState', klend, 6120],
    ['withdraw', 'reserveFarmState', OTHER, 6006],
  ] as const)('%s refuses another %s (%s): %i', (action, name, address, code) => {
    const bench = depositBench(setting, action);
    const [refresh, run] = built(bench, 1_000n);
    const role = address === klend ? AccountRole.READONLY : AccountRole.WRITABLE;
    const changed = replaced(run, LAYOUTS[action], name, { address, role });
    expect(bench.failureOf([refresh, changed])).toBe(code);
  });

  it('refuses the stake of another obligation: 6006', () => {
    const bench = depositBench(setting);
    bench.change(userState, stakeOf(bench).address, { delegatee: OTHER });
    expect(failure(bench)).toBe(6006);
  });
});

describe('withdraw refuses', () => {
  const INDEBTED: LendingSetting = {
    ...FUNDED,
    reserves: [{}, {}],
    deposits: [[0, 1_000_000_000n]],
    borrows: [[1, 500_000_000n]],
  };

  it('an obligation without deposits: 6020, and another reserve: 6024', () => {
    const empty = depositBench(HOLDING, 'withdraw');
    const steps = built(empty, 1_000n);
    empty.run(steps.slice(0, 1));
    empty.change(obligation, empty.obligationAddress, { deposits: [{ depositReserve: SYSTEM_PROGRAM }] });
    expect(empty.failureOf(steps.slice(1))).toBe(6020);
    const moved = depositBench(HOLDING, 'withdraw');
    moved.run(steps.slice(0, 1));
    moved.change(obligation, moved.obligationAddress, { deposits: [{ depositReserve: OTHER }] });
    expect(moved.failureOf(steps.slice(1))).toBe(6024);
  });

  it('nothing: 6003', () => {
    const bench = depositBench(HOLDING, 'withdraw');
    const [refresh, run] = built(bench, 1_000n);
    const data = run.data.slice();
    data.fill(0, 8);
    expect(bench.failureOf([refresh, { ...run, data }])).toBe(6003);
  });

  it('a stale reserve: 6009, and a stale obligation: 6017', () => {
    const bench = depositBench(HOLDING, 'withdraw');
    const [refresh, run] = built(bench, 1_000n);
    expect(bench.failureOf([run])).toBe(6017);
    bench.run([refresh]);
    bench.change(reserve, reserveAddress(0), { lastUpdate: { stale: 1 } });
    expect(bench.failureOf([run])).toBe(6009);
  });

  it('a price that fails a check while in debt: 6009; without debt it does not matter', () => {
    const debtor = depositBench(INDEBTED, 'withdraw');
    const steps = built(debtor, 1_000n);
    debtor.run(steps.slice(0, 1));
    debtor.change(reserve, reserveAddress(0), { lastUpdate: { priceStatus: 0b111101 } });
    expect(debtor.failureOf(steps.slice(1))).toBe(6009);
    const free = depositBench(HOLDING, 'withdraw');
    free.change(reserve, reserveAddress(0), { lastUpdate: { priceStatus: 0 } });
    expect(failure(free)).toBe(null);
  });

  it('more than the debt allows: 6011; any amount at the limit: 6116', () => {
    // 1000 USD at 75 % allow 750 USD of debt: with 500 USD owed, a third of the deposit can leave.
    expect(failure(depositBench(INDEBTED, 'withdraw'), 333_333_333n)).toBe(null);
    expect(failure(depositBench(INDEBTED, 'withdraw'), 333_333_335n)).toBe(6011);
    const full = depositBench({ ...INDEBTED, borrows: [[1, 750_000_000n]] }, 'withdraw');
    expect(failure(full, 1_000n)).toBe(6116);
  });

  it('more than the vault holds: 6008, and more than the outflow cap: 6064', () => {
    const lent = { available: 500n, borrowed: 10n ** 12n - 500n };
    expect(failure(depositBench({ ...HOLDING, reserves: [lent] }, 'withdraw'), 1_000n)).toBe(6008);
    const capped = {
      config: { depositWithdrawalCap: { configCapacity: 999n, configIntervalLengthSeconds: 60n } },
    };
    expect(failure(depositBench({ ...HOLDING, reserves: [capped] }, 'withdraw'), 1_000n)).toBe(6064);
    expect(failure(depositBench({ ...HOLDING, reserves: [capped] }, 'withdraw'), 999n)).toBe(null);
  });

  it('a rest below the market minimum: 6092', () => {
    const bench = depositBench({ ...HOLDING, market: { minNetValueInObligationSf: UNIT / 2n } }, 'withdraw');
    expect(failure(bench, 500_001n)).toBe(6092);
  });
});
