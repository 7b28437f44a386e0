import { parseDecimal, toDecimalString } from '@sluice/protocol/numeric/decimal';
import { FRACTION_ONE } from '@sluice/protocol/numeric/fraction';
import { integer, Rational } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { realisedApy, reserveRewardsApy } from '../../src/domain/apy.ts';
import { NO_TERMS } from '../../src/domain/interest.ts';
import { rewardApy } from '../../src/domain/rates.ts';
import { refreshReserve } from '../../src/domain/refreshed-reserve.ts';
import {
  actualShare,
  sharePrice,
  sharesToTokens,
  targetShare,
  tokensPerShare,
  type VaultHoldings,
  vaultHoldings,
  withdrawableNow,
} from '../../src/domain/vault.ts';
import {
  interestEarned,
  managementFees,
  pendingFees,
  performanceFees,
  unchargedFees,
  withdrawalPenalty,
} from '../../src/domain/vault-fees.ts';
import {
  makeVault,
  NOW,
  RESERVES,
  usualReserve,
  type VaultInput,
} from '../support/domain/domain-accounts.ts';

const [FIRST, SECOND] = RESERVES as [Address, Address];
const YEAR = 31_556_926n;

/** 100 idle and 900 invested in two reserves, minus 10 pending fees; 495 shares. */
function vault(fields: VaultInput = {}) {
  const account = makeVault({
    tokenMintDecimals: 6n,
    sharesMintDecimals: 6n,
    tokenAvailable: 100_000_000n,
    sharesIssued: 495_000_000n,
    pendingFeesSf: 10_000_000n * FRACTION_ONE,
    prevAumSf: 950_000_000n * FRACTION_ONE,
    lastFeeChargeTimestamp: NOW.timestamp - YEAR,
    managementFeeBps: 100n,
    performanceFeeBps: 2_000n,
    cumulativeEarnedInterestSf: 7_000_000n * FRACTION_ONE,
    cumulativeMgmtFeesSf: 1_000_000n * FRACTION_ONE,
    cumulativePerfFeesSf: 2_000_000n * FRACTION_ONE,
    vaultAllocationStrategy: [
      { reserve: FIRST, ctokenAllocation: 600_000_000n, targetAllocationWeight: 3n },
      { reserve: SECOND, ctokenAllocation: 300_000_000n, targetAllocationWeight: 1n },
    ],
    ...fields,
  });
  const accrued = refreshReserve(usualReserve(), NOW, NO_TERMS);
  const holdings = vaultHoldings(account, () => accrued);
  if (holdings === null) throw new Error('a reserve is missing');
  return { account, holdings };
}

const text = (value: Rational | null) => value && toDecimalString(value);

describe('a vault', () => {
  it('owns idle and invested tokens minus pending fees', () => {
    const { account, holdings } = vault();
    expect(text(holdings.invested)).toBe('900000000');
    expect(text(holdings.gross)).toBe('1000000000');
    expect(text(holdings.aum)).toBe('990000000');
    expect(text(tokensPerShare(account, holdings))).toBe('2');
    expect(text(sharePrice(tokensPerShare(account, holdings), parseDecimal('1.5')))).toBe('3');
    expect(text(sharesToTokens(account, holdings, integer(3)))).toBe('6');
  });

  it('has a share price of zero without shares, and never negative assets', () => {
    const { account, holdings } = vault({ sharesIssued: 0n, pendingFeesSf: 2_000_000_000n * FRACTION_ONE });
    expect(text(tokensPerShare(account, holdings))).toBe('0');
    expect(text(holdings.aum)).toBe('0');
    expect(text(withdrawableNow(holdings))).toBe('0');
  });

  it('has target and actual shares per allocation', () => {
    const { account, holdings } = vault({ unallocatedWeight: 4n });
    const shares = holdings.allocations.map((holding) => [
      text(targetShare(account, holding.allocation)),
      text(actualShare(holdings, holding)),
    ]);
    expect(shares).toEqual([
      ['0.375', '0.6'],
      ['0.125', '0.3'],
    ]);
  });

  it('can pay out at most the available liquidity of its reserves', () => {
    const account = vault().account;
    const drained = refreshReserve(usualReserve(999_999_999_990n), NOW, NO_TERMS);
    const holdings = vaultHoldings(account, (address) =>
      address === FIRST ? drained : refreshReserve(usualReserve(), NOW, NO_TERMS),
    );
    expect(holdings && text(withdrawableNow(holdings))).toBe('400000010');
  });
});

describe('vault fees', () => {
  it('equal the program’s charge at this moment', () => {
    const { account, holdings } = vault();
    const uncharged = unchargedFees(account, holdings, NOW.timestamp);
    // One per cent of 950 for a year, a fifth of the 40 earned since.
    expect(text(uncharged.management)).toBe('9500000');
    expect(text(uncharged.performance)).toBe('8000000');
    expect(text(pendingFees(holdings, uncharged))).toBe('27500000');
    expect(text(interestEarned(account, uncharged))).toBe('47000000');
    expect(text(managementFees(account, uncharged))).toBe('10500000');
    expect(text(performanceFees(account, uncharged))).toBe('10000000');
  });

  it('ignore losses, are capped at the assets, and start with the first charge', () => {
    const lost = vault({ prevAumSf: 2_000_000_000n * FRACTION_ONE, managementFeeBps: 0n });
    expect(text(unchargedFees(lost.account, lost.holdings, NOW.timestamp).total)).toBe('0');
    const greedy = vault({ managementFeeBps: 100_000n });
    const { total } = unchargedFees(greedy.account, greedy.holdings, NOW.timestamp);
    expect(text(total)).toBe(text(greedy.holdings.aum));
    const fresh = vault({ lastFeeChargeTimestamp: 0n });
    expect(text(unchargedFees(fresh.account, fresh.holdings, NOW.timestamp).earned)).toBe('0');
  });

  it('withhold the greater of fraction and fixed amount on withdrawal', () => {
    const { account } = vault({ withdrawalPenaltyBps: 10n, withdrawalPenaltyLamports: 5n });
    expect(withdrawalPenalty(account, null, 1_001n)).toBe(5n);
    expect(withdrawalPenalty(account, null, 10_001n)).toBe(11n);
  });
});

describe('yields', () => {
  it('of a vault’s reserves are weighted by the amount invested', () => {
    const { holdings } = vault();
    const apyOf = (address: Address) => (address === FIRST ? parseDecimal('0.1') : parseDecimal('0.02'));
    expect(text(reserveRewardsApy(holdings, apyOf))).toBe('0.066');
    const empty: VaultHoldings = { ...holdings, gross: integer(0), allocations: [] };
    expect(text(reserveRewardsApy(empty, apyOf))).toBe('0');
  });

  it('that were realised are annualised over the elapsed time', () => {
    const one = integer(1);
    expect(text(realisedApy(one, parseDecimal('1.1'), 31_536_000n))).toBe('0.1');
    expect(realisedApy(one, parseDecimal('1.1'), 15_768_000n)?.toNumber()).toBeCloseTo(0.21, 14);
    expect(realisedApy(one, parseDecimal('0.9'), 15_768_000n)?.toNumber()).toBeCloseTo(-0.19, 14);
    expect(realisedApy(one, one, 0n)).toBeNull();
    expect(realisedApy(integer(0), one, 60n)).toBeNull();
  });

  it('of rewards compound', () => {
    expect(rewardApy(Rational.of(1n)).toNumber()).toBeCloseTo(1.714567, 6);
  });
});
