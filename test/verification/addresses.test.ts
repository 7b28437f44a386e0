import { farmAuthority, farmUserState, farmVault } from '@sluice/protocol/farms/addresses';
import * as klend from '@sluice/protocol/klend/addresses';
import * as kvault from '@sluice/protocol/kvault/addresses';
import { eventAuthority, type ProgramDerivedAddress } from '@sluice/protocol/layout/pda';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { associatedTokenAddress } from '@sluice/protocol/token/addresses';
import type { Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { readVectors } from '../support/vectors/account-vectors.ts';

interface AddressCase {
  readonly name: string;
  readonly inputs: Readonly<Record<string, string | number>>;
  readonly address: Address;
  readonly bump?: number;
}

type Inputs = Record<string, Address>;
const { klend: lending, kvault: vaults, farms } = MAINNET_PROGRAMS;

const derivations: Readonly<
  Record<string, (inputs: Inputs, raw: AddressCase['inputs']) => ProgramDerivedAddress>
> = {
  lendingMarketAuthority: (i) => klend.marketAuthority(lending, i.market as Address),
  reserveLiquiditySupply: (i) => klend.reserveLiquiditySupply(lending, i.reserve as Address),
  reserveFeeVault: (i) => klend.reserveFeeVault(lending, i.reserve as Address),
  reserveCollateralMint: (i) => klend.collateralMint(lending, i.reserve as Address),
  reserveCollateralSupply: (i) => klend.collateralSupply(lending, i.reserve as Address),
  obligation: (i, raw) =>
    klend.obligationAddress(lending, i.owner as Address, i.market as Address, {
      tag: Number(raw.tag),
      id: Number(raw.id),
      seed1: i.seed1 as Address,
      seed2: i.seed2 as Address,
    }),
  userMetadata: (i) => klend.userMetadataAddress(lending, i.owner as Address),
  referrerTokenState: (i) =>
    klend.referrerTokenStateAddress(lending, i.referrer as Address, i.reserve as Address),
  referrerState: (i) => klend.referrerState(lending, i.referrer as Address),
  shortUrl: (i) => klend.shortUrl(lending, i.url as string),
  withdrawTicket: (i, raw) =>
    klend.withdrawTicket(lending, i.reserve as Address, BigInt(raw.sequenceNumber ?? 0)),
  ownerQueuedCollateralVault: (i) =>
    klend.ownerQueuedCollateralVault(lending, i.reserve as Address, i.owner as Address),
  globalConfig: (i) =>
    i.program === vaults
      ? kvault.vaultGlobalConfigAddress(vaults)
      : klend.lendingGlobalConfigAddress(i.program as Address),
  eventAuthority: (i) => eventAuthority(i.program as Address),
  obligationFarmUserState: (i) => farmUserState(farms, i.farm as Address, i.obligation as Address),
  userFarmState: (i) => farmUserState(farms, i.farm as Address, i.owner as Address),
  farmVault: (i) => farmVault(farms, i.farm as Address, i.stakeMint as Address),
  farmAuthority: (i) => farmAuthority(farms, i.farm as Address),
  vaultTokenVault: (i) => kvault.vaultTokenVault(vaults, i.vault as Address),
  vaultAuthority: (i) => kvault.vaultAuthority(vaults, i.vault as Address),
  vaultSharesMint: (i) => kvault.sharesMint(vaults, i.vault as Address),
  vaultCtokenVault: (i) => kvault.ctokenVault(vaults, i.vault as Address, i.reserve as Address),
  reserveWhitelistEntry: (i) => kvault.reserveWhitelistEntry(vaults, i.reserve as Address),
  associatedToken: (i) =>
    associatedTokenAddress(i.owner as Address, i.tokenProgram as Address, i.mint as Address),
};

/** Derivations of the SDK that the gateway does not need. */
const NOT_USED = [
  'addressLookupTable',
  'vaultReserveFarmDelegatee',
  'delegatedVaultFarmDelegatee',
  'delegatedVaultFarmUserState',
];

const cases = readVectors<{ cases: AddressCase[] }>('addresses').cases.filter(
  (each) => !NOT_USED.includes(each.name),
);

describe('derived addresses', () => {
  it('covers every derivation', () => {
    expect(Object.keys(derivations).sort()).toEqual([...new Set(cases.map((each) => each.name))].sort());
  });

  it.each(cases.map((each, i) => [`${each.name} #${i}`, each] as const))('%s', (_, each) => {
    const derived = derivations[each.name]?.(each.inputs as Inputs, each.inputs);
    expect(derived?.address).toBe(each.address);
    if (each.bump !== undefined) expect(derived?.bump).toBe(each.bump);
  });
});
