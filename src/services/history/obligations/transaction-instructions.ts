import { borrowV2, depositV2, repayV2, withdrawV2 } from '@sluice/protocol/klend/action-instructions';
import { liquidateV2 } from '@sluice/protocol/klend/liquidation-instructions';
import { depositAndWithdraw, repayAndWithdraw } from '@sluice/protocol/klend/position-instructions';
import type { LendingEventKind } from '@sluice/protocol/transactions/events';
import type { LendingTransaction } from './transactions.ts';

const USUAL: Readonly<Record<LendingEventKind, string>> = {
  deposit: depositV2.name,
  withdraw: withdrawV2.name,
  borrow: borrowV2.name,
  repay: repayV2.name,
  liquidation: liquidateV2.name,
};

/**
 * Name of the instruction that caused the transaction. One that a version before 0.5 stored, and that has not been read
 * again since, has the usual instruction of its kind.
 */
export const instructionOf = ({ instruction, kind }: LendingTransaction): string =>
  instruction ?? USUAL[kind];

const COMBINED: readonly (string | null)[] = [repayAndWithdraw.name, depositAndWithdraw.name];

/** Whether it is the withdrawal of an instruction that repays or deposits first. */
export const isSecondPart = ({ instruction, kind }: LendingTransaction): boolean =>
  kind === 'withdraw' && COMBINED.includes(instruction);
