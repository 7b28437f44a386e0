import { PROGRAMS } from '@sluice/localnet/runtime/programs';
import type { WorldChain } from '@sluice/localnet/world/world-chain';
import { farmUserState } from '@sluice/protocol/farms/addresses';
import { marketAuthority, referrerTokenStateAddress } from '@sluice/protocol/klend/addresses';
import { liquidateV2 } from '@sluice/protocol/klend/liquidation-instructions';
import { type Obligation, obligation } from '@sluice/protocol/klend/obligation';
import { type Reserve, reserve } from '@sluice/protocol/klend/reserve';
import { refreshObligation, refreshReserve } from '@sluice/protocol/klend/setup-instructions';
import type { EncodedInstruction } from '@sluice/protocol/layout/instruction';
import { U64_MAX } from '@sluice/protocol/numeric/fraction';
import {
  INSTRUCTIONS_SYSVAR,
  MAINNET_PROGRAMS,
  NO_ADDRESS,
  presentAddress,
  TOKEN_PROGRAM,
} from '@sluice/protocol/program-ids';
import { encodeTokenAccount } from '@sluice/protocol/token/token-account';
import { AccountRole, type Address } from '@solana/kit';
import { ProgramBench } from '../../../packages/localnet/test/support/runtime/program-bench.ts';
import { addressNumber } from '../builders/lending-accounts.ts';

const { klend, farms } = MAINNET_PROGRAMS;
const [LIQUIDATOR, SOURCE, COLLATERAL, DESTINATION] = [71, 72, 73, 74].map(addressNumber) as [
  Address,
  Address,
  Address,
  Address,
];

/** Every obligation of a market that owes something, as its account says. */
export function loansOf(localChain: WorldChain, market: Address): Address[] {
  return localChain.world.obligations
    .filter(({ exists, market: its }) => exists && its.address === market)
    .map(({ address }) => address)
    .filter((address) => active(read(localChain, address).borrows, 'borrowReserve').length > 0);
}

/**
 * Whether the lending program accepts a liquidation of the obligation now, of any debt against any deposit. Each is tried
 * on a copy of the chain, by a liquidator with unlimited funds.
 */
export function acceptsLiquidation(localChain: WorldChain, address: Address): boolean {
  const { deposits, borrows } = read(localChain, address);
  return active(borrows, 'borrowReserve').some((repay) =>
    active(deposits, 'depositReserve').some((withdraw) => {
      const bench = trialBench(localChain, repay, withdraw);
      return bench.run(liquidation(localChain, address, repay, withdraw)).failure === null;
    }),
  );
}

function read(localChain: WorldChain, address: Address): Obligation {
  const account = localChain.account(address);
  if (account === undefined) throw new RangeError(`No obligation ${address}`);
  return obligation.decode(account, klend);
}

function reserveAt(localChain: WorldChain, address: Address): Reserve {
  const account = localChain.account(address);
  if (account === undefined) throw new RangeError(`No reserve ${address}`);
  return reserve.decode(account, klend);
}

function active<K extends string>(slots: readonly Readonly<Record<K, Address>>[], key: K): Address[] {
  return slots.map((slot) => slot[key]).filter((address) => address !== NO_ADDRESS);
}

function trialBench(localChain: WorldChain, repay: Address, withdraw: Address): ProgramBench {
  const { slot } = localChain;
  const clock = { slot, unixTimestamp: BigInt(Math.floor(localChain.blockTime(slot) ?? 0)) };
  const bench = new ProgramBench(PROGRAMS.values(), clock, { get: (address) => localChain.account(address) });
  const [repaid, seized] = [reserveAt(localChain, repay), reserveAt(localChain, withdraw)];
  const open = (address: Address, mint: Address, owner: Address, amount: bigint) => {
    const data = encodeTokenAccount({
      mint,
      owner: LIQUIDATOR,
      amount,
      delegate: null,
      delegatedAmount: 0n,
      frozen: false,
      nativeRentLamports: null,
      closeAuthority: null,
      extensions: [],
    });
    bench.set(address, { owner, lamports: 10_000_000n, data, executable: false });
  };
  open(SOURCE, repaid.liquidity.mintPubkey, repaid.liquidity.tokenProgram, 1n << 60n);
  open(COLLATERAL, seized.collateral.mintPubkey, TOKEN_PROGRAM, 0n);
  open(DESTINATION, seized.liquidity.mintPubkey, seized.liquidity.tokenProgram, 0n);
  return bench;
}

