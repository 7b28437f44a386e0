import { parseDecimal, toDecimalString } from '@sluice/protocol/numeric/decimal';
import { fromScaledFraction } from '@sluice/protocol/numeric/fraction';
import { integer } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { actualApy, theoreticalApy } from '../../src/domain/apy.ts';
import { toTokens, total } from '../../src/domain/arithmetic.ts';
import { NO_TERMS } from '../../src/domain/interest.ts';
import { supplyApr } from '../../src/domain/rates.ts';
import { refreshReserve } from '../../src/domain/refreshed-reserve.ts';
import {
  interestPerSecond,
  tokensPerShare,
  type VaultHoldings,
  vaultHoldings,
  vaultUtilization,
  withdrawableNow,
} from '../../src/domain/vault.ts';
import { readVectors } from '../support/vectors/account-vectors.ts';
import {
  type CaseMoment,
  decodeReserve,
  decodeVault,
  expectClose,
  expectSdkYield,
  momentOf,
} from '../support/vectors/maths-vectors.ts';

interface VaultCase extends CaseMoment {
  readonly name: string;
  readonly data: string;
  readonly reserves: Readonly<Record<Address, string>>;
  readonly expected: Readonly<
    Record<
      | 'available'
      | 'invested'
      | 'gross'
      | 'pendingFees'
      | 'tokensPerShare'
      | 'theoreticalGross'
      | 'theoreticalNet'
      | 'actualGross'
      | 'actualNet'
      | 'utilization'
      | 'instantlyWithdrawable'
      | 'cumulativeInterest',
      string
    >
  > & { readonly investedInReserves: Readonly<Record<Address, string>> };
}

const { cases } = readVectors<{ cases: readonly VaultCase[] }>('maths-vaults');

describe.each(cases.map((each) => [each.name, each] as const))('vault, %s', (_, given) => {
  const { expected } = given;
  const vault = decodeVault(given.data);
  const moment = momentOf(given);
  const reserves = (address: Address) => {
    const data = given.reserves[address];
    return data === undefined ? undefined : refreshReserve(decodeReserve(data), moment, NO_TERMS);
  };
  const held = (): VaultHoldings => {
    const holdings = vaultHoldings(vault, reserves);
    if (holdings === null) throw new Error('a reserve is missing');
    return holdings;
  };
  const tokens = (amount: VaultHoldings['idle']) => toTokens(amount, vault.tokenMintDecimals);

  it('matches the SDK in the holdings of every allocation', () => {
    const holdings = held();
    expectClose(tokens(holdings.idle), expected.available, 30);
    expectClose(tokens(holdings.invested), expected.invested, 25);
    expectClose(tokens(holdings.gross), expected.gross, 25);
    expectClose(tokens(holdings.pendingFees), expected.pendingFees, 25);
    expect(holdings.allocations.map(({ allocation }) => allocation.reserve)).toEqual(
      Object.keys(expected.investedInReserves),
    );
    for (const { allocation, invested } of holdings.allocations) {
      const wanted = expected.investedInReserves[allocation.reserve];
      if (wanted === undefined || invested === null) throw new Error('no such allocation');
      expectClose(tokens(invested), wanted, 20);
    }
    expectClose(tokensPerShare(vault, holdings), expected.tokensPerShare, 20);
    expectClose(
      tokens(fromScaledFraction(vault.cumulativeEarnedInterestSf)),
      expected.cumulativeInterest,
      25,
    );
  });

  it('publishes parts that add up to the published sum', () => {
    const holdings = held();
    const parts = holdings.allocations.map(({ invested }) =>
      parseDecimal(toDecimalString(invested ?? integer(-1))),
    );
    expect(toDecimalString(total(parts))).toBe(toDecimalString(holdings.invested));
    expect(toDecimalString(total([...parts, holdings.idle]))).toBe(toDecimalString(holdings.gross));
  });

  it('matches the SDK in yields, utilization and withdrawable amount', () => {
    const holdings = held();
    const actual = actualApy(vault, holdings, moment);
    expectSdkYield(actual.gross, expected.actualGross);
    expectSdkYield(actual.net, expected.actualNet);
    const theoretical = theoreticalApy(vault, holdings.allocations, moment);
    expectSdkYield(theoretical?.gross ?? null, expected.theoreticalGross);
    expectSdkYield(theoretical?.net ?? null, expected.theoreticalNet);
    expectClose(vaultUtilization(holdings), expected.utilization);
    // The SDK includes pending fees in the withdrawable amount, but they cannot be withdrawn.
    expectClose(
      withdrawableNow(holdings),
      parseDecimal(expected.instantlyWithdrawable).min(holdings.aum),
      20,
    );
  });

  it('earns per second the interest of its allocations at their supply rates', () => {
    const holdings = held();
    const yearly = holdings.allocations.map(({ reserve, invested }) =>
      reserve === null || invested === null ? integer(0) : invested.mul(supplyApr(reserve, moment)),
    );
    expectClose(interestPerSecond(holdings, moment).mul(integer(31_536_000)), total(yearly), 40);
  });

  it('returns null when a reserve is missing', () => {
    const invests = held().allocations.some(({ allocation }) => allocation.ctokenAllocation > 0n);
    expect(vaultHoldings(vault, () => undefined) === null).toBe(invests);
  });
});
