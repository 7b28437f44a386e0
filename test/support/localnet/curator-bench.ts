import { reserve } from '@sluice/protocol/klend/reserve';
import { vaultState } from '@sluice/protocol/kvault/vault-state';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { expect } from 'vitest';
import type { AccountChanges } from '../../../src/builders/account-changes.ts';
import type { Action, BuiltStep } from '../../../src/builders/action.ts';
import type { VaultFigures } from '../../../src/builders/preview.ts';
import type { ReadAccount } from '../../../src/builders/read-accounts.ts';
import { type VaultNumbers, vaultOf } from '../builders/random-vault.ts';
import { readOf, stepOn } from './built-steps.ts';
import { failureOf } from './lending-bench.ts';
import { VaultBench } from './vault-bench.ts';

const { klend } = MAINNET_PROGRAMS;
/** Of the sum of rewards released, in the rewards. */
const RELEASED_OFFSET = 24;

/** A vault of the generated world whose admin is the wallet of the bench. */
export class CuratorBench extends VaultBench {
  constructor(name = 'Jetty USDC') {
    super(name);
    this.changeVault({ vaultAdminAuthority: this.wallet, allocationAdmin: this.wallet });
  }

  /** A vault in the given numbers, with fees, rewards and a wallet that holds tokens. */
  fill(numbers: VaultNumbers, change: Parameters<VaultBench['changeVault']>[0] = {}): void {
    const { port, reserves, fields } = vaultOf(numbers, this.clock.unixTimestamp);
    this.shrink({
      idle: port.tokenAvailable,
      sharesIssued: port.sharesIssued,
      reserves: reserves.map(({ available, borrowed, minted, owned }) => ({
        available,
        lent: borrowed,
        minted,
        owned,
      })),
      change: fields,
    });
    this.changeVault(change);
    this.setBalance(this.vault.tokenVault.address, port.tokenAvailable + port.rewardsAvailable + 1_000n);
    this.fund(10n ** 12n);
  }

  get request(): { readonly wallet: Address; readonly vault: Address } {
    return { wallet: this.wallet, vault: this.vault.address };
  }

  step(action: Action): BuiltStep {
    return stepOn(this, action);
  }
}

export const isRefused = (step: BuiltStep): boolean =>
  step.preview().warnings.some(({ level }) => level === 'ERROR');

export const figuresOf = (step: BuiltStep): VaultFigures => step.preview().vault ?? expect.fail('no figures');

/** Runs a step. Null when it succeeds. */
export function runStep(bench: CuratorBench, step: BuiltStep): number | string | null {
  return failureOf(bench.run(step.action.instructions));
}

/** Runs a step and expects the accounts that it promises, to the base unit. */
export function expectOutcome(bench: CuratorBench, step: BuiltStep): void {
  const promised = step.after();
  expect(runStep(bench, step)).toBeNull();
  expectPromised(bench, promised);
}

function expectPromised(bench: CuratorBench, promised: AccountChanges): void {
  for (const [address, account] of promised) {
    const found = readOf(bench, address);
    if (account === null) {
      expect(found).toBeNull();
      continue;
    }
    expect(found?.lamports, `lamports of ${address}`).toBe(account.lamports);
    if (address === bench.vault.address) {
      expect(vaultFields(found ?? expect.fail('no vault'))).toEqual(vaultFields(account));
    } else if (bench.vault.allocations.some((each) => each.reserve.address === address)) {
      expect(reserveFields(account)).toEqual(reserveFields(found ?? expect.fail('no reserve')));
    } else {
      expect(Buffer.from(found?.data ?? []).toString('hex'), address).toBe(
        Buffer.from(account.data).toString('hex'),
      );
    }
  }
}

function reserveFields(account: ReadAccount): bigint[] {
  const { liquidity, collateral } = reserve.decode(account, klend);
  return [liquidity.totalAvailableAmount, liquidity.borrowedAmountSf, collateral.mintTotalSupply];
}

/** All of a vault but the sums since its creation, which no build depends on. */
function vaultFields({ data, owner }: { readonly data: Uint8Array; readonly owner: Address }): string {
  const bytes = data.slice();
  bytes.fill(0, vaultState.offsetOf('cumulativeEarnedInterestSf'), vaultState.offsetOf('name'));
  const released = vaultState.offsetOf('rewardInfo') + RELEASED_OFFSET;
  bytes.fill(0, released, released + 8);
  return `${owner} ${Buffer.from(bytes).toString('hex')}`;
}
