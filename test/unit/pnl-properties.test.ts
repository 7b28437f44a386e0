import { Rational, ZERO } from '@sluice/protocol/numeric/rational';
import type { VaultEvent } from '@sluice/protocol/transactions/events';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pnlHistory, type VaultMarket } from '../../src/domain/pnl/vault-pnl.ts';
import { drained } from '../support/domain/drained.ts';
import { DAY, vaultEvent } from '../support/domain/pnl-histories.ts';

/** Prices that differ at every moment and are not round. */
const price = (seed: number) => (time: number) =>
  Rational.of(BigInt(1 + ((time * seed) % 9_973)), BigInt(3 + (time % 101)));

const market: VaultMarket = {
  tokensPerShare: price(7),
  tokenUsd: price(31),
  solUsd: price(113),
  tokenIsSol: false,
  decimals: 6,
};

interface Drawn {
  readonly buys: boolean;
  readonly byTransfer: boolean;
  readonly shares: bigint;
  readonly tokens: bigint;
  /** Fraction sold, in thousandths; 1000 is a full exit. */
  readonly part: number;
  readonly pause: number;
}

const drawn: fc.Arbitrary<Drawn> = fc.record({
  buys: fc.boolean(),
  byTransfer: fc.boolean(),
  shares: fc.bigInt({ min: 1n, max: 10n ** 13n }),
  tokens: fc.bigInt({ min: 1n, max: 10n ** 13n }),
  part: fc.oneof(fc.constant(1000), fc.integer({ min: 1, max: 999 })),
  pause: fc.integer({ min: 1, max: 3 * DAY }),
});

/** Events that never sell more than the balance. */
function historyOf(list: readonly Drawn[]): VaultEvent[] {
  let [held, time] = [0n, 1_700_000_000];
  return list.flatMap(({ buys, byTransfer, shares, tokens, part, pause }) => {
    time += pause;
    const sold = (held * BigInt(part)) / 1000n;
    if (!buys && sold === 0n) return [];
    const amount = buys ? shares : sold;
    held += buys ? amount : -amount;
    const kind = buys ? (byTransfer ? 'transferIn' : 'deposit') : byTransfer ? 'transferOut' : 'withdraw';
    return { ...vaultEvent(kind, time, '0', null), shares: amount, tokens: byTransfer ? null : tokens };
  });
}

const DENOMINATIONS = ['usd', 'sol', 'token'] as const;

describe('any history of a position', () => {
  it('has realised plus unrealised gains equal to value plus proceeds minus cost, exactly', () => {
    fc.assert(
      fc.property(fc.array(drawn, { minLength: 1, maxLength: 25 }), (list) => {
        const events = historyOf(list);
        const until = (events.at(-1)?.time ?? 0) + DAY;
        const { rows } = drained(pnlHistory)(events, market, until);
        for (const denomination of DENOMINATIONS) {
          let [put, taken] = [ZERO, ZERO];
          const seen = [...events];
          for (const row of rows) {
            if (row.type !== 'mark-to-market') {
              const event = seen.shift();
              if (event === undefined) throw new Error('a row without its event');
              const value = eventValue(event, denomination);
              if (row.type === 'buy') put = put.add(value);
              else taken = taken.add(value);
            }
            const value = row.positionValue[denomination] ?? ZERO;
            const unrealised = value.sub(row.costBasis[denomination] ?? ZERO);
            const gained = unrealised.add(row.realizedPnl[denomination] ?? ZERO);
            const expected = value.add(taken).sub(put);
            expect(gained.equals(expected)).toBe(true);
            expect(row.pnl[denomination]?.equals(expected)).toBe(true);
            expect(row.investment[denomination]?.equals(put.sub(taken))).toBe(true);
            expect(row.position.mul(row.sharePrice[denomination] ?? ZERO).equals(value)).toBe(true);
            if (row.position.isZero) expect(row.costBasis[denomination]?.isZero).toBe(true);
          }
        }
      }),
      { numRuns: 60 },
    );
  });
});

/** The value of an event, recomputed independently. */
function eventValue(
  { tokens, shares, time }: VaultEvent,
  denomination: (typeof DENOMINATIONS)[number],
): Rational {
  const base = tokens === null ? market.tokensPerShare(time).mul(Rational.of(shares)) : Rational.of(tokens);
  const whole = base.div(Rational.of(1_000_000n));
  if (denomination === 'token') return whole;
  const usd = whole.mul(market.tokenUsd(time) ?? ZERO);
  return denomination === 'usd' ? usd : usd.div(market.solUsd(time) ?? ZERO);
}
