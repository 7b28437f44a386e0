import { parseDecimal } from '@sluice/protocol/numeric/decimal';
import { describe, expect, it } from 'vitest';
import { NO_TERMS } from '../../src/domain/interest.ts';
import { rewardApy } from '../../src/domain/rates.ts';
import { refreshReserve } from '../../src/domain/refreshed-reserve.ts';
import { borrowedUsd, suppliedUsd } from '../../src/domain/reserve.ts';
import { farmRewards, rewardApr, rewardPerSecond } from '../../src/domain/rewards.ts';
import { readVectors } from '../support/vectors/account-vectors.ts';
import {
  type CaseMoment,
  decodeFarm,
  decodeReserve,
  expectClose,
  momentOf,
} from '../support/vectors/maths-vectors.ts';

interface Yield {
  readonly apr: string;
  readonly apy: string;
}

interface FarmCase extends CaseMoment {
  readonly name: string;
  readonly data: string;
  readonly reserve: string;
  readonly priceUsd: string;
  readonly rewardPriceUsd: string;
  readonly expected: { readonly perSecond: string; readonly supply: Yield; readonly debt: Yield };
}

const { cases } = readVectors<{ cases: readonly FarmCase[] }>('maths-farms');

describe.each(cases.map((each) => [each.name, each] as const))('farm reward, %s', (_, given) => {
  const farm = decodeFarm(given.data);
  const moment = momentOf(given);
  const accrued = refreshReserve(decodeReserve(given.reserve), moment, NO_TERMS);
  const price = parseDecimal(given.priceUsd);

  it('matches the SDK per second and per year', () => {
    const [reward, ...rest] = farmRewards(farm);
    if (reward === undefined) throw new Error('no reward');
    expect(rest).toEqual([]);
    const perSecond = rewardPerSecond(farm, reward.info, moment);
    expectClose(perSecond, given.expected.perSecond, 25);
    const sides = [
      [suppliedUsd(accrued, price), given.expected.supply],
      [borrowedUsd(accrued, price), given.expected.debt],
    ] as const;
    for (const [value, expected] of sides) {
      const apr = rewardApr(perSecond, parseDecimal(given.rewardPriceUsd), value);
      expectClose(apr, expected.apr, 20);
      expectClose(apr && rewardApy(apr), expected.apy);
    }
  });
});
