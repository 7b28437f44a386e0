import { PROGRAM_ID as FARMS } from '@kamino-finance/farms-sdk/dist/@codegen/farms/programId.js';
import {
  getFarmAuthorityPDA,
  getFarmVaultPDA,
  getUserStatePDA,
} from '@kamino-finance/farms-sdk/dist/utils/utils.js';
import { PROGRAM_ID as KLEND } from '@kamino-finance/klend-sdk/dist/@codegen/klend/programId.js';
import { PROGRAM_ID as KVAULT } from '@kamino-finance/klend-sdk/dist/@codegen/kvault/programId.js';
import {
  getCTokenVaultPda,
  getKvaultGlobalConfigPda,
  getReserveWhitelistEntryPda,
  KaminoVaultClient,
} from '@kamino-finance/klend-sdk/dist/classes/vault.js';
import * as seeds from '@kamino-finance/klend-sdk/dist/utils/seeds.js';
import { type Address, getAddressEncoder, getProgramDerivedAddress } from '@solana/kit';
import { findAddressLookupTablePda } from '@solana-program/address-lookup-table';
import { findAssociatedTokenPda } from '@solana-program/token';
import { addressCase, type Derived } from './address-case.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM, U64_MAX } from './constants.ts';
import type { Json } from './normalise.ts';
import { obligationCases } from './obligation-addresses.ts';
import { Prng } from './prng.ts';

const ROUNDS = 6;

/** Several random inputs; each input's name gets an address. */
async function rounds<Name extends string>(
  name: string,
  source: string,
  inputNames: Name[],
  derive: (inputs: Record<Name, Address>) => Promise<Derived>,
): Promise<Json[]> {
  const prng = new Prng(`address/${name}`);
  const cases: Json[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const inputs = Object.fromEntries(inputNames.map((key) => [key, prng.address()])) as Record<
      Name,
      Address
    >;
    cases.push(addressCase(name, source, inputs, await derive(inputs)));
  }
  return cases;
}

/** The SDK has these seeds only inside its vault creation, which draws a random vault. */
const vaultPda = (seed: string) => (vault: Address) =>
  getProgramDerivedAddress({ programAddress: KVAULT, seeds: [seed, getAddressEncoder().encode(vault)] });

async function klendCases(): Promise<Json[]> {
  const sequenceNumbers = [0n, 1n, 255n, 65_536n, (1n << 53n) + 1n, U64_MAX];
  const urls = ['a', 'sluice', 'with-dash', 'UPPER', 'ünïcode', 'thirty-two-bytes-of-short-url-xy'];
  const prng = new Prng('address/more');
  const tickets = sequenceNumbers.map(async (sequenceNumber) => {
    const reserve = prng.address();
    const derived = await seeds.withdrawTicketPda(reserve, sequenceNumber);
    return addressCase('withdrawTicket', 'sdk:withdrawTicketPda', { reserve, sequenceNumber }, derived);
  });
  const shortUrls = urls.map(async (url) =>
    addressCase('shortUrl', 'sdk:shortUrlPda', { url }, await seeds.shortUrlPda(url)),
  );
  return [
    ...(await rounds('lendingMarketAuthority', 'sdk:lendingMarketAuthPda', ['market'], ({ market }) =>
      seeds.lendingMarketAuthPda(market),
    )),
    ...(await rounds('reserveLiquiditySupply', 'sdk:reserveLiqSupplyPda', ['reserve'], ({ reserve }) =>
      seeds.reserveLiqSupplyPda(reserve),
    )),
    ...(await rounds('reserveFeeVault', 'sdk:reserveFeeVaultPda', ['reserve'], ({ reserve }) =>
      seeds.reserveFeeVaultPda(reserve),
    )),
    ...(await rounds('reserveCollateralMint', 'sdk:reserveCollateralMintPda', ['reserve'], ({ reserve }) =>
      seeds.reserveCollateralMintPda(reserve),
    )),
    ...(await rounds(
      'reserveCollateralSupply',
      'sdk:reserveCollateralSupplyPda',
      ['reserve'],
      ({ reserve }) => seeds.reserveCollateralSupplyPda(reserve),
    )),
    ...(await obligationCases()),
    ...(await rounds('userMetadata', 'sdk:userMetadataPda', ['owner'], ({ owner }) =>
      seeds.userMetadataPda(owner),
    )),
    ...(await rounds('referrerTokenState', 'sdk:referrerTokenStatePda', ['referrer', 'reserve'], (inputs) =>
      seeds.referrerTokenStatePda(inputs.referrer, inputs.reserve),
    )),
    ...(await rounds('referrerState', 'sdk:referrerStatePda', ['referrer'], ({ referrer }) =>
      seeds.referrerStatePda(referrer),
    )),
    ...(await Promise.all(shortUrls)),
    ...(await Promise.all(tickets)),
    ...(await rounds(
      'ownerQueuedCollateralVault',
      'sdk:ownerQueuedCollateralVaultPda',
      ['reserve', 'owner'],
      ({ reserve, owner }) => seeds.ownerQueuedCollateralVaultPda(reserve, owner),
    )),
  ];
}

