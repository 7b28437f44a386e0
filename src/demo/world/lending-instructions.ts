import { type AccountMeta, AccountRole, type Address } from '@solana/kit';
import { borrowV2, depositV2, repayV2, withdrawV2 } from '../../programs/klend/action-instructions.ts';
import {
  initObligation,
  initObligationFarmsForReserve,
  initReferrerTokenState,
  initUserMetadata,
  refreshObligation,
  refreshReserve,
  requestElevationGroup,
} from '../../programs/klend/setup-instructions.ts';
import {
  COMPUTE_BUDGET_PROGRAM,
  INSTRUCTIONS_SYSVAR,
  MAINNET_PROGRAMS,
  NO_ADDRESS,
  RENT_SYSVAR,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
} from '../../programs/program-ids.ts';
import { setComputeUnitLimit } from '../../programs/system/instructions.ts';
import type { InitAct, LendAct } from './acts.ts';
import type { Obligation, Reserve, Wallet } from './model.ts';
import { referrerStateAddress } from './referrers.ts';
import { plain, type Step, within } from './steps.ts';
import {
  accountOf,
  burnTokens,
  mintTokens,
  moveTokens,
  openAccount,
  unwrapIfNative,
  wrapIfNative,
} from './token-instructions.ts';

const { klend, farms } = MAINNET_PROGRAMS;

export function initSteps({ obligation, metadata }: InitAct): Step[] {
  return setupSteps(obligation, metadata, true);
}

export function lendSteps(act: LendAct, priceFeed: Address): Step[] {
  const { obligation, reserve, setup } = act;
  const { owner, market } = obligation;
  const { mint } = reserve.token;
  const taking = act.operation === 'deposit' || act.operation === 'repay';
  const known = [...new Set([...act.deposits, ...act.borrows])];
  const refresh = [...known.filter((other) => other !== reserve), reserve].map((each) =>
    within('RefreshReserve', refreshReserveOf(each, priceFeed), []),
  );
  const refreshed = [...refresh, within('RefreshObligation', refreshObligationOf(act), [])];
  const entering = requestElevationGroup.encode(
    klend,
    { owner: owner.address, obligation: obligation.address, lendingMarket: market.address },
    { elevationGroup: setup.group },
    reserveMetas([...act.deposits, ...act.borrows]),
  );
  return [
    ...plain(setComputeUnitLimit.encode(COMPUTE_BUDGET_PROGRAM, {}, { units: 1_000_000 })),
    ...(setup.referrer ? [within('InitReferrerTokenState', referrerInit(owner, reserve), [])] : []),
    ...plain(...(taking ? wrapIfNative(owner, mint, act.liquidity) : [openAccount(owner, owner, mint)])),
    ...setupSteps(obligation, setup.metadata, setup.obligation),
    ...(setup.farm ? [within('InitObligationFarmsForReserve', farmInit(act), [])] : []),
    ...refreshed,
    ...(setup.group > 0 ? [within('RequestElevationGroup', entering, []), ...refreshed] : []),
    actionStep(act),
    ...plain(...unwrapIfNative(owner, mint)),
  ];
}

function setupSteps(obligation: Obligation, metadata: boolean, opening: boolean): Step[] {
  const { owner, key } = obligation;
  const steps: Step[] = [];
  if (metadata) {
    const init = initUserMetadata.encode(
      klend,
      {
        owner: owner.address,
        feePayer: owner.address,
        userMetadata: owner.metadata,
        referrerUserMetadata: owner.referrer?.metadata ?? null,
        rent: RENT_SYSVAR,
        systemProgram: SYSTEM_PROGRAM,
      },
      { userLookupTable: owner.lookupTable ?? NO_ADDRESS },
    );
    steps.push(within('InitUserMetadata', init, []));
  }
  if (opening) {
    const init = initObligation.encode(
      klend,
      {
        obligationOwner: owner.address,
        feePayer: owner.address,
        obligation: obligation.address,
        lendingMarket: obligation.market.address,
        seed1Account: key.seed1,
        seed2Account: key.seed2,
        ownerUserMetadata: owner.metadata,
        rent: RENT_SYSVAR,
        systemProgram: SYSTEM_PROGRAM,
      },
      { tag: key.tag, id: key.id },
    );
    steps.push(within('InitObligation', init, []));
  }
  return steps;
}

function refreshReserveOf(reserve: Reserve, priceFeed: Address) {
  return refreshReserve.encode(
    klend,
    {
      reserve: reserve.address,
      lendingMarket: reserve.market.address,
      pythOracle: null,
      switchboardPriceOracle: null,
      switchboardTwapOracle: null,
      scopePrices: priceFeed,
    },
    {},
  );
}

function refreshObligationOf({ obligation, deposits, borrows }: LendAct) {
  const { referrer } = obligation.owner;
  const referrals =
    referrer === null
      ? []
      : borrows.map((reserve) => ({
          address: referrerStateAddress(referrer, reserve).address,
          role: AccountRole.WRITABLE,
        }));
  return refreshObligation.encode(
    klend,
    { lendingMarket: obligation.market.address, obligation: obligation.address },
    {},
    [...reserveMetas([...deposits, ...borrows]), ...referrals],
  );
}

function referrerInit(owner: Wallet, reserve: Reserve) {
  const referrer = owner.referrer ?? owner;
  return initReferrerTokenState.encode(
    klend,
    {
      payer: owner.address,
      lendingMarket: reserve.market.address,
      reserve: reserve.address,
      referrer: referrer.address,
      referrerTokenState: referrerStateAddress(referrer, reserve).address,
      rent: RENT_SYSVAR,
      systemProgram: SYSTEM_PROGRAM,
    },
    {},
  );
}

