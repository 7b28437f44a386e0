import type { Address } from '@solana/kit';
import type { LedgerAccount } from '../../../src/demo/ledger.ts';
import { reserve } from '../../../src/programs/klend/reserve.ts';
import { vaultState } from '../../../src/programs/kvault/vault-state.ts';
import { TestLedger, withFields } from '../ledger/test-ledger.ts';

const ACCOUNTS = 1_000n;

/**
 * The embedded world, in which the liquidity of every vault and reserve tells the account and the slot. So any answer shows
 * at which slot each of its accounts was read.
 */
export class StampedLedger extends TestLedger {
  readonly vaults: readonly Address[] = this.demo.world.vaults.map(({ address }) => address);
  readonly reserves: readonly Address[] = this.demo.world.reserves.map(({ address }) => address);
  readonly #numbers = new Map<Address, bigint>(
    [...this.vaults, ...this.reserves].map((address, i) => [address, BigInt(i)]),
  );

  override account(address: Address): LedgerAccount | undefined {
    const account = super.account(address);
    const number = this.#numbers.get(address);
    return account === undefined || number === undefined ? account : this.#stamped(account, number);
  }

  override *programAccounts(program: Address): Iterable<readonly [Address, LedgerAccount]> {
    for (const [address, account] of super.programAccounts(program))
      yield [address, this.account(address) ?? account];
  }

  /** The slot at which an account had this amount; null when it never had. */
  slotOf(address: Address, amount: bigint): bigint | null {
    return this.#numbers.get(address) === amount % ACCOUNTS ? amount / ACCOUNTS : null;
  }

  #stamped(account: LedgerAccount, number: bigint): LedgerAccount {
    const amount = this.slot * ACCOUNTS + number;
    if (number < this.vaults.length) return withFields(vaultState, account, { tokenAvailable: amount });
    return withFields(reserve, account, {
      liquidity: { totalAvailableAmount: amount },
      withdrawQueue: { queuedCollateralAmount: 0n },
    });
  }
}
