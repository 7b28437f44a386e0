import type { StoredAccount } from '@sluice/localnet/chain';
import { reserve } from '@sluice/protocol/klend/reserve';
import { vaultState } from '@sluice/protocol/kvault/vault-state';
import type { Address } from '@solana/kit';
import { TestChain, withFields } from '../../../packages/localnet/test/support/chain/test-world.ts';

const ACCOUNTS = 1_000n;

/**
 * The generated world, in which the liquidity of every vault and reserve tells the account and the slot. So any answer shows
 * at which slot each of its accounts was read.
 */
export class StampedChain extends TestChain {
  readonly vaults: readonly Address[] = this.worldChain.world.vaults.map(({ address }) => address);
  readonly reserves: readonly Address[] = this.worldChain.world.reserves.map(({ address }) => address);
  readonly #numbers = new Map<Address, bigint>(
    [...this.vaults, ...this.reserves].map((address, i) => [address, BigInt(i)]),
  );

  override account(address: Address): StoredAccount | undefined {
    const account = super.account(address);
    const number = this.#numbers.get(address);
    return account === undefined || number === undefined ? account : this.#stamped(account, number);
  }

  override *programAccounts(program: Address): Iterable<readonly [Address, StoredAccount]> {
    for (const [address, account] of super.programAccounts(program))
      yield [address, this.account(address) ?? account];
  }

  /** The slot at which an account had this amount; null when it never had. */
  slotOf(address: Address, amount: bigint): bigint | null {
    return this.#numbers.get(address) === amount % ACCOUNTS ? amount / ACCOUNTS : null;
  }

  #stamped(account: StoredAccount, number: bigint): StoredAccount {
    const amount = this.slot * ACCOUNTS + number;
    if (number < this.vaults.length) return withFields(vaultState, account, { tokenAvailable: amount });
    return withFields(reserve, account, {
      liquidity: { totalAvailableAmount: amount },
      withdrawQueue: { queuedCollateralAmount: 0n },
    });
  }
}
