import { reserve as reserveLayout } from '@sluice/protocol/klend/reserve';
import { vaultState } from '@sluice/protocol/kvault/vault-state';
import { CLOCK_SYSVAR, MAINNET_PROGRAMS, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { decodeTokenAccount } from '@sluice/protocol/token/token-account';
import type { Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { cases } from '../../../protocol/test/support/cases.ts';
import { createWorldChain, type WorldChain } from '../../src/world/world-chain.ts';
import { cpuMsSince } from '../support/timing/cpu-time.ts';
import { accountsOf, holdingAmount } from './world-reading.ts';

const { klend, kvault } = MAINNET_PROGRAMS;
const START = Date.UTC(2026, 5, 15, 13, 20);
const SLOTS = cases(250, 1_000);

function moving(options: { scale?: number } = {}) {
  const clock = { ms: START };
  const localChain = createWorldChain({ ...options, now: () => clock.ms });
  const pass = (ms: number) => {
    clock.ms += ms;
    localChain.tick();
  };
  return { localChain, pass };
}

function invariantsHold(localChain: WorldChain): void {
  const held = new Map<Address, bigint>();
  for (const [, account] of localChain.programAccounts(TOKEN_PROGRAM)) {
    if (account.data.length !== 165) continue;
    const { mint, amount } = decodeTokenAccount(account);
    held.set(mint, (held.get(mint) ?? 0n) + amount);
  }
  for (const [, vault] of accountsOf(localChain, kvault, vaultState)) {
    expect(held.get(vault.sharesMint) ?? 0n).toBe(vault.sharesIssued);
    expect(holdingAmount(localChain, vault.tokenVault)).toBe(
      vault.tokenAvailable + vault.availableCrankFunds,
    );
  }
  for (const [, { liquidity, collateral }] of accountsOf(localChain, klend, reserveLayout)) {
    expect(holdingAmount(localChain, liquidity.supplyVault)).toBe(
      liquidity.totalAvailableAmount + liquidity.rewardsAmountAvailable,
    );
    expect(held.get(collateral.mintPubkey)).toBe(collateral.mintTotalSupply);
  }
  for (const { lamports, holdings } of localChain.world.wallets) {
    expect(lamports).toBeGreaterThan(0n);
    for (const { amount } of holdings.values()) expect(amount).toBeGreaterThanOrEqual(0n);
  }
}

const rateOf = (limbs: readonly bigint[]) => (limbs[0] ?? 0n) + ((limbs[1] ?? 0n) << 64n);
const ratesOf = (localChain: WorldChain) =>
  new Map(
    accountsOf(localChain, klend, reserveLayout).map(([address, { liquidity }]) => [
      address,
      rateOf(liquidity.cumulativeBorrowRateBsf.value),
    ]),
  );

function ratesGrew(before: Map<Address, bigint>, after: Map<Address, bigint>): number {
  let grown = 0;
  for (const [address, rate] of after) {
    expect(rate).toBeGreaterThanOrEqual(before.get(address) ?? 0n);
    if (rate > (before.get(address) ?? 0n)) grown += 1;
  }
  return grown;
}

describe('the world advances', () => {
  const { localChain, pass } = moving();

  it('slot by slot, with few accounts changed in each', () => {
    const seen: { slot: bigint; changed: readonly Address[] }[] = [];
    const stop = localChain.onSlot((slot, changed) => seen.push({ slot, changed }));
    const first = localChain.slot;
    // One minute, with shorter and longer slots.
    for (let i = 0; i < 240; i += 1) pass(250);
    stop();
    pass(475);
    expect(seen.map(({ slot }) => slot)).toEqual(
      Array.from({ length: 150 }, (_, i) => first + BigInt(i) + 1n),
    );
    for (const { changed } of seen) {
      expect(changed).toContain(CLOCK_SYSVAR);
      expect(new Set(changed).size).toBe(changed.length);
      expect(changed.length).toBeLessThan(160);
    }
    const mean = seen.reduce((sum, { changed }) => sum + changed.length, 0) / seen.length;
    expect(mean).toBeLessThan(30);
  });

  it('and reports exactly the accounts whose bytes changed', () => {
    const before = new Map(
      [...localChain.programAccounts(klend)].map(([address, { data }]) => [address, data]),
    );
    const changed = new Set<Address>();
    const note = (addresses: readonly Address[]) => {
      for (const address of addresses) changed.add(address);
    };
    localChain.onSlot((_, addresses) => note(addresses));
    localChain.onTransaction((_, addresses) => note(addresses));
    for (let i = 0; i < 25; i += 1) pass(400);
    for (const [address, data] of before) {
      if (changed.has(address)) continue;
      expect(localChain.account(address)?.data).toBe(data);
    }
  });

  it('for a long time, and all balances still agree', () => {
    const rates = ratesOf(localChain);
    const keepers = new Set(localChain.world.vaults.map(({ keeper }) => keeper?.address));
    let actions = 0;
    localChain.onTransaction(({ error, addresses: [payer] }) => {
      expect(error).toBeNull();
      if (!keepers.has(payer)) actions += 1;
    });
    for (let i = 0; i < SLOTS; i += 1) pass(400);
    invariantsHold(localChain);
    expect(ratesGrew(rates, ratesOf(localChain))).toBeGreaterThan(60);
    expect(actions).toBeGreaterThan(SLOTS / 8);
    expect(actions).toBeLessThanOrEqual(SLOTS / 5);
  });

  it('in a jump after a long pause', () => {
    const rates = ratesOf(localChain);
    const slots: bigint[] = [];
    localChain.onSlot((slot) => slots.push(slot));
    const began = process.cpuUsage();
    pass(45 * 86_400_000);
    expect(cpuMsSince(began)).toBeLessThan(3000);
    expect(slots).toEqual([localChain.slot]);
    expect(ratesGrew(rates, ratesOf(localChain))).toBeGreaterThan(60);
    for (const [, { lastUpdate }] of accountsOf(localChain, klend, reserveLayout)) {
      expect(lastUpdate.slot).toBe(localChain.slot);
    }
    pass(400);
    invariantsHold(localChain);
  });

  it('and blockhashes expire', () => {
    const { blockhash, lastValidBlockHeight } = localChain.blockhash();
    expect(lastValidBlockHeight).toBe(localChain.blockHeight + 150n);
    pass(400 * 100);
    expect(localChain.isBlockhashValid(blockhash)).toBe(true);
    pass(400 * 60);
    expect(localChain.isBlockhashValid(blockhash)).toBe(false);
    expect(localChain.isBlockhashValid('11111111111111111111111111111111')).toBe(false);
  });

  it('and only slots up to the current one have a block time', () => {
    const time = localChain.blockTime(localChain.slot) ?? 0;
    expect(time).toBeGreaterThan(START / 1000);
    expect(localChain.blockTime(localChain.slot + 1n)).toBeNull();
    expect(localChain.blockTime(1n)).toBeNull();
    expect(localChain.blockTime(localChain.slot - 216_000n)).toBe(time - 86_400);
  });
});
