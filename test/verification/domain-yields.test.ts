import { parseDecimal } from '@sluice/protocol/numeric/decimal';
import { describe, it } from 'vitest';
import { lendingApy, rewardApy } from '../../src/domain/rates.ts';
import { readVectors } from '../support/vectors/account-vectors.ts';
import { expectClose } from '../support/vectors/maths-vectors.ts';

interface YieldCase {
  readonly apr: string;
  readonly periods: number;
  readonly apy: string;
}

const { cases } = readVectors<{ cases: readonly YieldCase[] }>('maths-yields');

describe('yields against exp and log at 120 digits', () => {
  it.each(cases.map(({ apr, periods, apy }) => [apr, periods, apy] as const))(
    'a rate of %s compounded %i times',
    (apr, periods, apy) => {
      const compound = periods === 365 ? rewardApy : lendingApy;
      expectClose(compound(parseDecimal(apr)), apy, 20);
    },
  );
});
