import { farmState } from '@sluice/protocol/farms/farm-state';
import { lendingMarket } from '@sluice/protocol/klend/lending-market';
import { obligation } from '@sluice/protocol/klend/obligation';
import { reserve } from '@sluice/protocol/klend/reserve';
import { vaultState } from '@sluice/protocol/kvault/vault-state';
import { MAINNET_PROGRAMS, presentAddress, WRAPPED_SOL_MINT } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import type { ExampleAddresses } from '../../../src/rest/operation/operation.ts';
import type { AccountSet } from './account-sets.ts';

const { klend, kvault, farms } = MAINNET_PROGRAMS;

/** A vault of mainnet, which is asked about when a set has no vault. */
const SOME_VAULT = 'HDsayqAsDWy3QvANGqh2yNraqcD8Fnjgh73Mhb3WRS5E' as Address;

/** Subjects of requests in a set. */
export interface SetSubjects {
  readonly addresses: ExampleAddresses & { readonly table: string };
  readonly hasVault: boolean;
}

/** Chooses accounts that belong together: an obligation, its market and reserves; a vault, its tokens and farm. */
export function subjectsOfSet({ accounts }: AccountSet): SetSubjects {
  const ofKind = (program: Address, { discriminator }: { readonly discriminator: Uint8Array }) =>
    [...accounts.values()]
      .filter(({ owner, data }) => owner === program && startsWith(data, discriminator))
      .sort((a, b) => (a.address < b.address ? -1 : 1));
  const loans = ofKind(klend, obligation).map((raw) => ({ raw, value: obligation.decode(raw, klend) }));
  const loan = loans.find(({ value }) => value.borrows.some((each) => presentAddress(each.borrowReserve)));
  const market = loan?.value.lendingMarket ?? ofKind(klend, lendingMarket)[0]?.address;
  const reserves = ofKind(klend, reserve)
    .map((raw) => ({ address: raw.address, value: reserve.decode(raw, klend) }))
    .filter(({ value }) => value.lendingMarket === market);
  const [vault] = ofKind(kvault, vaultState).map((raw) => ({ raw, value: vaultState.decode(raw, kvault) }));
  const [farm] = ofKind(farms, farmState);
  const present = new Set(reserves.map(({ address }) => address));
  const deposited = loan?.value.deposits.find(({ depositReserve }) => present.has(depositReserve));
  const owed = loan?.value.borrows.find(({ borrowReserve }) => present.has(borrowReserve));
  const [first] = reserves;
  const ofVault = reserves.find(({ value }) => value.liquidity.mintPubkey === vault?.value.tokenMint);
  if (loan === undefined || market === undefined || first === undefined || farm === undefined) {
    throw new Error(
      'a set of accounts needs an obligation with debt, its market, a reserve of it and a farm',
    );
  }
  return {
    hasVault: vault !== undefined,
    addresses: {
      wallet: loan.value.owner,
      obligation: loan.raw.address,
      market,
      // One that the vault can use, where the set has it.
      reserve: (ofVault ?? first).address,
      depositReserve: deposited?.depositReserve ?? first.address,
      borrowReserve: owed?.borrowReserve ?? first.address,
      vault: vault?.raw.address ?? SOME_VAULT,
      vaultAdmin: vault?.value.vaultAdminAuthority ?? SOME_VAULT,
      sharesMint: vault?.value.sharesMint ?? first.value.collateral.mintPubkey,
      tokenMint: vault?.value.tokenMint ?? first.value.liquidity.mintPubkey,
      farm: farm.address,
      queuedReserve: first.address,
      queuedMarket: market,
      // No set has tickets.
      queuedTicket: SOME_VAULT,
      queuedWallet: loan.value.owner,
      // No set has referral fees.
      referrer: loan.value.owner,
      referredReserve: first.address,
      // No set has an obligation that is offered to another wallet.
      offeringWallet: loan.value.owner,
      newOwner: SOME_VAULT,
      offeredObligation: SOME_VAULT,
      approvedObligation: SOME_VAULT,
      orderingWallet: loan.value.owner,
      orderedObligation: loan.raw.address,
      termWallet: loan.value.owner,
      termObligation: loan.raw.address,
      termMarket: market,
      termReserve: owed?.borrowReserve ?? first.address,
      emptyWallet: SOME_VAULT,
      stakedReserve: first.address,
      stakedMint: WRAPPED_SOL_MINT,
      table: presentAddress(vault?.value.vaultLookupTable ?? WRAPPED_SOL_MINT) ?? SOME_VAULT,
    },
  };
}

function startsWith(data: Uint8Array, start: Uint8Array): boolean {
  return Buffer.compare(data.subarray(0, start.length), start) === 0;
}
