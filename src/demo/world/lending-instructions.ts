import { AccountRole, type Address } from '@solana/kit';
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
  MAINNET_PROGRAMS,
  NO_ADDRESS,
  RENT_SYSVAR,
  SYSTEM_PROGRAM,
} from '../../programs/program-ids.ts';
import { setComputeUnitLimit } from '../../programs/system/instructions.ts';
import type { InitAct, LendAct } from './acts.ts';
import { actionStep, farmAccounts, reserveMetas } from './lending-action-steps.ts';
import type { Obligation, Reserve, Wallet } from './model.ts';
import { referrerStateAddress } from './referrers.ts';
import { plain, type Step, within } from './steps.ts';
import { openAccount, unwrapIfNative, wrapIfNative } from './token-instructions.ts';

const { klend, farms } = MAINNET_PROGRAMS;

export function initSteps({ obligation, metadata }: InitAct): Step[] {
  return setupSteps(obligation, metadata, true);
}

export function lendSteps(act: LendAct, priceFeed: Address): Step[] {
  const { obligation, reserve, setup } = act;
  const { owner, market } = obligation;
  const { mint } = reserve.token;
  const taking = act.operation === 'deposit' || act.operation === 'repay';
  const refreshed = refreshSteps(act, [reserve], priceFeed);
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

/** What an obligation and its reserves look like before an action: what has to be refreshed. */
type Refreshed = Pick<LendAct, 'obligation' | 'deposits' | 'borrows'>;

/** Refreshes every reserve of the obligation, those that are acted on last, then the obligation. */
export function refreshSteps(subject: Refreshed, actedOn: readonly Reserve[], priceFeed: Address): Step[] {
  const known = new Set([...subject.deposits, ...subject.borrows]);
  for (const reserve of actedOn) known.delete(reserve);
  return [
    ...[...known, ...actedOn].map((each) => within('RefreshReserve', refreshReserveOf(each, priceFeed), [])),
    within('RefreshObligation', refreshObligationOf(subject), []),
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

function refreshObligationOf({ obligation, deposits, borrows }: Refreshed) {
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
