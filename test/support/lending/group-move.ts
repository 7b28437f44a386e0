import { requestElevationGroup } from '@sluice/protocol/klend/setup-instructions';
import { AccountRole } from '@solana/kit';
import { type BuiltInstruction, instruction } from '../../../src/builders/built-instruction.ts';
import type { LendingAccounts } from '../../../src/builders/lending/accounts.ts';
import { lendingRefresh } from '../../../src/builders/lending/refresh.ts';
import { activeBorrows, activeDeposits } from '../../../src/domain/obligation.ts';

/** Moves an obligation to an elevation group, after the refreshes; 0 leaves its group. */
export function groupMove(accounts: LendingAccounts, group: number): BuiltInstruction[] {
  const { request, obligation, obligationAddress } = accounts;
  if (obligation === null) throw new RangeError('The obligation does not exist');
  const deposits = activeDeposits(obligation).map(({ depositReserve }) => depositReserve);
  const debts = activeBorrows(obligation).map(({ borrowReserve }) => borrowReserve);
  const remaining = [...deposits, ...debts].map((address) => ({
    address,
    role: AccountRole.WRITABLE,
    label: 'reserve',
  }));
  const move = instruction(
    requestElevationGroup,
    request.programs.klend,
    { owner: request.wallet, obligation: obligationAddress, lendingMarket: request.market },
    { elevationGroup: group },
    { summary: 'Move the obligation to another group', remaining },
  );
  return [...lendingRefresh(accounts), move];
}
