import {
  GlobalConfig,
  type GlobalConfigFields,
} from '@kamino-finance/klend-sdk/dist/@codegen/kvault/accounts/GlobalConfig.js';
import {
  VaultState,
  type VaultStateFields,
} from '@kamino-finance/klend-sdk/dist/@codegen/kvault/accounts/VaultState.js';
import { anchorAccount, type CaseInput } from '../anchor-account.ts';
import { SF, SLOT, TOKEN_2022_PROGRAM, TOKEN_PROGRAM, U64_MAX, UNIX_SECONDS } from '../constants.ts';
import { bn, type Overrides, textBytes } from '../fill.ts';
import type { Prng } from '../prng.ts';

type Vault = Overrides<VaultStateFields>;
type Allocation = NonNullable<Vault['vaultAllocationStrategy']>[number];

const allocation = (prng: Prng, weight: number): Allocation => ({
  reserve: prng.address(),
  ctokenVault: prng.address(),
  targetAllocationWeight: bn(weight),
  tokenAllocationCap: bn(U64_MAX),
  ctokenVaultBump: bn(prng.int(240, 255)),
  ctokenAllocation: bn(prng.between(0n, 10n ** 13n)),
  lastInvestSlot: bn(SLOT - prng.between(0n, 100_000n)),
  tokenTargetAllocationSf: bn(prng.between(0n, SF * 10n ** 13n)),
});

function vault(prng: Prng, allocations: number): Vault {
  return {
    vaultAdminAuthority: prng.address(),
    baseVaultAuthority: prng.address(),
    baseVaultAuthorityBump: bn(254),
    tokenMint: prng.address(),
    tokenMintDecimals: bn(6),
    tokenVault: prng.address(),
    tokenProgram: TOKEN_PROGRAM,
    sharesMint: prng.address(),
    sharesMintDecimals: bn(6),
    tokenAvailable: bn(1_234_567_890),
    sharesIssued: bn(98_765_432_109_876n),
    availableCrankFunds: bn(321),
    performanceFeeBps: bn(1_000),
    managementFeeBps: bn(50),
    lastFeeChargeTimestamp: bn(UNIX_SECONDS - 600n),
    prevAumSf: bn(101_234_567_890_123n * SF + prng.between(0n, SF - 1n)),
    pendingFeesSf: bn(45_678_901n * SF + prng.between(0n, SF - 1n)),
    vaultAllocationStrategy: Array.from({ length: allocations }, (_, index) =>
      allocation(prng, (index + 1) * 100),
    ),
    minDepositAmount: bn(1_000),
    minWithdrawAmount: bn(10),
    minInvestAmount: bn(1_000_000),
    minInvestDelaySlots: bn(150),
    crankFundFeePerReserve: bn(1),
    cumulativeEarnedInterestSf: bn(765_432_109n * SF + 5n),
    cumulativeMgmtFeesSf: bn(12_345n * SF),
    cumulativePerfFeesSf: bn(6_789n * SF),
    name: textBytes('Steady USDC', 40),
    vaultLookupTable: prng.address(),
    creationTimestamp: bn(UNIX_SECONDS - 31_536_000n),
    unallocatedTokensCap: bn(U64_MAX),
    withdrawalPenaltyLamports: bn(1),
    withdrawalPenaltyBps: bn(1),
  };
}

const vaults: CaseInput<VaultStateFields>[] = [
  { name: 'no allocations', note: 'no farm either', fields: (prng) => vault(prng, 0) },
  { name: 'one allocation', note: 'no farm', fields: (prng) => vault(prng, 1) },
  { name: '25 allocations', note: 'every place is taken', fields: (prng) => vault(prng, 25) },
  {
    name: 'holes between allocations',
    note: 'places 0 and 2 are empty, one allocation has weight and cap 0',
    fields: (prng) => ({
      ...vault(prng, 0),
      vaultAllocationStrategy: [
        undefined,
        allocation(prng, 500),
        undefined,
        { ...allocation(prng, 0), tokenAllocationCap: bn(0) },
        allocation(prng, 700),
      ],
      unallocatedWeight: bn(250),
    }),
  },
  {
    name: 'zero shares',
    note: 'opened, nobody has deposited',
    fields: (prng) => ({
      ...vault(prng, 2),
      tokenAvailable: bn(0),
      sharesIssued: bn(0),
      prevAumSf: bn(0),
      pendingFeesSf: bn(0),
      lastFeeChargeTimestamp: bn(0),
    }),
  },
  {
    name: 'with farm',
    note: 'a vault farm and a first-loss farm',
    fields: (prng) => ({
      ...vault(prng, 3),
      vaultFarm: prng.address(),
      firstLossCapitalFarm: prng.address(),
    }),
  },
  {
    name: 'name filled',
    note: 'all 40 bytes of the name are used',
    fields: (prng) => ({
      ...vault(prng, 1),
      name: textBytes('Forty letters are the most a name takes.', 40),
    }),
  },
  {
    name: 'token-2022 with rewards',
    note: 'the token belongs to Token-2022; rewards are being released; a new admin is pending',
    fields: (prng) => ({
      ...vault(prng, 2),
      tokenProgram: TOKEN_2022_PROGRAM,
      tokenMintDecimals: bn(9),
      sharesMintDecimals: bn(9),
      pendingAdmin: prng.address(),
      allocationAdmin: prng.address(),
      allowAllocationsInWhitelistedReservesOnly: 1,
      allowInvestInWhitelistedReservesOnly: 1,
      rewardInfo: {
        rewardPerSecond: bn(12_345),
        lastIssuanceTs: bn(UNIX_SECONDS - 30n),
        rewardsAvailable: bn(9_876_543_210n),
        cumulativeRewardsDistributedAnalytics: bn(555_666_777n),
      },
    }),
  },
];

const configs: CaseInput<GlobalConfigFields>[] = [
  {
    name: 'typical',
    note: 'a withdrawal penalty of one basis point, at least one base unit',
    fields: (prng) => ({
      globalAdmin: prng.address(),
      pendingAdmin: prng.address(),
      withdrawalPenaltyLamports: bn(1),
      withdrawalPenaltyBps: bn(1),
    }),
  },
  { name: 'no penalty', note: 'only an admin', fields: (prng) => ({ globalAdmin: prng.address() }) },
];

export const vaultVectors = () => [
  anchorAccount('kvault-vault-state', 'VaultState', 'kvault', VaultState, vaults),
  anchorAccount('kvault-global-config', 'GlobalConfig', 'kvault', GlobalConfig, configs),
];
