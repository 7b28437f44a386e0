import type { EncodedInstruction } from '@sluice/protocol/layout/instruction';
import {
  COMPUTE_BUDGET_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '@sluice/protocol/program-ids';
import type { Step } from './transaction-steps.ts';

const TOKEN_LOGS: Readonly<Record<number, string>> = {
  7: 'MintTo',
  8: 'Burn',
  9: 'CloseAccount',
  12: 'TransferChecked',
  17: 'SyncNative',
};

/** The log messages of the programs. */
export function logsOf(steps: readonly Step[]): string[] {
  const logs: string[] = [];
  let left = 1_000_000;
  for (const { instruction, inner, name } of steps) {
    const used = 17_500 + 9_200 * inner.length;
    logs.push(`Program ${instruction.programAddress} invoke [1]`);
    const logged = name ?? tokenLog(instruction);
    if (logged !== undefined) logs.push(`Program log: Instruction: ${logged}`);
    for (const nested of inner) {
      logs.push(`Program ${nested.programAddress} invoke [2]`);
      logs.push(`Program log: Instruction: ${tokenLog(nested) ?? 'Transfer'}`);
      logs.push(`Program ${nested.programAddress} consumed 6200 of ${left - 4_000} compute units`);
      logs.push(`Program ${nested.programAddress} success`);
    }
    if (![COMPUTE_BUDGET_PROGRAM, SYSTEM_PROGRAM].includes(instruction.programAddress)) {
      logs.push(`Program ${instruction.programAddress} consumed ${used} of ${left} compute units`);
    }
    logs.push(`Program ${instruction.programAddress} success`);
    left -= used;
  }
  return logs;
}

function tokenLog({ programAddress, data }: EncodedInstruction): string | undefined {
  if (programAddress !== TOKEN_PROGRAM && programAddress !== TOKEN_2022_PROGRAM) return undefined;
  return TOKEN_LOGS[data[0] ?? -1];
}
