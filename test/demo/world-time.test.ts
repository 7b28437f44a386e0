import type { Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { createDemoLedger, type DemoLedger } from '../../src/demo/world/demo-ledger.ts';
import { reserve as reserveLayout } from '../../src/programs/klend/reserve.ts';
import { vaultState } from '../../src/programs/kvault/vault-state.ts';
import { CLOCK_SYSVAR, MAINNET_PROGRAMS, TOKEN_PROGRAM } from '../../src/programs/program-ids.ts';
import { decodeTokenAccount } from '../../src/programs/token/token-account.ts';
import { cases } from '../support/fuzz/cases.ts';
import { cpuMsSince } from '../support/timing/cpu-time.ts';
import { accountsOf, holdingAmount } from './world-reading.ts';

const { klend, kvault } = MAINNET_PROGRAMS;
const START = Date.UTC(2026, 5, 15, 13, 20);
const SLOTS = cases(500, 1_000);

function moving(options: { scale?: number } = {}) {
  const clock = { ms: START };
  const ledger = createDemoLedger({ ...options, now: () => clock.ms });
  const pass = (ms: number) => {
    clock.ms += ms;
    ledger.tick();
  };
  return { ledger, pass };
}

function invariantsHold(ledger: DemoLedger): void {
  const held = new Map<Address, bigint>();
  for (const [, account] of ledger.programAccounts(TOKEN_PROGRAM)) {
    if (account.data.length !== 165) continue;
    const { mint, amount } = decodeTokenAccount(account);
    held.set(mint, (held.get(mint) ?? 0n) + amount);
  }
  for (const [, vault] of accountsOf(ledger, kvault, vaultState)) {
    expect(held.get(vault.sharesMint) ?? 0n).toBe(vault.sharesIssued);
    expect(holdingAmount(ledger, vault.tokenVault)).toBe(vault.tokenAvailable + vault.availableCrankFunds);
  }
  for (const [, { liquidity, collateral }] of accountsOf(ledger, klend, reserveLayout)) {
    expect(holdingAmount(ledger, liquidity.supplyVault)).toBe(liquidity.totalAvailableAmount);
    expect(held.get(collateral.mintPubkey)).toBe(collateral.mintTotalSupply);
  }
  for (const { lamports, holdings } of ledger.world.wallets) {
    expect(lamports).toBeGreaterThan(0n);
    for (const { amount } of holdings.values()) expect(amount).toBeGreaterThanOrEqual(0n);
  }
}

const rateOf = (limbs: readonly bigint[]) => (limbs[0] ?? 0n) + ((limbs[1] ?? 0n) << 64n);
const ratesOf = (ledger: DemoLedger) =>
  new Map(
    accountsOf(ledger, klend, reserveLayout).map(([address, { liquidity }]) => [
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
  const { ledger, pass } = moving();

  it('slot by slot, with few accounts changed in each', () => {
    const seen: { slot: bigint; changed: readonly Address[] }[] = [];
    const stop = ledger.onSlot((slot, changed) => seen.push({ slot, changed }));
    const first = ledger.slot;
    for (let i = 0; i < 100; i += 1) pass(400);
    stop();
    pass(400);
    expect(seen.map(({ slot }) => slot)).toEqual(
      Array.from({ length: 100 }, (_, i) => first + BigInt(i) + 1n),
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
    const before = new Map([...ledger.programAccounts(klend)].map(([address, { data }]) => [address, data]));
    const changed = new Set<Address>();
    const note = (addresses: readonly Address[]) => {
      for (const address of addresses) changed.add(address);
    };
    ledger.onSlot((_, addresses) => note(addresses));
    ledger.onTransaction((_, addresses) => note(addresses));
    for (let i = 0; i < 25; i += 1) pass(400);
    for (const [address, data] of before) {
      if (changed.has(address)) continue;
      expect(ledger.account(address)?.data).toBe(data);
    }
  });

  it('for a long time, and all balances still agree', () => {
    const rates = ratesOf(ledger);
    const keepers = new Set(ledger.world.vaults.map(({ keeper }) => keeper?.address));
    let actions = 0;
    ledger.onTransaction(({ error, addresses: [payer] }) => {
      expect(error).toBeNull();
      if (!keepers.has(payer)) actions += 1;
    });
    for (let i = 0; i < SLOTS; i += 1) pass(400);
    invariantsHold(ledger);
    expect(ratesGrew(rates, ratesOf(ledger))).toBeGreaterThan(60);
    expect(actions).toBeGreaterThan(SLOTS / 8);
    expect(actions).toBeLessThanOrEqual(SLOTS / 5);
  });

  it('in a jump after a long pause', () => {
    const rates = ratesOf(ledger);
    const slots: bigint[] = [];
    ledger.onSlot((slot) => slots.push(slot));
    const began = process.cpuUsage();
    pass(45 * 86_400_000);
    expect(cpuMsSince(began)).toBeLessThan(3000);
    expect(slots).toEqual([ledger.slot]);
    expect(ratesGrew(rates, ratesOf(ledger))).toBeGreaterThan(60);
    for (const [, { lastUpdate }] of accountsOf(ledger, klend, reserveLayout)) {
      expect(lastUpdate.slot).toBe(ledger.slot);
    }
    pass(400);
    invariantsHold(ledger);
  });

  it('and blockhashes expire', () => {
    const { blockhash, lastValidBlockHeight } = ledger.blockhash();
    expect(lastValidBlockHeight).toBe(ledger.blockHeight + 150n);
    pass(400 * 100);
    expect(ledger.isBlockhashValid(blockhash)).toBe(true);
    pass(400 * 60);
    expect(ledger.isBlockhashValid(blockhash)).toBe(false);
    expect(ledger.isBlockhashValid('11111111111111111111111111111111')).toBe(false);
  });

  it('and only slots up to the current one have a block time', () => {
    const time = ledger.blockTime(ledger.slot) ?? 0;
    expect(time).toBeGreaterThan(START / 1000);
    expect(ledger.blockTime(ledger.slot + 1n)).toBeNull();
    expect(ledger.blockTime(1n)).toBeNull();
    expect(ledger.blockTime(ledger.slot - 216_000n)).toBe(time - 86_400);
  });
});
