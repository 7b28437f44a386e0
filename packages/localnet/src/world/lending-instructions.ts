import {
  initObligation,
  initObligationFarmsForReserve,
  initReferrerTokenState,
  initUserMetadata,
  refreshObligation,
  refreshReserve,
  requestElevationGroup,
} from '@sluice/protocol/klend/setup-instructions';
import {
  COMPUTE_BUDGET_PROGRAM,
  MAINNET_PROGRAMS,
  NO_ADDRESS,
  RENT_SYSVAR,
  SYSTEM_PROGRAM,
} from '@sluice/protocol/program-ids';
import { setComputeUnitLimit } from '@sluice/protocol/system/instructions';
import { AccountRole, type Address } from '@solana/kit';
import { actionStep, farmAccounts, reserveMetas } from './lending-action-steps.ts';
import type { Obligation, Reserve, Wallet } from './model.ts';
import { referrerStateAddress } from './referrers.ts';
import { openAccount, unwrapIfNative, wrapIfNative } from './token-instructions.ts';
import { plain, type Step, withInner } from './transaction-steps.ts';
import type { InitAction, LendAction } from './world-actions.ts';

const { klend, farms } = MAINNET_PROGRAMS;

export function initSteps({ obligation, metadata }: InitAction): Step[] {
  return setupSteps(obligation, metadata, true);
}

export function lendSteps(action: LendAction, priceFeed: Address): Step[] {
  const { obligation, reserve, setup } = action;
  const { owner, market } = obligation;
  const { mint } = reserve.token;
  const taking = action.operation === 'deposit' || action.operation === 'repay';
  const refreshed = refreshSteps(action, [reserve], priceFeed);
  const entering = requestElevationGroup.encode(
    klend,
    { owner: owner.address, obligation: obligation.address, lendingMarket: market.address },
    { elevationGroup: setup.group },
    reserveMetas([...action.deposits, ...action.borrows]),
  );
  return [
    ...plain(setComputeUnitLimit.encode(COMPUTE_BUDGET_PROGRAM, {}, { units: 1_000_000 })),
    ...(setup.referrer ? [withInner('InitReferrerTokenState', referrerInit(owner, reserve), [])] : []),
    ...plain(...(taking ? wrapIfNative(owner, mint, action.liquidity) : [openAccount(owner, owner, mint)])),
    ...setupSteps(obligation, setup.metadata, setup.obligation),
    ...(setup.farm ? [withInner('InitObligationFarmsForReserve', farmInit(action), [])] : []),
    ...refreshed,
    ...(setup.group > 0 ? [withInner('RequestElevationGroup', entering, []), ...refreshed] : []),
    actionStep(action),
    ...plain(...unwrapIfNative(owner, mint)),
  ];
}

/** An obligation and the reserves that must be refreshed with it. */
type Refreshed = Pick<LendAction, 'obligation' | 'deposits' | 'borrows'>;

/** Refreshes every reserve of the obligation, those the action uses last, then the obligation. */
export function refreshSteps(subject: Refreshed, actedOn: readonly Reserve[], priceFeed: Address): Step[] {
  const known = new Set([...subject.deposits, ...subject.borrows]);
  for (const reserve of actedOn) known.delete(reserve);
  return [
    ...[...known, ...actedOn].map((each) =>
      withInner('RefreshReserve', refreshReserveOf(each, priceFeed), []),
    ),
    withInner('RefreshObligation', refreshObligationOf(subject), []),
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
    steps.push(withInner('InitUserMetadata', init, []));
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
    steps.push(withInner('InitObligation', init, []));
  }
  return steps;
}

export function refreshReserveOf(reserve: Reserve, priceFeed: Address) {
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

export function refreshObligationOf({ obligation, deposits, borrows }: Refreshed) {
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

function farmInit(action: LendAction) {
  const { obligation, reserve, operation } = action;
  const { obligationFarmUserState, reserveFarmState } = farmAccounts(action);
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