/** The farm of the side that the action is about, and the obligation's place in it; null for none. */
function farmAccounts({ obligation, reserve, operation }: LendAct) {
  const collateral = operation === 'deposit' || operation === 'withdraw';
  const farm = collateral ? reserve.collateralFarm : reserve.debtFarm;
  const user = farm === null ? undefined : obligation.stakes.get(farm.address);
  return { obligationFarmUserState: user?.address ?? null, reserveFarmState: farm?.address ?? null };
}

function farmInit(act: LendAct) {
  const { obligation, reserve, operation } = act;
  const { obligationFarmUserState, reserveFarmState } = farmAccounts(act);
  return initObligationFarmsForReserve.encode(
    klend,
    {
      payer: obligation.owner.address,
      owner: obligation.owner.address,
      obligation: obligation.address,
      lendingMarketAuthority: obligation.market.authority,
      reserve: reserve.address,
      reserveFarmState: reserveFarmState ?? klend,
      obligationFarm: obligationFarmUserState ?? klend,
      lendingMarket: obligation.market.address,
      farmsProgram: farms,
      rent: RENT_SYSVAR,
      systemProgram: SYSTEM_PROGRAM,
    },
    { mode: operation === 'deposit' || operation === 'withdraw' ? 0 : 1 },
  );
}

function actionStep(act: LendAct): Step {
  const { obligation, reserve, argument } = act;
  const { owner, market } = obligation;
  const { mint } = reserve.token;
  const wallet = accountOf(owner, mint);
  const vault = reserve.liquidityVault.address;
  const common = { owner: owner.address, obligation: obligation.address, lendingMarket: market.address };
  const farm = { ...farmAccounts(act), farmsProgram: farms };
  const grouped = act.group === 0 ? [] : reserveMetas(act.deposits);
  switch (act.operation) {
    case 'deposit':
      return within(
        'DepositReserveLiquidityAndObligationCollateralV2',
        depositV2.encode(
          klend,
          {
            ...common,
            ...farm,
            lendingMarketAuthority: market.authority,
            reserve: reserve.address,
            reserveLiquidityMint: mint.address,
            reserveLiquiditySupply: vault,
            reserveCollateralMint: reserve.collateralMint.address,
            reserveDestinationDepositCollateral: reserve.collateralVault.address,
            userSourceLiquidity: wallet,
            placeholderUserDestinationCollateral: null,
            collateralTokenProgram: TOKEN_PROGRAM,
            liquidityTokenProgram: mint.program,
            instructionSysvarAccount: INSTRUCTIONS_SYSVAR,
          },
          { liquidityAmount: argument },
        ),
        [
          moveTokens(mint, wallet, vault, owner.address, act.liquidity),
          mintTokens(reserve.collateralMint, reserve.collateralVault.address, market.authority, act.ctokens),
        ],
      );
    case 'withdraw':
      return within(
        'WithdrawObligationCollateralAndRedeemReserveCollateralV2',
        withdrawV2.encode(
          klend,
          {
            ...common,
            ...farm,
            lendingMarketAuthority: market.authority,
            withdrawReserve: reserve.address,
            reserveLiquidityMint: mint.address,
            reserveSourceCollateral: reserve.collateralVault.address,
            reserveCollateralMint: reserve.collateralMint.address,
            reserveLiquiditySupply: vault,
            userDestinationLiquidity: wallet,
            placeholderUserDestinationCollateral: null,
            collateralTokenProgram: TOKEN_PROGRAM,
            liquidityTokenProgram: mint.program,
            instructionSysvarAccount: INSTRUCTIONS_SYSVAR,
          },
          { collateralAmount: argument },
        ),
        [
          burnTokens(reserve.collateralMint, reserve.collateralVault.address, market.authority, act.ctokens),
          moveTokens(mint, vault, wallet, market.authority, act.liquidity),
        ],
      );
    case 'borrow':
      return within(
        'BorrowObligationLiquidityV2',
        borrowV2.encode(
          klend,
          {
            ...common,
            ...farm,
            lendingMarketAuthority: market.authority,
            borrowReserve: reserve.address,
            borrowReserveLiquidityMint: mint.address,
            reserveSourceLiquidity: vault,
            borrowReserveLiquidityFeeReceiver: reserve.feeVault.address,
            userDestinationLiquidity: wallet,
            referrerTokenState:
              owner.referrer === null ? null : referrerStateAddress(owner.referrer, reserve).address,
            tokenProgram: mint.program,
            instructionSysvarAccount: INSTRUCTIONS_SYSVAR,
          },
          { liquidityAmount: argument },
          grouped,
        ),
        [
          ...(act.fee === 0n
            ? []
            : [moveTokens(mint, vault, reserve.feeVault.address, market.authority, act.fee)]),
          moveTokens(mint, vault, wallet, market.authority, act.liquidity),
        ],
      );
    case 'repay':
      return within(
        'RepayObligationLiquidityV2',
        repayV2.encode(
          klend,
          {
            ...common,
            ...farm,
            repayReserve: reserve.address,
            reserveLiquidityMint: mint.address,
            reserveDestinationLiquidity: vault,
            userSourceLiquidity: wallet,
            tokenProgram: mint.program,
            instructionSysvarAccount: INSTRUCTIONS_SYSVAR,
            lendingMarketAuthority: market.authority,
          },
          { liquidityAmount: argument },
          grouped,
        ),
        [moveTokens(mint, wallet, vault, owner.address, act.liquidity)],
      );
  }
}

function reserveMetas(reserves: readonly Reserve[]): AccountMeta[] {
  return reserves.map(({ address }) => ({ address, role: AccountRole.WRITABLE }));
}
