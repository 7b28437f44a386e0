import { decodeTransactionError, encodeTransactionError } from '@sluice/geyser';
import { expect, it } from 'vitest';
import { FAILURE_TEXTS } from '../../src/runtime/failure-texts.ts';

it('every failure of an instruction has a place on the wire', () => {
  for (const name of [...Object.keys(FAILURE_TEXTS), 'BorshIoError', 'ProgramFailedToComplete']) {
    const error = { InstructionError: [3, name] };
    expect(decodeTransactionError(encodeTransactionError(error))).toEqual(error);
  }
});
