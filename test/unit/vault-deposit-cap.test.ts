import { U64_MAX } from '@sluice/protocol/numeric/fraction';
import { describe, expect, it } from 'vitest';
import { NO_TERMS } from '../../src/domain/interest.ts';
import { refreshReserve } from '../../src/domain/refreshed-reserve.ts';
import { allocationCap, depositCap } from '../../src/domain/vault-cap.ts';
import { depositTerms } from '../../src/domain/vault-deposit.ts';
import { NOW } from '../support/builders/lending-accounts.ts';
import { VaultBench } from '../support/localnet/vault-bench.ts';

/** Assets of 1000123456789.5 base units, scaled by 2^60. */
const AUM_SF = 1_153_063_840_594_351_246_787_374_743_552n;
const AMOUNT = 5_000_000_000n;

const terms = (cap: bigint, crankFee: bigint, minDepositAmount = 0n, minShares = 0n) =>
  depositTerms(
    { depositCap: cap, sharesIssued: 900_000_000_000n, minDepositAmount },
    AUM_SF,
    AMOUNT,
    crankFee,
    minShares,
  );

describe('a vault deposit under a cap', () => {
  it('is whole without one: 0 means no cap', () => {
    expect(terms(0n, 30n)).toEqual({
      crankFee: 30n,
      offered: 4_999_999_970n,
      room: 18_446_743_073_586_094_825n,
      isCut: false,
      shares: 4_499_444_486n,
      tokens: 4_999_999_970n,
      refusal: null,
    });
  });

  it('is cut to the room without an error', () => {
    expect(terms(1_002_000_000_000n, 30n)).toMatchObject({
      room: 1_876_543_210n,
      isCut: true,
      shares: 1_688_680_409n,
      tokens: 1_876_543_209n,
      refusal: null,
    });
  });

  it('is refused below the minimum, with the error of the cap only if that had cut it', () => {
    const cut = { room: 5n, isCut: true, shares: 4n, tokens: 5n };
    expect(terms(1_000_123_456_795n, 0n, 5n)).toMatchObject({ ...cut, refusal: null });
    expect(terms(1_000_123_456_795n, 0n, 6n)).toMatchObject({ ...cut, refusal: 'VaultDepositCapReached' });
    expect(terms(0n, 0n, AMOUNT + 1n).refusal).toBe('DepositAmountBelowMinimum');
  });

  it('is refused when the cap is reached, or leaves too little for a share', () => {
    expect(terms(1_000_123_456_790n, 30n)).toMatchObject({ room: 0n, refusal: 'VaultDepositCapReached' });
    // A share costs 1.1 base units.
    expect(terms(1_000_123_456_791n, 0n)).toMatchObject({ room: 1n, refusal: 'DepositAmountsZeroShares' });
  });

  it('is refused for fewer shares than the minimum', () => {
    expect(terms(1_002_000_000_000n, 30n, 0n, 1_688_680_409n).refusal).toBeNull();
    expect(terms(1_002_000_000_000n, 30n, 0n, 1_688_680_410n).refusal).toBe('SharesOutBelowMinimum');
  });
});

describe('caps of a vault', () => {
  it('have two spellings of none', () => {
    expect([0n, U64_MAX, 7n].map((cap) => depositCap({ depositCap: cap }))).toEqual([null, null, 7n]);
  });

  it('of an allocation are the smaller of tokens and collateral at its price', () => {
    const bench = new VaultBench('Pilot USDC');
    // A collateral token is worth 1.5 base units.
    bench.shrink({
      idle: 0n,
      sharesIssued: 1n,
      reserves: [{ available: 3_000n, minted: 2_000n, owned: 0n }],
    });
    const reserve = refreshReserve(bench.reserve(bench.reserveAddress(0)), NOW, NO_TERMS);
    const capOf = (tokenAllocationCap: bigint, ctokenAllocationCap: bigint, known = true) => {
      bench.changeVault({ vaultAllocationStrategy: [{ tokenAllocationCap, ctokenAllocationCap }] });
      const [allocation] = bench.state().vaultAllocationStrategy;
      if (allocation === undefined) throw new Error('no allocation');
      const { n, d } = allocationCap(allocation, known ? reserve : null).reduced();
      return [n, d];
    };
    expect(capOf(1_000n, 0n)).toEqual([1_000n, 1n]);
    expect(capOf(1_000n, U64_MAX)).toEqual([1_000n, 1n]);
    expect(capOf(1_000n, 333n)).toEqual([999n, 2n]);
    expect(capOf(400n, 333n)).toEqual([400n, 1n]);
    expect(capOf(1_000n, 333n, false)).toEqual([1_000n, 1n]);
  });
});
