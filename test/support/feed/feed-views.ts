import { vaultState } from '@sluice/protocol/kvault/vault-state';
import { Rational } from '@sluice/protocol/numeric/rational';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { testAddress } from '../../../packages/localnet/test/support/chain/fake-chain.ts';
import { CatalogueBuilder } from '../../../src/chain/view/catalogue.ts';
import { decodersFor } from '../../../src/chain/view/kinds.ts';
import type { View, ViewMoment } from '../../../src/chain/view/view.ts';

export const VAULTS = [testAddress(1), testAddress(2), testAddress(3)] as const;

export const BUILT_AT_MS = 1_700_000_000_123;

export function momentOf(number: number, slot: bigint): ViewMoment {
  return {
    id: `test-${number}`,
    number,
    slot,
    timestamp: 1_700_000_000n + slot,
    builtAtMs: BUILT_AT_MS,
    slotDurationMs: Rational.of(1234n, 3n),
    slotMin: slot - 1n,
    slotMax: slot + 1n,
    slotWhole: slot - 1n,
    torn: slot % 2n === 0n,
  };
}

/** A catalogue of vaults whose shares the test sets. */
export function vaultCatalogue() {
  const builder = new CatalogueBuilder(decodersFor(MAINNET_PROGRAMS));
  return {
    builder,
    /** Null closes the account. */
    put(address: Address, sharesIssued: bigint | null, slot: bigint, owner = MAINNET_PROGRAMS.kvault): void {
      const data = sharesIssued === null ? null : vaultState.encode({ sharesIssued });
      builder.take('vault', address, data && { address, owner, data, lamports: 1n, slot }, slot);
    },
    view: (number: number, slot: bigint): View => builder.view(momentOf(number, slot)),
  };
}

/** Fields of a vault in a View: shares and slot, the code of its error, or undefined. */
export function vaultIn(view: View, address: Address) {
  const found = view.find('vault', address);
  if (found === undefined) return undefined;
  return 'code' in found ? found.code : [found.value.sharesIssued, found.slot];
}
