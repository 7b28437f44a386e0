import { lendingProgram } from '@sluice/localnet/runtime/klend/program';
import { lendingMarket } from '@sluice/protocol/klend/lending-market';
import { reserve } from '@sluice/protocol/klend/reserve';
import { refreshReserve } from '@sluice/protocol/klend/setup-instructions';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { oraclePrices } from '@sluice/protocol/scope/oracle-prices';
import { describe, expect, it } from 'vitest';
import { ReserveState } from '../../packages/localnet/test/support/lending/program-state.ts';
import { ProgramBench } from '../../packages/localnet/test/support/runtime/program-bench.ts';
import { ABSENT, haveRealAccounts, realAccounts } from '../support/vectors/shared-fixtures.ts';

const { klend } = MAINNET_PROGRAMS;
const ALL_CHECKS = 0b111111;

describe.skipIf(!haveRealAccounts)(`refreshReserve on real reserves${ABSENT}`, () => {
  const accounts: ReturnType<typeof realAccounts> = haveRealAccounts ? realAccounts() : new Map();
  const isReserve = ({ data }: { data: Uint8Array }) =>
    reserve.discriminator.every((byte, i) => data[i] === byte);
  const reserves = [...accounts.values()].filter(isReserve);

  it.each(reserves.map((each) => [each.address]))('%s', (address) => {
    const read = () => {
      const account = bench.get(address);
      if (account === undefined) throw new Error('no reserve');
      return reserve.decode(account, klend);
    };
    const bench = new ProgramBench(
      [lendingProgram],
      { slot: 0n, unixTimestamp: 0n },
      {
        get(at) {
          const found = accounts.get(at);
          return found === undefined ? undefined : { ...found, executable: false };
        },
      },
    );
    const before = read();
    const { lastUpdate, lendingMarket: market, config } = before;
    const { priceFeed, priceChain } = config.tokenInfo.scopeConfiguration;
    const [oracle, marketAccount] = [accounts.get(priceFeed), accounts.get(market)];
    if (oracle === undefined || marketAccount === undefined) throw new Error('no oracle or market');
    const entries = priceChain.flatMap(
      (feed) => oraclePrices.decode(oracle, oracle.owner).prices[feed] ?? [],
    );
    const oldest = entries.map(({ unixTimestamp }) => unixTimestamp).reduce((a, b) => (b < a ? b : a));
    bench.clock = { slot: lastUpdate.slot + 1_234n, unixTimestamp: oldest + 20n };
    const other = new ReserveState(address, before);
    const { slot, unixTimestamp: timestamp } = bench.clock;
    other.accrue({ slot, timestamp }, lendingMarket.decode(marketAccount, klend));

    const instruction = refreshReserve.encode(
      klend,
      {
        reserve: address,
        lendingMarket: market,
        pythOracle: null,
        switchboardPriceOracle: null,
        switchboardTwapOracle: null,
        scopePrices: priceFeed,
      },
      {},
    );
    expect(bench.run([instruction]).failure).toBe(null);
    const { liquidity, lastUpdate: refreshed } = read();
    expect(liquidity.borrowedAmountSf).toBe(other.borrowed);
    expect(liquidity.accumulatedProtocolFeesSf).toBe(other.protocolFees);
    expect(liquidity.pendingReferrerFeesSf).toBe(other.pendingFees);
    expect(liquidity.absoluteReferralRateSf).toBe(before.liquidity.absoluteReferralRateSf);
    expect(refreshed).toMatchObject({ slot: bench.clock.slot, stale: 0, priceStatus: ALL_CHECKS });
    expect(liquidity.marketPriceLastUpdatedTs).toBe(oldest);
    // Reserve and oracle were read within minutes of each other.
    const [stored, now] = [Number(before.liquidity.marketPriceSf), Number(liquidity.marketPriceSf)];
    expect(Math.abs(now / stored - 1)).toBeLessThan(0.02);
  });
});
