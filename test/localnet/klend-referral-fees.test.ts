import { withdrawReferrerFees } from '@sluice/protocol/klend/referrer-instructions';
import { FRACTION_ONE } from '@sluice/protocol/numeric/fraction';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { AccountRole } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { addressNumber, REFERRER, reserveAddress, WALLET } from '../support/builders/lending-accounts.ts';
import { feeAccount, ReferralBench } from '../support/localnet/referral-bench.ts';

const OTHER = addressNumber(950);
const OWED = 5_000_000n;

function owing(sf = OWED * FRACTION_ONE + 7n): ReferralBench {
  const bench = new ReferralBench([{}, {}]);
  bench.owe(0, sf);
  bench.openTokens(0);
  return bench;
}

describe('withdrawReferrerFees', () => {
  it('has the bytes and accounts of the program', () => {
    const bench = owing();
    const { accounts, data, programAddress } = bench.claiming(0);
    expect(programAddress).toBe(MAINNET_PROGRAMS.klend);
    expect(Buffer.from(data).toString('hex')).toBe('ab7679c9e98c17e4');
    const { WRITABLE: w, READONLY: r, WRITABLE_SIGNER: ws } = AccountRole;
    expect(accounts.map(({ role }) => role)).toEqual([ws, w, w, r, w, w, r, r, r]);
    expect(withdrawReferrerFees.accountNames).toEqual([
      'referrer',
      'referrerTokenState',
      'reserve',
      'reserveLiquidityMint',
      'reserveSupplyLiquidity',
      'referrerTokenAccount',
      'lendingMarket',
      'lendingMarketAuthority',
      'tokenProgram',
    ]);
  });

  it('pays whole base units, keeps the fraction, and leaves the reserve stale and its supply as it was', () => {
    const bench = owing();
    const before = bench.reserve(0);
    const vault = bench.balance(before.liquidity.supplyVault);
    expect(bench.failureOf([bench.claiming(0)])).toBeNull();
    expect(bench.held(0)).toBe(OWED);
    expect(bench.owed(0)).toMatchObject({
      amountUnclaimedSf: 7n,
      amountCumulativeSf: OWED * FRACTION_ONE + 7n,
    });
    const { liquidity, lastUpdate } = bench.reserve(0);
    expect(liquidity.accumulatedReferrerFeesSf).toBe(7n);
    expect(liquidity.totalAvailableAmount).toBe(before.liquidity.totalAvailableAmount - OWED);
    expect(lastUpdate.stale).toBe(1);
    expect(bench.balance(before.liquidity.supplyVault)).toBe(vault - OWED);
    // A second claim must refresh first, and finds nothing.
    expect(bench.failureOf([bench.claiming(0)])).toBe(6009);
    expect(bench.failureOf([bench.refreshing(0), bench.claiming(0)])).toBe(6079);
  });

  it('pays no more than the reserve owes all referrers, and than is free', () => {
    const less = owing();
    less.owe(0, OWED * FRACTION_ONE, 3n * FRACTION_ONE + 1n);
    expect(less.failureOf([less.claiming(0)])).toBeNull();
    expect(less.held(0)).toBe(3n);
    const poor = owing();
    poor.changeReserve(0, { liquidity: { totalAvailableAmount: 11n } });
    expect(poor.failureOf([poor.claiming(0)])).toBeNull();
    expect(poor.held(0)).toBe(11n);
    const queued = owing();
    const { collateral } = queued.reserve(0);
    queued.changeReserve(0, { withdrawQueue: { queuedCollateralAmount: collateral.mintTotalSupply } });
    expect(queued.failureOf([queued.claiming(0)])).toBe(6079);
  });

  it('refuses less than a base unit (6079), a stale reserve and any failed check of its price (6009)', () => {
    expect(owing(FRACTION_ONE - 1n).failureOf([owing().claiming(0)])).toBe(6079);
    const stale = owing();
    stale.wait(1n);
    expect(stale.failureOf([stale.claiming(0)])).toBe(6009);
    for (const bit of [1, 2, 4, 8, 16, 32]) {
      const bench = owing();
      bench.changeReserve(0, { lastUpdate: { priceStatus: 63 - bit } });
      expect(bench.failureOf([bench.claiming(0)]), String(bit)).toBe(6009);
    }
  });

  it('refuses a market in emergency mode (6042), after the accounts', () => {
    const bench = owing();
    bench.changeMarket({ emergencyMode: 1 });
    expect(bench.failureOf([bench.claiming(0)])).toBe(6042);
    expect(bench.failureOf([bench.claiming(0, { lendingMarket: reserveAddress(0) })])).toBe(3002);
  });

  it('refuses other accounts', () => {
    const bench = owing();
    bench.openTokens(1);
    const { supplyVault, mintPubkey } = bench.reserve(1).liquidity;
    const failures = {
      referrer: [WALLET, 2006],
      referrerTokenState: [feeAccount(1), 2006],
      reserve: [reserveAddress(1), 2006],
      reserveLiquidityMint: [mintPubkey, 2012],
      reserveSupplyLiquidity: [supplyVault, 2012],
      referrerTokenAccount: [bench.tokensOf(1), 2014],
      lendingMarketAuthority: [OTHER, 2006],
      tokenProgram: [OTHER, 3008],
    } as const;
    for (const [name, [address, error]] of Object.entries(failures)) {
      expect(bench.failureOf([bench.claiming(0, { [name]: address })]), name).toBe(error);
    }
    expect(bench.held(0)).toBe(0n);
  });

  it('pays to any token account of the mint', () => {
    const bench = owing();
    bench.setBalance(OTHER, bench.reserve(0).liquidity.mintPubkey, WALLET, 0n);
    expect(bench.failureOf([bench.claiming(0, { referrerTokenAccount: OTHER })])).toBeNull();
    expect(bench.balance(OTHER)).toBe(OWED);
    expect(REFERRER).not.toBe(WALLET);
  });
});
