import {
  VaultState,
  type VaultStateFields,
} from '@kamino-finance/klend-sdk/dist/@codegen/kvault/accounts/VaultState.js';
import { KaminoVaultClient } from '@kamino-finance/klend-sdk/dist/classes/vault.js';
import { SF, SLOT, U64_MAX, UNIX_SECONDS } from '../constants.ts';
import { bn, type Overrides } from '../fill.ts';
import type { Json } from '../normalise.ts';
import { Prng } from '../prng.ts';
import {
  moment,
  plainDecimal,
  randomReserve,
  USUAL_SLOT_MS,
  type WorldReserve,
  worldReserve,
} from './lending-world.ts';
import { sdkAccount } from './sdk-account.ts';

type Fields = Overrides<VaultStateFields>;
type Allocation = NonNullable<Fields['vaultAllocationStrategy']>[number];

interface VaultCase {
  readonly name: string;
  readonly allocations: number;
  readonly change?: Fields;
  readonly allocation?: Allocation;
}

const named: VaultCase[] = [
  { name: 'no allocation', allocations: 0 },
  {
    name: 'empty and no allocation',
    allocations: 0,
    change: { tokenAvailable: bn(0), pendingFeesSf: bn(0) },
  },
  { name: 'one allocation', allocations: 1 },
  { name: 'several allocations', allocations: 4 },
  { name: 'every allocation used', allocations: 25 },
  { name: 'no shares', allocations: 2, change: { sharesIssued: bn(0) } },
  {
    name: 'no fees',
    allocations: 3,
    change: { performanceFeeBps: bn(0), managementFeeBps: bn(0), pendingFeesSf: bn(0) },
  },
  {
    name: 'high fees',
    allocations: 3,
    change: { performanceFeeBps: bn(10_000), managementFeeBps: bn(1_000) },
  },
  { name: 'nothing idle', allocations: 3, change: { tokenAvailable: bn(0) } },
  { name: 'no weights', allocations: 3, allocation: { targetAllocationWeight: bn(0) } },
  { name: 'unallocated weight', allocations: 3, change: { unallocatedWeight: bn(500) } },
  { name: 'nothing invested', allocations: 3, allocation: { ctokenAllocation: bn(0) } },
  {
    name: 'dust',
    allocations: 2,
    change: { tokenAvailable: bn(1), sharesIssued: bn(1), pendingFeesSf: bn(1) },
    allocation: { ctokenAllocation: bn(1) },
  },
  { name: 'shares with other decimals', allocations: 2, change: { sharesMintDecimals: bn(9) } },
];

function fieldsOf(prng: Prng, { change, allocation }: VaultCase, reserves: WorldReserve[]): Fields {
  return {
    tokenMint: prng.address(),
    tokenMintDecimals: bn(6),
    sharesMintDecimals: bn(6),
    tokenAvailable: bn(prng.between(0n, 10n ** 12n)),
    sharesIssued: bn(prng.between(1n, 10n ** 14n)),
    performanceFeeBps: bn(prng.int(0, 2_500)),
    managementFeeBps: bn(prng.int(0, 200)),
    lastFeeChargeTimestamp: bn(UNIX_SECONDS - prng.between(0n, 1_000_000n)),
    prevAumSf: bn(prng.between(0n, 10n ** 13n) * SF),
    pendingFeesSf: bn(prng.between(0n, 10n ** 7n * SF)),
    cumulativeEarnedInterestSf: bn(prng.between(0n, 10n ** 12n * SF)),
    vaultAllocationStrategy: reserves.map(({ address }) => ({
      reserve: address,
      ctokenVault: prng.address(),
      targetAllocationWeight: bn(prng.int(0, 1_000)),
      tokenAllocationCap: bn(U64_MAX),
      ctokenAllocation: bn(prng.between(0n, 10n ** prng.between(3n, 13n))),
      ...allocation,
    })),
    ...change,
  };
}

async function vaultCase(given: VaultCase): Promise<Json> {
  const prng = new Prng(`maths/vault/${given.name}`);
  const reserves = Array.from({ length: given.allocations }, () =>
    worldReserve(prng.address(), randomReserve(prng), '1'),
  );
  const { state, data } = sdkAccount(VaultState, fieldsOf(prng, given, reserves));
  const map = new Map(reserves.map((reserve) => [reserve.address, reserve.at(USUAL_SLOT_MS)]));
  const rpc = {} as ConstructorParameters<typeof KaminoVaultClient>[0];
  const client = new KaminoVaultClient(rpc, USUAL_SLOT_MS);
  const holdings = await client.getVaultHoldings(state, SLOT, map, SLOT);
  const theoretical = await client.getVaultTheoreticalAPY(state, SLOT, map);
  const actual = await client.getVaultActualAPY(state, SLOT, map);
  const borrowed = await client.getTotalBorrowedAndInvested(state, SLOT, map);
  return {
    name: given.name,
    ...moment,
    slotDurationMs: USUAL_SLOT_MS,
    data,
    reserves: Object.fromEntries(reserves.map((reserve) => [reserve.address, reserve.data])),
    expected: {
      available: plainDecimal(holdings.available),
      invested: plainDecimal(holdings.invested),
      investedInReserves: Object.fromEntries(
        [...holdings.investedInReserves].map(([address, amount]) => [address, plainDecimal(amount)]),
      ),
      gross: plainDecimal(holdings.totalAUMIncludingFees),
      pendingFees: plainDecimal(holdings.pendingFees),
      tokensPerShare: plainDecimal(await client.getTokensPerShareSingleVault(state, SLOT, map, SLOT)),
      theoreticalGross: plainDecimal(theoretical.grossAPY),
      theoreticalNet: plainDecimal(theoretical.netAPY),
      actualGross: plainDecimal(actual.grossAPY),
      actualNet: plainDecimal(actual.netAPY),
      utilization: plainDecimal(borrowed.utilizationRatio),
      instantlyWithdrawable: plainDecimal(await client.getMaxInstantWithdrawableAmount(state, SLOT, map)),
      cumulativeInterest: plainDecimal((await client.getVaultCumulativeInterest(state)).cumulativeInterest),
    },
  };
}

export async function vaultCases(): Promise<Json[]> {
  const random = Array.from({ length: 8 }, (_, index) => ({
    name: `random ${index + 1}`,
    allocations: 1 + index,
  }));
  const cases: Json[] = [];
  for (const given of [...named, ...random]) cases.push(await vaultCase(given));
  return cases;
}
