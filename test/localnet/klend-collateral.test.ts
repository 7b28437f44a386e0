import { farmUserState } from '@sluice/protocol/farms/addresses';
import { depositV1, withdrawV1 } from '@sluice/protocol/klend/action-instructions';
import { marketAuthority } from '@sluice/protocol/klend/addresses';
import { obligation } from '@sluice/protocol/klend/obligation';
import {
  depositCollateralV1,
  depositCollateralV2,
  withdrawCollateralV1,
  withdrawCollateralV2,
} from '@sluice/protocol/klend/position-instructions';
import { reserve } from '@sluice/protocol/klend/reserve';
import {
  depositReserveLiquidity,
  redeemReserveCollateral,
} from '@sluice/protocol/klend/reserve-instructions';
import {
  refreshObligation,
  refreshObligationFarmsForReserve,
  refreshReserve,
} from '@sluice/protocol/klend/setup-instructions';
import type { EncodedInstruction } from '@sluice/protocol/layout/instruction';
import {
  INSTRUCTIONS_SYSVAR,
  MAINNET_PROGRAMS,
  NO_ADDRESS,
  RENT_SYSVAR,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
} from '@sluice/protocol/program-ids';
import { AccountRole, type Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import {
  addressNumber,
  type LendingSetting,
  lendingRequest,
  MARKET,
  reserveAddress,
  WALLET,
} from '../support/builders/lending-accounts.ts';
import { type DepositBench, depositBench } from '../support/localnet/deposit-bench.ts';

const { klend, farms } = MAINNET_PROGRAMS;
const AUTHORITY = marketAuthority(klend, MARKET).address;
const [ORACLE = NO_ADDRESS] = lendingRequest('deposit').oracles;
const OTHER = addressNumber(970);
/** 10^12 base units for 8 * 10^11 collateral tokens: one token is worth 1.25. */
const DEAR = { available: 600_000_000_000n, borrowed: 400_000_000_000n, collateral: 800_000_000_000n };
const SETTING: LendingSetting = { balances: [10n ** 9n], reserves: [DEAR], deposits: [[0, 1_000_000n]] };

/** The accounts of all instructions below, by name. */
function accountsOf(bench: DepositBench) {
  const { liquidity, collateral, farmCollateral } = bench.reserve(0);
  const hasFarm = farmCollateral !== NO_ADDRESS;
  const farmUser = farmUserState(farms, farmCollateral, bench.obligationAddress).address;
  return {
    owner: WALLET,
    crank: WALLET,
    obligation: bench.obligationAddress,
    lendingMarket: MARKET,
    lendingMarketAuthority: AUTHORITY,
    reserve: reserveAddress(0),
    depositReserve: reserveAddress(0),
    withdrawReserve: reserveAddress(0),
    reserveLiquidityMint: liquidity.mintPubkey,
    reserveLiquiditySupply: liquidity.supplyVault,
    reserveCollateralMint: collateral.mintPubkey,
    reserveDestinationCollateral: collateral.supplyVault,
    reserveDestinationDepositCollateral: collateral.supplyVault,
    reserveSourceCollateral: collateral.supplyVault,
    userSourceLiquidity: bench.accounts.token.address,
    userDestinationLiquidity: bench.accounts.token.address,
    userSourceCollateral: bench.collateralAddress(0),
    userDestinationCollateral: bench.collateralAddress(0),
    placeholderUserDestinationCollateral: null,
    tokenProgram: TOKEN_PROGRAM,
    collateralTokenProgram: TOKEN_PROGRAM,
    liquidityTokenProgram: TOKEN_PROGRAM,
    instructionSysvarAccount: INSTRUCTIONS_SYSVAR,
    farmsProgram: farms,
    rent: RENT_SYSVAR,
    systemProgram: SYSTEM_PROGRAM,
    pythOracle: null,
    switchboardPriceOracle: null,
    switchboardTwapOracle: null,
    scopePrices: ORACLE,
    obligationFarmUserState: hasFarm ? farmUser : null,
    reserveFarmState: hasFarm ? farmCollateral : null,
  };
}

const refreshes = (bench: DepositBench, deposits = 1): EncodedInstruction[] => {
  const used = { address: reserveAddress(0), role: AccountRole.WRITABLE };
  return [
    refreshReserve.encode(klend, accountsOf(bench), {}),
    refreshObligation.encode(klend, accountsOf(bench), {}, deposits === 0 ? [] : [used]),
  ];
};

function made(change: LendingSetting = {}, collateral = 1_000_000n): DepositBench {
  const bench = depositBench({ ...SETTING, ...change });
  bench.walletCollateral(0, collateral);
  return bench;
}

const held = (bench: DepositBench) =>
  obligation.decode(bench.account(bench.obligationAddress), klend).deposits[0]?.depositedAmount;

describe('depositReserveLiquidity and redeemReserveCollateral', () => {
  const depositing = (bench: DepositBench, liquidityAmount: bigint, change = {}) =>
    depositReserveLiquidity.encode(klend, { ...accountsOf(bench), ...change }, { liquidityAmount });
  const redeeming = (bench: DepositBench, collateralAmount: bigint, change = {}) =>
    redeemReserveCollateral.encode(klend, { ...accountsOf(bench), ...change }, { collateralAmount });

  it('mint whole collateral tokens, and take no more than they are worth', () => {
    const bench = made();
    // 1001 buy floor(800.8) = 800 tokens, which cost 1000.
    expect(bench.failureOf([depositing(bench, 1_001n)])).toBe(null);
    expect(bench.balance(bench.collateralAddress(0))).toBe(1_000_800n);
    expect(bench.balance(bench.accounts.token.address)).toBe(10n ** 9n - 1_000n);
    // 801 tokens are worth 1001.25: the fraction stays in the reserve.
    expect(bench.failureOf([redeeming(bench, 801n)])).toBe(null);
    expect(bench.balance(bench.collateralAddress(0))).toBe(999_999n);
    expect(bench.balance(bench.accounts.token.address)).toBe(10n ** 9n + 1n);
    const { liquidity, collateral, lastUpdate } = bench.reserve(0);
    expect(liquidity.totalAvailableAmount).toBe(600_000_000_000n - 1n);
    expect(bench.balance(liquidity.supplyVault)).toBe(600_000_000_000n - 1n);
    expect(collateral.mintTotalSupply).toBe(800_000_000_000n - 1n);
    expect(bench.collateralSupply(0)).toBe(800_000_000_000n - 1n);
    expect(lastUpdate.stale).toBe(1);
  });

  it('need no refresh in front: they accrue interest themselves', () => {
    const bench = made();
    bench.clock = { slot: bench.clock.slot + 1_000n, unixTimestamp: bench.clock.unixTimestamp + 400n };
    const before = bench.reserve(0).liquidity.borrowedAmountSf;
    expect(bench.failureOf([depositing(bench, 1_000n)])).toBe(null);
    expect(bench.reserve(0).liquidity.borrowedAmountSf > before).toBe(true);
    expect(bench.reserve(0).lastUpdate).toMatchObject({ slot: bench.clock.slot, stale: 1 });
  });

  it('refuse vaults as wallet accounts (6006), nothing (6003), blocked collateral tokens (6132)', () => {
    const bench = made();
    const { supplyVault } = bench.reserve(0).liquidity;
    const collateralVault = bench.reserve(0).collateral.supplyVault;
    expect(bench.failureOf([depositing(bench, 9n, { userSourceLiquidity: supplyVault })])).toBe(6006);
    const destination = { userDestinationCollateral: collateralVault };
    expect(bench.failureOf([depositing(bench, 9n, destination)])).toBe(6006);
    expect(bench.failureOf([redeeming(bench, 9n, { userSourceCollateral: collateralVault })])).toBe(6006);
    expect(bench.failureOf([depositing(bench, 0n)])).toBe(6003);
    expect(bench.failureOf([redeeming(bench, 0n)])).toBe(6003);
    bench.change(reserve, reserveAddress(0), { config: { blockCtokenUsage: 1 } });
    expect(bench.failureOf([depositing(bench, 9n)])).toBe(6132);
    expect(bench.failureOf([redeeming(bench, 9n)])).toBe(null);
  });

  it('leave an obsolete reserve, but do not enter it (6082)', () => {
    const bench = made();
    bench.change(reserve, reserveAddress(0), { config: { status: 1 } });
    expect(bench.failureOf([depositing(bench, 9n)])).toBe(6082);
    expect(bench.failureOf([redeeming(bench, 9n)])).toBe(null);
  });

  it('refuse a reserve in emergency mode (6175)', () => {
    const bench = made();
    bench.change(reserve, reserveAddress(0), { config: { emergencyMode: 1 } });
    expect(bench.failureOf([depositing(bench, 9n)])).toBe(6175);
    expect(bench.failureOf([redeeming(bench, 9n)])).toBe(6175);
  });

  it('deposit with a permission only, where the market demands one (6183, 3010)', () => {
    const bench = made({ market: { permissioningAuthority: OTHER, permissionedOps: 1n } });
    const withAccount = (role: AccountRole) => {
      const instruction = depositing(bench, 9n);
      return { ...instruction, accounts: [...instruction.accounts, { address: OTHER, role }] };
    };
    expect(bench.failureOf([depositing(bench, 9n)])).toBe(6183);
    expect(bench.failureOf([withAccount(AccountRole.READONLY)])).toBe(3010);
    expect(bench.failureOf([withAccount(AccountRole.READONLY_SIGNER)])).toBe(null);
    expect(bench.failureOf([redeeming(bench, 5n)])).toBe(null);
  });

  it.each([
    ['lendingMarketAuthority', OTHER, 2006],
    ['reserveLiquidityMint', addressNumber(700), 2012],
    ['reserveLiquiditySupply', OTHER, 2012],
    ['collateralTokenProgram', OTHER, 3008],
    ['instructionSysvarAccount', OTHER, 2012],
  ] as const)('refuse another %s', (name, address: Address, code) => {
    const bench = made();
    expect(bench.failureOf([depositing(bench, 9n, { [name]: address })])).toBe(code);
    expect(bench.failureOf([redeeming(bench, 9n, { [name]: address })])).toBe(code);
  });
});

describe('depositObligationCollateral and withdrawObligationCollateral', () => {
  const moves = (bench: DepositBench, collateralAmount: bigint) => {
    const accounts = accountsOf(bench);
    return {
      deposit: depositCollateralV2.encode(klend, accounts, { collateralAmount }),
      withdraw: withdrawCollateralV2.encode(klend, accounts, { collateralAmount }),
    };
  };

  it('move collateral tokens between wallet and obligation', () => {
    const bench = made();
    const { deposit } = moves(bench, 250_000n);
    expect(bench.failureOf([...refreshes(bench), deposit])).toBe(null);
    expect([held(bench), bench.balance(bench.collateralAddress(0))]).toEqual([1_250_000n, 750_000n]);
    const { withdraw } = moves(bench, 1_000_000n);
    expect(bench.failureOf([...refreshes(bench), withdraw])).toBe(null);
    expect([held(bench), bench.balance(bench.collateralAddress(0))]).toEqual([250_000n, 1_750_000n]);
    expect(bench.reserve(0).collateral.mintTotalSupply).toBe(DEAR.collateral);
  });

  it('close the obligation when it is empty', () => {
    const bench = made();
    expect(bench.failureOf([...refreshes(bench), moves(bench, (1n << 64n) - 1n).withdraw])).toBe(null);
    expect(bench.account(bench.obligationAddress).owner).toBe(SYSTEM_PROGRAM);
    expect(bench.balance(bench.collateralAddress(0))).toBe(2_000_000n);
  });

  it('refuse a stale obligation (6017), too many tokens (1), blocked collateral tokens (6132)', () => {
    const bench = made();
    expect(bench.failureOf([moves(bench, 9n).deposit])).toBe(6017);
    expect(bench.failureOf([...refreshes(bench), moves(bench, 1_000_001n).deposit])).toBe(1);
    bench.change(reserve, reserveAddress(0), { config: { blockCtokenUsage: 1 } });
    expect(bench.failureOf([...refreshes(bench), moves(bench, 9n).withdraw])).toBe(6132);
    expect(bench.failureOf([...refreshes(bench), moves(bench, 9n).deposit])).toBe(null);
  });

  it('refuse a reserve in emergency mode (6175)', () => {
    const bench = made();
    bench.change(reserve, reserveAddress(0), { config: { emergencyMode: 1 } });
    expect(bench.failureOf([...refreshes(bench), moves(bench, 9n).deposit])).toBe(6175);
    expect(bench.failureOf([...refreshes(bench), moves(bench, 9n).withdraw])).toBe(6175);
  });

  it('deposit with a permission only, where the reserve demands one (6183)', () => {
    const bench = made({ market: { permissioningAuthority: OTHER } });
    bench.change(reserve, reserveAddress(0), { config: { permissionedOps: 1n } });
    const { deposit, withdraw } = moves(bench, 9n);
    expect(bench.failureOf([...refreshes(bench), deposit])).toBe(6183);
    const signed = [...deposit.accounts, { address: OTHER, role: AccountRole.READONLY_SIGNER }];
    expect(bench.failureOf([...refreshes(bench), { ...deposit, accounts: signed }])).toBe(null);
    expect(bench.failureOf([...refreshes(bench), withdraw])).toBe(null);
  });
});

describe('V1 actions demand their refreshes as neighbours', () => {
  const FARMED: LendingSetting = {
    reserves: [{ ...DEAR, farmCollateral: true }],
    farmUsers: [{ reserve: 0, side: 'collateral' }],
  };
  const actions = (bench: DepositBench) => {
    const accounts = accountsOf(bench);
    const [liquidityAmount, collateralAmount] = [1_000n, 800n];
    return {
      deposit: depositV1.encode(klend, accounts, { liquidityAmount }),
      withdraw: withdrawV1.encode(klend, accounts, { collateralAmount }),
      depositCollateral: depositCollateralV1.encode(klend, accounts, { collateralAmount }),
      withdrawCollateral: withdrawCollateralV1.encode(klend, accounts, { collateralAmount }),
    };
  };
  const farm = (bench: DepositBench) => {
    const { obligationFarmUserState, reserveFarmState, ...accounts } = accountsOf(bench);
    const farmAccounts = {
      obligationFarmUserState: obligationFarmUserState ?? NO_ADDRESS,
      reserveFarmState: reserveFarmState ?? NO_ADDRESS,
    };
    return refreshObligationFarmsForReserve.encode(klend, { ...accounts, ...farmAccounts }, { mode: 0 });
  };

  it.each(['deposit', 'withdraw', 'depositCollateral', 'withdrawCollateral'] as const)('%s', (name) => {
    const change = name.startsWith('deposit') ? 800n : -800n;
    const bench = made();
    const action = actions(bench)[name];
    expect(bench.failureOf([action])).toBe(6051);
    const [first, second] = refreshes(bench);
    if (first === undefined || second === undefined) throw new Error('no refreshes');
    expect(bench.failureOf([second, action])).toBe(6051);
    expect(bench.failureOf([second, first, action])).toBe(6051);
    expect(bench.failureOf([first, second, action])).toBe(null);
    expect(held(bench)).toBe(1_000_000n + change);
    const farmed = made(FARMED);
    const list = [...refreshes(farmed), farm(farmed), actions(farmed)[name], farm(farmed)];
    expect(farmed.failureOf(list.slice(0, -1))).toBe(6051);
    expect(farmed.failureOf([...list.slice(0, 2), ...list.slice(3)])).toBe(6051);
    expect(farmed.failureOf(list)).toBe(null);
    expect(held(farmed)).toBe(1_000_000n + change);
  });

  it('of this reserve and obligation, not of others: 2502', () => {
    const bench = made({ reserves: [DEAR, {}] });
    const [first, second] = refreshes(bench);
    if (first === undefined || second === undefined) throw new Error('no refreshes');
    const others = first.accounts.map((each, i) =>
      i === 0 ? { ...each, address: reserveAddress(1) } : each,
    );
    const other = { ...first, accounts: others };
    expect(bench.failureOf([first, other, second, actions(bench).deposit])).toBe(2502);
  });
});
