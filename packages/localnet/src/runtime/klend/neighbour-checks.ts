import {
  refreshObligation,
  refreshObligationFarmsForReserve,
  refreshReserve,
} from '@sluice/protocol/klend/setup-instructions';
import type { InstructionLayout } from '@sluice/protocol/layout/instruction';
import { MAINNET_PROGRAMS, NO_ADDRESS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { ANCHOR_ERRORS, aborted, ensure } from '../anchor.ts';
import type { Invocation } from '../program.ts';
import type { FarmKind } from './farm-kind.ts';
import { LENDING } from './lending-errors.ts';
import type { ReserveState } from './reserve-state.ts';

const { klend, kvault } = MAINNET_PROGRAMS;

/** Programs of the localnet that may call V1 actions, and how deep. */
const CALLERS: ReadonlyMap<Address, number> = new Map([[kvault, 1]]);

interface RequiredInstruction {
  readonly layout: Pick<InstructionLayout, 'discriminator'>;
  /** Addresses by position among the accounts. */
  readonly accounts: readonly (readonly [number, Address])[];
}

/**
 * The demands of a V1 action on its transaction: not called by another program, and directly preceded by the refreshes of
 * reserves, obligation and farms, in this order. The farms' refreshes must also follow.
 */
export function checkNeighbours(
  invocation: Invocation,
  obligation: Address,
  positions: readonly (readonly [ReserveState, FarmKind])[],
): void {
  checkNotCalled(invocation);
  const { index } = invocation.transaction;
  const reserves = new Set(positions.map(([reserve]) => reserve.address));
  const farms = positions.flatMap(([reserve, kind]) => farmRefresh(obligation, reserve, kind));
  const required: readonly RequiredInstruction[] = [
    ...[...reserves].map((reserve) => ({ layout: refreshReserve, accounts: [[0, reserve]] as const })),
    { layout: refreshObligation, accounts: [[1, obligation]] },
    ...farms,
  ];
  required.toReversed().forEach((each, i) => {
    checkInstruction(invocation, index - 1 - i, each);
  });
  farms.forEach((each, i) => {
    checkInstruction(invocation, index + 1 + i, each);
  });
}

/** None when the reserve has no farm of this kind. */
function farmRefresh(obligation: Address, reserve: ReserveState, kind: FarmKind): RequiredInstruction[] {
  const farm = reserve.farmOf(kind);
  if (farm === NO_ADDRESS) return [];
  const accounts = [
    [3, reserve.address],
    [1, obligation],
    [4, farm],
  ] as const;
  return [{ layout: refreshObligationFarmsForReserve, accounts }];
}

function checkNotCalled({ transaction, stackHeight }: Invocation): void {
  const outer = transaction.instructions[transaction.index]?.programAddress;
  const depth = outer === undefined || outer === klend ? 0 : CALLERS.get(outer);
  ensure(depth !== undefined && stackHeight <= 1 + depth, LENDING.cpiDisabled);
}

function checkInstruction(
  { transaction }: Invocation,
  index: number,
  { layout, accounts }: RequiredInstruction,
): void {
  const instruction = transaction.instructions[index];
  ensure(instruction !== undefined, LENDING.incorrectInstructionInPosition);
  const { programAddress, data } = instruction;
  const { discriminator } = layout;
  if (data.length < discriminator.length) throw aborted();
  ensure(programAddress === klend, ANCHOR_ERRORS.requireKeysEqViolated);
  const isRequired = discriminator.every((byte, i) => data[i] === byte);
  ensure(isRequired, LENDING.incorrectInstructionInPosition);
  for (const [position, address] of accounts) {
    const account = instruction.accounts[position];
    ensure(account !== undefined, LENDING.incorrectInstructionInPosition);
    ensure(account.address === address, ANCHOR_ERRORS.requireKeysEqViolated);
  }
}
