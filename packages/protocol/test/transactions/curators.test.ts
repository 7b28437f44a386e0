import {
  removeAllocation,
  updateReserveAllocationV1,
  updateReserveAllocationV2,
  updateVaultConfig,
} from '@sluice/protocol/kvault/curator-instructions';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { createTransactionReader } from '@sluice/protocol/transactions/read-transaction';
import { describe, expect, it } from 'vitest';
import {
  accountsOf,
  foreign,
  LOOKUPS,
  type Nested,
  named,
  transactionOf,
} from '../support/transaction-maker.ts';

const { kvault } = MAINNET_PROGRAMS;
const read = createTransactionReader(MAINNET_PROGRAMS);
const eventsOf = (calls: readonly Nested[]) => read(transactionOf(calls), LOOKUPS);

const PLACE = { signature: 'signature', slot: 7n, time: 1_000 };
const VAULT = { vault: named('vaultState'), signer: named('signer') };

const setV2 = (weight: bigint, cap: bigint, ctokenAllocationCap: bigint): Nested => ({
  instruction: updateReserveAllocationV2.encode(kvault, accountsOf(updateReserveAllocationV2.accounts), {
    weight,
    cap,
    ctokenAllocationCap,
  }),
});

function setting(entry: number, value: readonly number[]): Nested {
  const encoded = updateVaultConfig.encode(kvault, accountsOf(updateVaultConfig.accounts), {
    entry,
    dataLength: value.length,
  });
  return { instruction: { ...encoded, data: Uint8Array.from([...encoded.data, ...value]) } };
}

/** 8 bytes, the least significant first. */
const u64 = (number: number) => [...Array(8).keys()].map((i) => Math.floor(number / 256 ** i) % 256);

describe('changes of the target allocation', () => {
  it('are the weight and the caps of a reserve, with who signed', () => {
    const { allocationEvents, vaultEvents, problems } = eventsOf([
      setV2(300n, 5_000n, 4_000n),
      {
        instruction: updateReserveAllocationV1.encode(
          kvault,
          accountsOf(updateReserveAllocationV1.accounts, { reserve: named('another') }),
          { weight: 10n, cap: 20n },
        ),
      },
    ]);
    const set = { ...PLACE, ...VAULT, kind: 'setAllocation' };
    expect(allocationEvents).toEqual([
      { ...set, index: 0, reserve: named('reserve'), weight: 300n, cap: 5_000n, collateralCap: 4_000n },
      { ...set, index: 1, reserve: named('another'), weight: 10n, cap: 20n, collateralCap: null },
    ]);
    expect([vaultEvents, problems]).toEqual([[], []]);
  });

  it('are found inside the call of another program, such as a multisig', () => {
    const { allocationEvents } = eventsOf([foreign('multisig', [setV2(1n, 2n, 3n)])]);
    expect(allocationEvents).toMatchObject([{ ...VAULT, weight: 1n, cap: 2n, collateralCap: 3n }]);
  });

  it('include a removal', () => {
    const accounts = accountsOf(removeAllocation.accounts, { vaultAdminAuthority: named('signer') });
    const { allocationEvents } = eventsOf([{ instruction: removeAllocation.encode(kvault, accounts, {}) }]);
    expect(allocationEvents).toMatchObject([
      { ...VAULT, kind: 'removeAllocation', reserve: named('reserve'), weight: 0n, cap: 0n },
    ]);
  });

  it('include weight and cap of what stays in the vault, and no other setting', () => {
    const { allocationEvents, problems } = eventsOf([
      setting(12, u64(259)),
      setting(13, u64(1_000_000)),
      // The performance fee, a name, and a weight of a wrong size.
      setting(0, u64(1_000)),
      setting(8, [72, 105]),
      setting(12, [1, 2]),
    ]);
    const idle = { ...VAULT, kind: 'setUnallocated', reserve: null, collateralCap: null };
    expect(allocationEvents).toMatchObject([
      { ...idle, weight: 259n, cap: null },
      { ...idle, weight: null, cap: 1_000_000n },
    ]);
    expect(allocationEvents).toHaveLength(2);
    expect(problems).toEqual([]);
  });

  it('of a failed transaction did not happen', () => {
    const failed = read(transactionOf([setV2(1n, 2n, 3n)], { failed: true }), LOOKUPS);
    expect(failed.allocationEvents).toEqual([]);
  });
});
