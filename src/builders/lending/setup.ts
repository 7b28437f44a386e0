import {
  initObligation,
  initObligationFarmsForReserve,
  initReferrerTokenState,
} from '@sluice/protocol/klend/setup-instructions';
import { RENT_SYSVAR, SYSTEM_PROGRAM } from '@sluice/protocol/program-ids';
import { type BuiltInstruction, instruction } from '../built-instruction.ts';
import type { LendingAccounts } from './accounts.ts';
import { farmModeOf, type LendingRequest } from './request.ts';
import { registration } from './user-registration.ts';

const setup = true;
const system = { rent: RENT_SYSVAR, systemProgram: SYSTEM_PROGRAM } as const;

/** Creates required accounts that do not exist yet. None of these needs a preceding refresh. */
export function lendingSetup(accounts: LendingAccounts): BuiltInstruction[] {
  return [
    ...missingReferrerStates(accounts),
    ...missingUserMetadata(accounts),
    ...missingObligation(accounts),
    ...missingFarmUser(accounts),
  ];
}

/** Creates accounts of an obligation that exists: its referrer's states, and its stake in the farm of the reserve. */
export function obligationSetup(accounts: LendingAccounts): BuiltInstruction[] {
  return [...missingReferrerStates(accounts), ...missingFarmUser(accounts)];
}

/** Accounts of the wallet's referrer, without which the obligation cannot be refreshed. */
export function missingReferrerStates({
  request,
  payer,
  referrer,
  referrerStates,
}: Pick<LendingAccounts, 'payer' | 'referrer' | 'referrerStates'> & {
  readonly request: Pick<LendingRequest, 'programs' | 'market'>;
}): BuiltInstruction[] {
  if (referrer === null) return [];
  return referrerStates
    .filter(({ exists }) => !exists)
    .map(({ reserve, address }) =>
      instruction(
        initReferrerTokenState,
        request.programs.klend,
        {
          payer,
          lendingMarket: request.market,
          reserve,
          referrer,
          referrerTokenState: address,
          ...system,
        },
        {},
        { summary: "Create the account for the referrer's share of the fees", setup },
      ),
    );
}

/** Creates no lookup table for the wallet: the first deposit fits without one, and could not use a table created in it. */
function missingUserMetadata(accounts: LendingAccounts): BuiltInstruction[] {
  const { request, payer, userMetadata, obligation } = accounts;
  if (userMetadata !== null || obligation !== null) return [];
  return [registration(request.programs, request.wallet, payer, null)];
}

function missingObligation(accounts: LendingAccounts): BuiltInstruction[] {
  const { request, payer, obligation, obligationAddress, userMetadataAddress } = accounts;
  if (obligation !== null || !('key' in request.obligation)) return [];
  const { tag, id, seed1, seed2 } = request.obligation.key;
  return [
    instruction(
      initObligation,
      request.programs.klend,
      {
        obligationOwner: request.wallet,
        feePayer: payer,
        obligation: obligationAddress,
        lendingMarket: request.market,
        seed1Account: seed1,
        seed2Account: seed2,
        ownerUserMetadata: userMetadataAddress,
        ...system,
      },
      { tag, id },
      { summary: 'Create the obligation that holds deposits and debts', setup },
    ),
  ];
}

function missingFarmUser(accounts: LendingAccounts): BuiltInstruction[] {
  const { request, payer, farm, obligation, obligationAddress, marketAuthority } = accounts;
  if (farm === null || farm.exists) return [];
  const mode = farmModeOf(request.action);
  return [
    instruction(
      initObligationFarmsForReserve,
      request.programs.klend,
      {
        payer,
        owner: obligation?.owner ?? request.wallet,
        obligation: obligationAddress,
        lendingMarketAuthority: marketAuthority,
        reserve: request.reserve,
        reserveFarmState: farm.farm,
        obligationFarm: farm.user,
        lendingMarket: request.market,
        farmsProgram: request.programs.farms,
        ...system,
      },
      { mode },
      {
        summary: `Enrol the obligation in the reserve's ${mode === 0 ? 'deposit' : 'borrow'} rewards`,
        setup,
      },
    ),
  ];
}
