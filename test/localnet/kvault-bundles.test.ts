import type { StoredAccount } from '@sluice/localnet/chain';
import { Rational } from '@sluice/protocol/numeric/rational';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { createTransactionReader } from '@sluice/protocol/transactions/read-transaction';
import type { Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { LOOKUPS } from '../../packages/protocol/test/support/transaction-maker.ts';
import { buildVaultEntry, buildVaultExit } from '../../src/builders/vault/action.ts';
import { vaultOutcome } from '../../src/builders/vault/preview.ts';
import { ranTransaction } from '../support/localnet/ran-transaction.ts';
import { sharedWorld } from '../support/localnet/shared-world.ts';
import { VaultBench } from '../support/localnet/vault-bench.ts';

const read = createTransactionReader(MAINNET_PROGRAMS);
const AMOUNT = 5_000_000_017n;

const isOpen = (account: StoredAccount | undefined) => account !== undefined && account.lamports > 0n;
const lamports = (bench: VaultBench, address: Address) => bench.get(address)?.lamports ?? 0n;

/** Shares of the wallet, staked ones included. */
function sharesOf(bench: VaultBench): bigint {
  return bench.balance(bench.shareAccount) + (bench.accounts().farm?.staked ?? 0n);
}

describe("the builders' instructions for a vault", () => {
  it('open accounts, deposit, stake, leave again and close accounts, as promised', () => {
    for (const { name } of sharedWorld().world.vaults) {
      const bench = new VaultBench(name);
      const isSol = bench.vault.token.symbol === 'SOL';
      if (!isSol) bench.fund(AMOUNT);
      bench.forget(bench.shareAccount);
      const accounts = bench.accounts();
      const units = 10n ** accounts.vault.tokenMintDecimals;
      const entry = buildVaultEntry(accounts, { tokens: Rational.of(AMOUNT, units) }, bench.moment);
      const bought = vaultOutcome(accounts, 'deposit', entry.action, bench.moment);
      const before = lamports(bench, bench.wallet);
      const deposited = bench.run(entry.action.instructions);
      expect({ name, failure: deposited.failure }).toEqual({ name, failure: null });
      expect(sharesOf(bench)).toBe(bought.shares);
      if (bench.vault.farm !== null) expect(bench.balance(bench.shareAccount)).toBe(0n);
      expect(bench.balance(bench.tokenAccount)).toBe(AMOUNT - bought.tokens);
      if (isSol) expect(before - lamports(bench, bench.wallet)).toBeGreaterThan(AMOUNT);
      const deposit = read(ranTransaction(entry.action.instructions, deposited), LOOKUPS);
      expect(deposit.problems).toEqual([]);
      expect(deposit.vaultEvents).toMatchObject([
        { kind: 'deposit', tokens: bought.tokens, shares: bought.shares },
      ]);

      const held = bench.accounts();
      const exit = buildVaultExit(held, { all: true }, bench.moment);
      const left = vaultOutcome(held, 'withdraw', exit.action, bench.moment);
      const closes = exit.action.instructions.some(({ summary }) =>
        summary.startsWith('Close the empty share'),
      );
      const tokensBefore = bench.balance(bench.tokenAccount);
      const withdrawn = bench.run(exit.action.instructions);
      expect({ name, failure: withdrawn.failure }).toEqual({ name, failure: null });
      expect(sharesOf(bench)).toBe(bought.shares - left.shares);
      expect(isOpen(bench.get(bench.shareAccount))).toBe(!closes);
      if (exit.action.wrappedSol !== 'closed') {
        expect(bench.balance(bench.tokenAccount)).toBe(tokensBefore + left.tokens);
      }
      const withdrawal = read(ranTransaction(exit.action.instructions, withdrawn), LOOKUPS);
      expect(withdrawal.problems).toEqual([]);
      const events = withdrawal.vaultEvents.filter(({ kind }) => kind === 'withdraw');
      expect(events.reduce((sum, { tokens }) => sum + (tokens ?? 0n), 0n)).toBe(left.tokens);
      expect(events.reduce((sum, { shares }) => sum + shares, 0n)).toBe(left.shares);
    }
  });
});
