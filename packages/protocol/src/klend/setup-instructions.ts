import { bool, publicKey, u8 } from '../layout/codec.ts';
import { instructionLayout } from '../layout/instruction.ts';

/** Refresh and set-up instructions that must precede a lending action. */

export const refreshReserve = instructionLayout(
  'refreshReserve',
  '02da8aeb4fc91966',
  {},
  {
    reserve: 'writable',
    lendingMarket: 'readonly',
    pythOracle: 'readonly?',
    switchboardPriceOracle: 'readonly?',
    switchboardTwapOracle: 'readonly?',
    scopePrices: 'readonly?',
  },
);

/** Remaining accounts, per reserve: reserve (writable), market, and the four oracles unless prices are skipped. */
export const refreshReservesBatch = instructionLayout(
  'refreshReservesBatch',
  '906e1a67a2ccfc93',
  { skipPriceUpdates: bool },
  {},
);

/** Remaining accounts: deposit reserves, borrow reserves, then referrer token states, in slot order. */
export const refreshObligation = instructionLayout(
  'refreshObligation',
  '218493e497c04859',
  {},
  { lendingMarket: 'readonly', obligation: 'writable' },
);

export const initUserMetadata = instructionLayout(
  'initUserMetadata',
  '75a9b045c5170fa2',
  { userLookupTable: publicKey },
  {
    owner: 'signer',
    feePayer: 'writable signer',
    userMetadata: 'writable',
    referrerUserMetadata: 'readonly?',
    rent: 'readonly',
    systemProgram: 'readonly',
  },
);

export const initObligation = instructionLayout(
  'initObligation',
  'fb0ae74c1b0b9f60',
  { tag: u8, id: u8 },
  {
    obligationOwner: 'signer',
    feePayer: 'writable signer',
    obligation: 'writable',
    lendingMarket: 'readonly',
    seed1Account: 'readonly',
    seed2Account: 'readonly',
    ownerUserMetadata: 'readonly',
    rent: 'readonly',
    systemProgram: 'readonly',
  },
);

/** `mode` 0 is the collateral farm, 1 the debt farm. */
export const initObligationFarmsForReserve = instructionLayout(
  'initObligationFarmsForReserve',
  '883f0fbad398a8a4',
  { mode: u8 },
  {
    payer: 'writable signer',
    owner: 'readonly',
    obligation: 'writable',
    lendingMarketAuthority: 'readonly',
    reserve: 'writable',
    reserveFarmState: 'writable',
    obligationFarm: 'writable',
    lendingMarket: 'readonly',
    farmsProgram: 'readonly',
    rent: 'readonly',
    systemProgram: 'readonly',
  },
);

export const refreshObligationFarmsForReserve = instructionLayout(
  'refreshObligationFarmsForReserve',
  '8c90fd150a4af803',
  { mode: u8 },
  {
    crank: 'signer',
    obligation: 'readonly',
    lendingMarketAuthority: 'readonly',
    reserve: 'readonly',
    reserveFarmState: 'writable',
    obligationFarmUserState: 'writable',
    lendingMarket: 'readonly',
    farmsProgram: 'readonly',
    rent: 'readonly',
    systemProgram: 'readonly',
  },
);

export const requestElevationGroup = instructionLayout(
  'requestElevationGroup',
  '2477fb8122f00793',
  { elevationGroup: u8 },
  { owner: 'signer', obligation: 'writable', lendingMarket: 'readonly' },
);

export const initReferrerTokenState = instructionLayout(
  'initReferrerTokenState',
  '742d42943a0dda73',
  {},
  {
    payer: 'writable signer',
    lendingMarket: 'readonly',
    reserve: 'readonly',
    referrer: 'readonly',
    referrerTokenState: 'writable',
    rent: 'readonly',
    systemProgram: 'readonly',
  },
);
