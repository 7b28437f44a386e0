import { PROGRAM_ID as FARMS } from '@kamino-finance/farms-sdk/dist/@codegen/farms/programId.js';
import { initObligation } from '@kamino-finance/klend-sdk/dist/@codegen/klend/instructions/initObligation.js';
import { initObligationFarmsForReserve } from '@kamino-finance/klend-sdk/dist/@codegen/klend/instructions/initObligationFarmsForReserve.js';
import { initReferrerTokenState } from '@kamino-finance/klend-sdk/dist/@codegen/klend/instructions/initReferrerTokenState.js';
import { initUserMetadata } from '@kamino-finance/klend-sdk/dist/@codegen/klend/instructions/initUserMetadata.js';
import { refreshObligation } from '@kamino-finance/klend-sdk/dist/@codegen/klend/instructions/refreshObligation.js';
import { refreshObligationFarmsForReserve } from '@kamino-finance/klend-sdk/dist/@codegen/klend/instructions/refreshObligationFarmsForReserve.js';
import { refreshReserve } from '@kamino-finance/klend-sdk/dist/@codegen/klend/instructions/refreshReserve.js';
import { refreshReservesBatch } from '@kamino-finance/klend-sdk/dist/@codegen/klend/instructions/refreshReservesBatch.js';
import { requestElevationGroup } from '@kamino-finance/klend-sdk/dist/@codegen/klend/instructions/requestElevationGroup.js';
import { PROGRAM_ID as KLEND } from '@kamino-finance/klend-sdk/dist/@codegen/klend/programId.js';
import { AccountRole } from '@solana/kit';
import { NONE, SYSTEM_PROGRAM, SYSVAR_RENT } from '../constants.ts';
import type { Json } from '../normalise.ts';
import { Prng } from '../prng.ts';
import { noArgs, nothing, writable, writableThenReadonly } from './arguments.ts';
import { instructionCases, type Remaining, withoutAccounts, withoutArgs } from './template.ts';

const program = 'klend';

const tagsAndIds: [tag: number, id: number][] = [
  ...[0, 1, 2, 3, 4, 5, 6].map((tag): [number, number] => [tag, 0]),
  [0, 1],
  [1, 24],
  [3, 255],
  [255, 255],
];

/** With prices each reserve brings four oracles; one that is absent is the program's own address. */
const batch =
  (reserves: number, withOracles: boolean) =>
  (prng: Prng): Remaining =>
    Array.from({ length: reserves }, (): Remaining => {
      const pair: Remaining = [
        { address: prng.address(), role: AccountRole.WRITABLE },
        { address: prng.address(), role: AccountRole.READONLY },
      ];
      const oracles = [KLEND, KLEND, KLEND, prng.address()];
      return withOracles
        ? [...pair, ...oracles.map((address) => ({ address, role: AccountRole.READONLY as const }))]
        : pair;
    }).flat();

export const klendSetupCases = (): Json[] => [
  ...instructionCases({
    program,
    name: 'refreshReserve',
    args: noArgs,
    accounts: {
      reserve: 'account',
      lendingMarket: 'account',
      pythOracle: 'optional',
      switchboardPriceOracle: 'optional',
      switchboardTwapOracle: 'optional',
      scopePrices: 'optional',
    },
    build: withoutArgs(refreshReserve),
  }),
  ...instructionCases({
    program,
    name: 'refreshReservesBatch',
    args: [{ skipPriceUpdates: true }],
    accounts: {},
    remaining: [nothing, batch(1, false), batch(3, false)],
    build: withoutAccounts(refreshReservesBatch),
  }),
  ...instructionCases({
    program,
    name: 'refreshReservesBatch',
    args: [{ skipPriceUpdates: false }],
    accounts: {},
    remaining: [nothing, batch(1, true), batch(3, true)],
    build: withoutAccounts(refreshReservesBatch),
  }),
  ...instructionCases({
    program,
    name: 'refreshObligation',
    args: noArgs,
    accounts: { lendingMarket: 'account', obligation: 'account' },
    remaining: [nothing, writable(1), writable(3), writable(18)],
    build: withoutArgs(refreshObligation),
  }),
  ...instructionCases({
    program,
    name: 'initUserMetadata',
    args: [{ userLookupTable: NONE }, { userLookupTable: new Prng('user lookup table').address() }],
    accounts: {
      owner: 'signer',
      feePayer: 'signer',
      userMetadata: 'account',
      referrerUserMetadata: 'optional',
      rent: SYSVAR_RENT,
      systemProgram: SYSTEM_PROGRAM,
    },
    build: initUserMetadata,
  }),
  ...instructionCases({
    program,
    name: 'initObligation',
    args: tagsAndIds.map(([tag, id]) => ({ args: { tag, id } })),
    accounts: {
      obligationOwner: 'signer',
      feePayer: 'signer',
      obligation: 'account',
      lendingMarket: 'account',
      seed1Account: 'account',
      seed2Account: 'account',
      ownerUserMetadata: 'account',
      rent: SYSVAR_RENT,
      systemProgram: SYSTEM_PROGRAM,
    },
    build: initObligation,
  }),
  ...instructionCases({
    program,
    name: 'initObligationFarmsForReserve',
    args: [{ mode: 0 }, { mode: 1 }, { mode: 255 }],
    accounts: {
      payer: 'signer',
      owner: 'account',
      obligation: 'account',
      lendingMarketAuthority: 'account',
      reserve: 'account',
      reserveFarmState: 'account',
      obligationFarm: 'account',
      lendingMarket: 'account',
      farmsProgram: FARMS,
      rent: SYSVAR_RENT,
      systemProgram: SYSTEM_PROGRAM,
    },
    build: initObligationFarmsForReserve,
  }),
  ...instructionCases({
    program,
    name: 'refreshObligationFarmsForReserve',
    args: [{ mode: 0 }, { mode: 1 }, { mode: 255 }],
    accounts: {
      crank: 'signer',
      baseAccounts: {
        obligation: 'account',
        lendingMarketAuthority: 'account',
        reserve: 'account',
        reserveFarmState: 'account',
        obligationFarmUserState: 'account',
        lendingMarket: 'account',
      },
      farmsProgram: FARMS,
      rent: SYSVAR_RENT,
      systemProgram: SYSTEM_PROGRAM,
    },
    build: refreshObligationFarmsForReserve,
  }),
  ...instructionCases({
    program,
    name: 'requestElevationGroup',
    args: [0, 1, 7, 32, 255].map((elevationGroup) => ({ elevationGroup })),
    accounts: { owner: 'signer', obligation: 'account', lendingMarket: 'account' },
    remaining: [nothing, writable(2), writableThenReadonly(2, 1)],
    build: requestElevationGroup,
  }),
  ...instructionCases({
    program,
    name: 'initReferrerTokenState',
    args: noArgs,
    accounts: {
      payer: 'signer',
      lendingMarket: 'account',
      reserve: 'account',
      referrer: 'account',
      referrerTokenState: 'account',
      rent: SYSVAR_RENT,
      systemProgram: SYSTEM_PROGRAM,
    },
    build: withoutArgs(initReferrerTokenState),
  }),
];