function liquidation(
  localChain: WorldChain,
  address: Address,
  repay: Address,
  withdraw: Address,
): EncodedInstruction[] {
  const { lendingMarket, deposits, borrows, referrer, elevationGroup } = read(localChain, address);
  const [supplied, owed] = [active(deposits, 'depositReserve'), active(borrows, 'borrowReserve')];
  const writable = (each: Address) => ({ address: each, role: AccountRole.WRITABLE });
  const referrers =
    presentAddress(referrer) === null
      ? []
      : owed.map((each) => referrerTokenStateAddress(klend, referrer, each).address);
  const refreshes = [...new Set([...supplied, ...owed])].map((each) => {
    const { scopeConfiguration } = reserveAt(localChain, each).config.tokenInfo;
    return refreshReserve.encode(
      klend,
      {
        reserve: each,
        lendingMarket,
        pythOracle: null,
        switchboardPriceOracle: null,
        switchboardTwapOracle: null,
        scopePrices: presentAddress(scopeConfiguration.priceFeed),
      },
      {},
    );
  });
  const refresh = refreshObligation.encode(
    klend,
    { lendingMarket, obligation: address },
    {},
    [...supplied, ...owed, ...referrers].map(writable),
  );
  const [repaid, seized] = [reserveAt(localChain, repay), reserveAt(localChain, withdraw)];
  const stakeIn = (farm: Address) => {
    const present = presentAddress(farm);
    if (present === null) return { farm: null, user: null };
    return { farm: present, user: farmUserState(farms, present, address).address };
  };
  const [collateralFarm, debtFarm] = [stakeIn(seized.farmCollateral), stakeIn(repaid.farmDebt)];
  const call = liquidateV2.encode(
    klend,
    {
      liquidator: LIQUIDATOR,
      obligation: address,
      lendingMarket,
      lendingMarketAuthority: marketAuthority(klend, lendingMarket).address,
      repayReserve: repay,
      repayReserveLiquidityMint: repaid.liquidity.mintPubkey,
      repayReserveLiquiditySupply: repaid.liquidity.supplyVault,
      withdrawReserve: withdraw,
      withdrawReserveLiquidityMint: seized.liquidity.mintPubkey,
      withdrawReserveCollateralMint: seized.collateral.mintPubkey,
      withdrawReserveCollateralSupply: seized.collateral.supplyVault,
      withdrawReserveLiquiditySupply: seized.liquidity.supplyVault,
      withdrawReserveLiquidityFeeReceiver: seized.liquidity.feeVault,
      userSourceLiquidity: SOURCE,
      userDestinationCollateral: COLLATERAL,
      userDestinationLiquidity: DESTINATION,
      collateralTokenProgram: TOKEN_PROGRAM,
      repayLiquidityTokenProgram: repaid.liquidity.tokenProgram,
      withdrawLiquidityTokenProgram: seized.liquidity.tokenProgram,
      instructionSysvarAccount: INSTRUCTIONS_SYSVAR,
      collateralObligationFarmUserState: collateralFarm.user,
      collateralReserveFarmState: collateralFarm.farm,
      debtObligationFarmUserState: debtFarm.user,
      debtReserveFarmState: debtFarm.farm,
      farmsProgram: farms,
    },
    {
      liquidityAmount: U64_MAX,
      minAcceptableReceivedLiquidityAmount: 0n,
      maxAllowedLtvOverridePercent: 0n,
    },
    elevationGroup === 0 ? [] : supplied.map(writable),
  );
  return [...refreshes, refresh, call];
}