async function globalCases(): Promise<Json[]> {
  const eventAuthorities = [KLEND, KVAULT, FARMS].map(async (program) =>
    addressCase(
      'eventAuthority',
      'sdk:getEventAuthorityPda',
      { program },
      await seeds.getEventAuthorityPda(program),
    ),
  );
  return [
    addressCase('globalConfig', 'sdk:globalConfigPda', { program: KLEND }, await seeds.globalConfigPda()),
    addressCase(
      'globalConfig',
      'sdk:getKvaultGlobalConfigPda',
      { program: KVAULT },
      await getKvaultGlobalConfigPda(KVAULT),
    ),
    ...(await Promise.all(eventAuthorities)),
    ...(await rounds('eventAuthority', 'sdk:getEventAuthorityPda', ['program'], ({ program }) =>
      seeds.getEventAuthorityPda(program),
    )),
    ...(await rounds('globalConfig', 'sdk:globalConfigPda', ['program'], ({ program }) =>
      seeds.globalConfigPda(program),
    )),
  ];
}

async function farmCases(): Promise<Json[]> {
  const { prototype } = KaminoVaultClient;
  return [
    ...(await rounds(
      'obligationFarmUserState',
      'sdk:obligationFarmStatePda',
      ['farm', 'obligation'],
      (inputs) => seeds.obligationFarmStatePda(inputs.farm, inputs.obligation),
    )),
    ...(await rounds('userFarmState', 'sdk:getUserStatePDA', ['farm', 'owner'], ({ farm, owner }) =>
      getUserStatePDA(FARMS, farm, owner),
    )),
    ...(await rounds('farmVault', 'sdk:getFarmVaultPDA', ['farm', 'stakeMint'], ({ farm, stakeMint }) =>
      getFarmVaultPDA(FARMS, farm, stakeMint),
    )),
    ...(await rounds('farmAuthority', 'sdk:getFarmAuthorityPDA', ['farm'], ({ farm }) =>
      getFarmAuthorityPDA(FARMS, farm),
    )),
    ...(await rounds(
      'vaultReserveFarmDelegatee',
      'sdk:computeUserFarmStateDelegateePDAForUserInVault',
      ['reserve', 'vault', 'owner'],
      ({ reserve, vault, owner }) =>
        prototype.computeUserFarmStateDelegateePDAForUserInVault(FARMS, vault, reserve, owner),
    )),
    ...(await rounds(
      'delegatedVaultFarmDelegatee',
      'sdk:computeUserFarmStateDelegateePDAForUserInDelegatedVaultFarm',
      ['vault', 'farm', 'owner'],
      ({ vault, farm, owner }) =>
        prototype.computeUserFarmStateDelegateePDAForUserInDelegatedVaultFarm(FARMS, vault, farm, owner),
    )),
    ...(await rounds(
      'delegatedVaultFarmUserState',
      'sdk:computeUserStatePDAForUserInDelegatedVaultFarm',
      ['vault', 'farm', 'owner'],
      ({ vault, farm, owner }) =>
        prototype.computeUserStatePDAForUserInDelegatedVaultFarm(FARMS, vault, farm, owner),
    )),
  ];
}

async function vaultCases(): Promise<Json[]> {
  const source = 'kit:getProgramDerivedAddress';
  return [
    ...(await rounds('vaultTokenVault', source, ['vault'], ({ vault }) => vaultPda('token_vault')(vault))),
    ...(await rounds('vaultAuthority', source, ['vault'], ({ vault }) => vaultPda('authority')(vault))),
    ...(await rounds('vaultSharesMint', source, ['vault'], ({ vault }) => vaultPda('shares')(vault))),
    ...(await rounds(
      'vaultCtokenVault',
      'sdk:getCTokenVaultPda',
      ['vault', 'reserve'],
      ({ vault, reserve }) => getCTokenVaultPda(vault, reserve, KVAULT),
    )),
    ...(await rounds('reserveWhitelistEntry', 'sdk:getReserveWhitelistEntryPda', ['reserve'], ({ reserve }) =>
      getReserveWhitelistEntryPda(reserve, KVAULT),
    )),
  ];
}

async function generalCases(): Promise<Json[]> {
  const prng = new Prng('address/general');
  const cases: Json[] = [];
  for (const tokenProgram of [TOKEN_PROGRAM, TOKEN_2022_PROGRAM]) {
    for (let round = 0; round < ROUNDS; round += 1) {
      const inputs = { owner: prng.address(), mint: prng.address(), tokenProgram };
      const derived = await findAssociatedTokenPda(inputs);
      cases.push(addressCase('associatedToken', 'token:findAssociatedTokenPda', inputs, derived));
    }
  }
  for (const recentSlot of [0n, 1n, 345_678_901n, (1n << 53n) + 1n, U64_MAX]) {
    const inputs = { authority: prng.address(), recentSlot };
    const derived = await findAddressLookupTablePda(inputs);
    cases.push(
      addressCase('addressLookupTable', 'address-lookup-table:findAddressLookupTablePda', inputs, derived),
    );
  }
  return cases;
}

export const addressCases = async (): Promise<Json[]> => [
  ...(await klendCases()),
  ...(await globalCases()),
  ...(await farmCases()),
  ...(await vaultCases()),
  ...(await generalCases()),
];
