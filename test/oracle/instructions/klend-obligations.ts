import { abortObligationOwnershipTransfer } from '@kamino-finance/klend-sdk/dist/@codegen/klend/instructions/abortObligationOwnershipTransfer.js';
import { acceptObligationOwnership } from '@kamino-finance/klend-sdk/dist/@codegen/klend/instructions/acceptObligationOwnership.js';
import { deleteReferrerStateAndShortUrl } from '@kamino-finance/klend-sdk/dist/@codegen/klend/instructions/deleteReferrerStateAndShortUrl.js';
import { depositReserveLiquidity } from '@kamino-finance/klend-sdk/dist/@codegen/klend/instructions/depositReserveLiquidity.js';
import { initiateObligationOwnershipTransfer } from '@kamino-finance/klend-sdk/dist/@codegen/klend/instructions/initiateObligationOwnershipTransfer.js';
import { initReferrerStateAndShortUrl } from '@kamino-finance/klend-sdk/dist/@codegen/klend/instructions/initReferrerStateAndShortUrl.js';
import { redeemReserveCollateral } from '@kamino-finance/klend-sdk/dist/@codegen/klend/instructions/redeemReserveCollateral.js';
import { rolloverFixedTermBorrow } from '@kamino-finance/klend-sdk/dist/@codegen/klend/instructions/rolloverFixedTermBorrow.js';
import { topupReserveRewards } from '@kamino-finance/klend-sdk/dist/@codegen/klend/instructions/topupReserveRewards.js';
import {
  type UpdateObligationConfigAccounts,
  updateObligationConfig,
} from '@kamino-finance/klend-sdk/dist/@codegen/klend/instructions/updateObligationConfig.js';
import { withdrawReferrerFees } from '@kamino-finance/klend-sdk/dist/@codegen/klend/instructions/withdrawReferrerFees.js';
import { UpdateObligationConfigMode } from '@kamino-finance/klend-sdk/dist/@codegen/klend/types/index.js';
import {
  SYSTEM_PROGRAM,
  SYSVAR_INSTRUCTIONS,
  SYSVAR_RENT,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../constants.ts';
import type { Json } from '../normalise.ts';
import { amounts, noArgs } from './arguments.ts';
import { instructionCases, type Remaining, withoutArgs } from './template.ts';

const program = 'klend';

/** The SDK takes the setting as an object; the vector has its number. */
const MODES = [
  new UpdateObligationConfigMode.FixedTermRolloverEnabled(),
  new UpdateObligationConfigMode.FixedTermRolloverMaxBorrowRateBps(),
  new UpdateObligationConfigMode.FixedTermRolloverMinDebtTermSeconds(),
  new UpdateObligationConfigMode.FixedTermRolloverOpenTermAllowed(),
  new UpdateObligationConfigMode.MigrationToFixedEnabled(),
] as const;

const rolloverSettings = [[1], [132, 3, 0, 0], [0, 141, 39, 0, 0, 0, 0, 0], [0], [1]].map((value, mode) => ({
  mode,
  value,
}));

const updateConfig = (
  { mode, value }: { readonly mode: number; readonly value: readonly number[] },
  accounts: UpdateObligationConfigAccounts,
  remaining: Remaining,
) => {
  const kind = MODES[mode];
  if (kind === undefined) throw new RangeError(`no setting ${mode}`);
  return updateObligationConfig({ mode: kind, value: Uint8Array.from(value) }, accounts, remaining);
};

/** Ownership, settings and rollovers of an obligation, referrers, and reserves. */
export const klendObligationCases = (): Json[] => [
  ...instructionCases({
    program,
    name: 'initiateObligationOwnershipTransfer',
    args: [{ newOwner: TOKEN_PROGRAM }, { newOwner: TOKEN_2022_PROGRAM }],
    accounts: {
      owner: 'signer',
      obligation: 'account',
      instructionSysvarAccount: SYSVAR_INSTRUCTIONS,
    },
    build: initiateObligationOwnershipTransfer,
  }),
  ...instructionCases({
    program,
    name: 'acceptObligationOwnership',
    args: noArgs,
    accounts: {
      pendingOwner: 'signer',
      obligation: 'account',
      instructionSysvarAccount: SYSVAR_INSTRUCTIONS,
    },
    build: withoutArgs(acceptObligationOwnership),
  }),
  ...instructionCases({
    program,
    name: 'abortObligationOwnershipTransfer',
    args: noArgs,
    accounts: {
      owner: 'signer',
      obligation: 'account',
      instructionSysvarAccount: SYSVAR_INSTRUCTIONS,
    },
    build: withoutArgs(abortObligationOwnershipTransfer),
  }),
  ...instructionCases({
    program,
    name: 'updateObligationConfig',
    args: rolloverSettings,
    accounts: {
      owner: 'signer',
      obligation: 'account',
      borrowReserve: 'optional',
      depositReserve: 'optional',
      lendingMarket: 'account',
    },
    build: updateConfig,
  }),
  ...instructionCases({
    program,
    name: 'rolloverFixedTermBorrow',
    args: noArgs,
    accounts: {
      rolloverAccounts: {
        payer: 'signer',
        obligation: 'account',
        lendingMarket: 'account',
        lendingMarketAuthority: 'account',
        sourceBorrowReserve: 'account',
        targetBorrowReserve: 'account',
        liquidityMint: 'account',
        sourceBorrowReserveLiquidity: 'account',
        targetBorrowReserveLiquidity: 'account',
        tokenProgram: 'account',
      },
      sourceFarmsAccounts: {
        obligationFarmUserState: 'optional',
        reserveFarmState: 'optional',
      },
      targetFarmsAccounts: {
        obligationFarmUserState: 'optional',
        reserveFarmState: 'optional',
      },
      farmsProgram: 'account',
    },
    build: withoutArgs(rolloverFixedTermBorrow),
  }),
  ...instructionCases({
    program,
    name: 'withdrawReferrerFees',
    args: noArgs,
    accounts: {
      referrer: 'signer',
      referrerTokenState: 'account',
      reserve: 'account',
      reserveLiquidityMint: 'account',
      reserveSupplyLiquidity: 'account',
      referrerTokenAccount: 'account',
      lendingMarket: 'account',
      lendingMarketAuthority: 'account',
      tokenProgram: 'account',
    },
    build: withoutArgs(withdrawReferrerFees),
  }),
  ...instructionCases({
    program,
    name: 'initReferrerStateAndShortUrl',
    args: ['', 'sluice', 'a-longer-name-of-32-characters..'].map((shortUrl) => ({ shortUrl })),
    accounts: {
      referrer: 'signer',
      referrerState: 'account',
      referrerShortUrl: 'account',
      referrerUserMetadata: 'account',
      rent: SYSVAR_RENT,
      systemProgram: SYSTEM_PROGRAM,
    },
    build: initReferrerStateAndShortUrl,
  }),
  ...instructionCases({
    program,
    name: 'deleteReferrerStateAndShortUrl',
    args: noArgs,
    accounts: {
      referrer: 'signer',
      referrerState: 'account',
      shortUrl: 'account',
      rent: SYSVAR_RENT,
      systemProgram: SYSTEM_PROGRAM,
    },
    build: withoutArgs(deleteReferrerStateAndShortUrl),
  }),
  ...instructionCases({
    program,
    name: 'topupReserveRewards',
    args: amounts.map((amount) => ({ amount })),
    accounts: {
      signer: 'signer',
      lendingMarket: 'account',
      reserve: 'account',
      reserveLiquidityMint: 'account',
      reserveLiquiditySupply: 'account',
      sourceLiquidity: 'account',
      liquidityTokenProgram: 'account',
    },
    build: topupReserveRewards,
  }),
  ...instructionCases({
    program,
    name: 'depositReserveLiquidity',
    args: amounts.map((liquidityAmount) => ({ liquidityAmount })),
    accounts: {
      owner: 'signer',
      reserve: 'account',
      lendingMarket: 'account',
      lendingMarketAuthority: 'account',
      reserveLiquidityMint: 'account',
      reserveLiquiditySupply: 'account',
      reserveCollateralMint: 'account',
      userSourceLiquidity: 'account',
      userDestinationCollateral: 'account',
      collateralTokenProgram: 'account',
      liquidityTokenProgram: 'account',
      instructionSysvarAccount: SYSVAR_INSTRUCTIONS,
    },
    build: depositReserveLiquidity,
  }),
  ...instructionCases({
    program,
    name: 'redeemReserveCollateral',
    args: amounts.map((collateralAmount) => ({ collateralAmount })),
    accounts: {
      owner: 'signer',
      lendingMarket: 'account',
      reserve: 'account',
      lendingMarketAuthority: 'account',
      reserveLiquidityMint: 'account',
      reserveCollateralMint: 'account',
      reserveLiquiditySupply: 'account',
      userSourceCollateral: 'account',
      userDestinationLiquidity: 'account',
      collateralTokenProgram: 'account',
      liquidityTokenProgram: 'account',
      instructionSysvarAccount: SYSVAR_INSTRUCTIONS,
    },
    build: redeemReserveCollateral,
  }),
];
