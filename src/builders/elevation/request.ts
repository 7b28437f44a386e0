import { requestElevationGroup } from '@sluice/protocol/klend/setup-instructions';
import { AccountRole } from '@solana/kit';
import { NO_GROUP } from '../../domain/elevation.ts';
import { type BuiltAction, instruction } from '../built-instruction.ts';
import { obligationRefresh, positionAccounts } from '../lending/refresh.ts';
import { missingReferrerStates } from '../lending/setup.ts';
import type { ElevationAccounts } from './accounts.ts';

/**
 * Moves the obligation into an elevation group, or out of its group, after the refreshes that the program demands.
 *
 * @example
 * buildElevationRequest(elevationAccounts(request, read, at));
 */
export function buildElevationRequest(accounts: ElevationAccounts): BuiltAction {
  const { request, obligationAddress } = accounts;
  const { programs, wallet, market, group } = request;
  return {
    // Nothing is paid or received.
    amount: 0n,
    all: false,
    wrappedSol: null,
    instructions: [
      ...missingReferrerStates(accounts),
      ...obligationRefresh(accounts),
      instruction(
        requestElevationGroup,
        programs.klend,
        { owner: wallet, obligation: obligationAddress, lendingMarket: market },
        { elevationGroup: group },
        {
          summary:
            group === NO_GROUP
              ? 'Move the obligation out of its elevation group'
              : `Move the obligation to elevation group ${group}`,
          remaining: positionAccounts(accounts, AccountRole.READONLY),
        },
      ),
    ],
  };
}
