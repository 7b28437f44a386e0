import type { ReserveUse } from './reserve-documents.ts';

type Vault = ReserveUse['vaults']['nodes'][number];

export interface LendingVault {
  readonly vault: Vault;
  /** The part of the vault's strategy that is about the reserve. */
  readonly allocation: Vault['allocations'][number];
}

/** The vaults with their allocation to the reserve. A vault whose strategy no longer has it is left out. */
export const lendingVaults = (reserve: Pick<ReserveUse, 'address' | 'vaults'>): LendingVault[] =>
  reserve.vaults.nodes.flatMap((vault) => {
    const allocation = vault.allocations.find(({ reserveAddress }) => reserveAddress === reserve.address);
    return allocation === undefined ? [] : [{ vault, allocation }];
  });
