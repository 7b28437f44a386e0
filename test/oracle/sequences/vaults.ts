import { KaminoVault, KaminoVaultClient } from '@kamino-finance/klend-sdk/dist/classes/vault.js';
import { createNoopSigner } from '@solana/kit';
import sdkDecimal from 'decimal.js/decimal.js';
import { SLOT, U64_MAX } from '../constants.ts';
import type { AnyInstruction } from '../instructions/template.ts';
import { NOMINAL_SLOT_MS } from '../maths/lending-world.ts';
import type { Json } from '../normalise.ts';
import { instructionsJson } from './sdk-instructions.ts';
import { sdkReserves, type VaultSetting, vaultWorld } from './vault-world.ts';

const { Decimal } = sdkDecimal;

interface Case {
  readonly name: string;
  readonly action: 'deposit' | 'withdraw';
  /** Base units of tokens or shares. */
  readonly amount: bigint;
  readonly setting: VaultSetting;
}

const DEEP = 10n ** 12n;
const TWO = [
  [500_000_000_000n, DEEP],
  [300_000_000_000n, DEEP],
] as const;
const TIGHT = [
  [500_000_000_000n, 40_000_000n],
  [300_000_000_000n, 90_000_000n],
  [100_000_000_000n, 60_000_000n],
] as const;

const cases: Case[] = [
  { name: 'deposit', action: 'deposit', amount: 10_000_000n, setting: { idle: 0n, invested: TWO } },
  { name: 'deposit, no allocation', action: 'deposit', amount: 1n, setting: { idle: 5n, invested: [] } },
  {
    name: 'deposit with a farm',
    action: 'deposit',
    amount: 10_000_001n,
    setting: { idle: 0n, invested: TWO, farm: true },
  },
  {
    name: 'deposit with a stake',
    action: 'deposit',
    amount: 10_000_001n,
    setting: { idle: 0n, invested: TWO, farm: true, staked: 5n, shares: 7n },
  },
  {
    name: 'deposit of Token-2022',
    action: 'deposit',
    amount: 123n,
    setting: { idle: 0n, invested: TWO, token: 'token2022' },
  },
  {
    name: 'deposit SOL',
    action: 'deposit',
    amount: 1_234_567_891n,
    setting: { idle: 0n, invested: TWO, token: 'sol', farm: true },
  },
  {
    name: 'deposit SOL beside wrapped SOL',
    action: 'deposit',
    amount: 1_234_567_891n,
    setting: { idle: 0n, invested: TWO, token: 'sol', wrappedSol: 9n },
  },
  {
    name: 'withdraw from idle',
    action: 'withdraw',
    amount: 1_000_000n,
    setting: { idle: 50_000_000n, invested: TWO, shares: 3_000_000n },
  },
  {
    name: 'withdraw, no allocation',
    action: 'withdraw',
    amount: 1_000_000n,
    setting: { idle: 50_000_000n, invested: [], shares: 3_000_000n },
  },
  {
    name: 'withdraw from one reserve',
    action: 'withdraw',
    amount: 1_000_000n,
    setting: { idle: 0n, invested: TWO, shares: 3_000_000n },
  },
  {
    name: 'withdraw from idle and one reserve',
    action: 'withdraw',
    amount: 1_000_000n,
    setting: { idle: 100_000n, invested: TWO, shares: 3_000_000n },
  },
  {
    name: 'withdraw from several reserves',
    action: 'withdraw',
    amount: 120_000_000n,
    setting: { idle: 0n, invested: TIGHT, shares: 500_000_000n },
  },
  {
    name: 'withdraw from idle and several reserves',
    action: 'withdraw',
    amount: 120_000_000n,
    setting: { idle: 10_000_000n, invested: TIGHT, shares: 500_000_000n },
  },
  {
    name: 'withdraw unstaked, farm',
    action: 'withdraw',
    amount: 1_000_000n,
    setting: { idle: 0n, invested: TWO, farm: true, shares: 3_000_000n, staked: 4_000_000n },
  },
  {
    name: 'withdraw staked',
    action: 'withdraw',
    amount: 1_000_000n,
    setting: { idle: 0n, invested: TWO, farm: true, staked: 4_000_000n },
  },
  {
    name: 'withdraw staked and unstaked',
    action: 'withdraw',
    amount: 3_500_000n,
    setting: { idle: 0n, invested: TWO, farm: true, shares: 3_000_000n, staked: 4_000_000n },
  },
  {
    name: 'withdraw all',
    action: 'withdraw',
    amount: U64_MAX,
    setting: { idle: 0n, invested: TWO, shares: 3_000_000n },
  },
  {
    name: 'withdraw all from idle',
    action: 'withdraw',
    amount: U64_MAX,
    setting: { idle: 50_000_000n, invested: TWO, shares: 3_000_000n },
  },
  {
    name: 'withdraw all, staked too',
    action: 'withdraw',
    amount: U64_MAX,
    setting: { idle: 0n, invested: TWO, farm: true, shares: 3_000_000n, staked: 4_000_000n },
  },
  {
    name: 'withdraw all from several reserves',
    action: 'withdraw',
    amount: U64_MAX,
    setting: { idle: 0n, invested: TIGHT, shares: 120_000_000n },
  },
  {
    name: 'withdraw more than there is',
    action: 'withdraw',
    amount: 9_000_000n,
    setting: { idle: 0n, invested: TWO, shares: 3_000_000n },
  },
  {
    name: 'withdraw SOL',
    action: 'withdraw',
    amount: 1_000_000n,
    setting: { idle: 0n, invested: TWO, token: 'sol', shares: 3_000_000n },
  },
  {
    name: 'withdraw all SOL',
    action: 'withdraw',
    amount: U64_MAX,
    setting: { idle: 0n, invested: TWO, token: 'sol', farm: true, staked: 3_000_000n, wrappedSol: 12n },
  },
  {
    name: 'withdraw Token-2022',
    action: 'withdraw',
    amount: 5n,
    setting: { idle: 99n, invested: TWO, token: 'token2022', shares: 3_000_000n },
  },
];

async function vaultCase({ name, action, amount, setting }: Case): Promise<Json> {
  const world = await vaultWorld(name, setting);
  const client = new KaminoVaultClient(world.chain.rpc(), NOMINAL_SLOT_MS);
  const vault = KaminoVault.loadWithClientAndState(client, world.vault, world.state);
  const user = createNoopSigner(world.wallet);
  const decimals = setting.token === 'sol' ? 9 : 6;
  const whole = new Decimal(amount.toString()).div(new Decimal(10).pow(decimals));
  const reserves = sdkReserves(world);
  const instructions: AnyInstruction[] = [];
  if (action === 'deposit') {
    const built = await client.depositIxs(user, vault, whole, reserves, world.farmState, null);
    instructions.push(...built.depositIxs, ...built.stakeInFarmIfNeededIxs);
  } else {
    const built = await client.withdrawIxs(user, vault, whole, SLOT, reserves, world.farmState, null);
    instructions.push(...built.unstakeFromFarmIfNeededIxs, ...built.withdrawIxs, ...built.postWithdrawIxs);
  }
  return {
    name,
    action,
    slot: `${SLOT}`,
    wallet: world.wallet,
    vault: world.vault,
    amount: `${amount}`,
    accounts: world.chain.toJson(),
    expected: instructionsJson(instructions),
  };
}

export async function sequences(): Promise<Json[]> {
  const written: Json[] = [];
  for (const each of cases) written.push(await vaultCase(each));
  return written;
}
