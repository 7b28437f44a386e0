import { parseDecimal } from '@sluice/protocol/numeric/decimal';
import { ONE, Rational, ZERO } from '@sluice/protocol/numeric/rational';
import { describe, expect, it } from 'vitest';
import { type PnlRow, pnlHistory as pnlSteps, publishedRow } from '../../src/domain/pnl/vault-pnl.ts';
import { drained } from '../support/domain/drained.ts';
import { DAY, denominatedText, marketOf, text, vaultEvent } from '../support/domain/pnl-histories.ts';

const pnlHistory = drained(pnlSteps);

const START = 20_000 * DAY + 10 * 3_600;
const at = (days: number) => START + days * DAY;

/** A row as text: usd, sol, token. */
const row = ({
  type,
  position,
  quantity,
  sharePrice,
  costBasis,
  realizedPnl,
  pnl,
  positionValue,
  investment,
}: PnlRow) => ({
  type,
  position: text(position),
  quantity: text(quantity),
  sharePrice: denominatedText(sharePrice),
  costBasis: denominatedText(costBasis),
  realizedPnl: denominatedText(realizedPnl),
  pnl: denominatedText(pnl),
  positionValue: denominatedText(positionValue),
  investment: denominatedText(investment),
});

describe('a position bought at several prices and sold in part', () => {
  const market = marketOf(
    [
      [0, '1'],
      [at(25), '1.4'],
    ],
    [
      [at(0), '10'],
      [at(10), '20'],
      [at(20), '15'],
      [at(25), '16'],
    ],
    [
      [at(0), '100'],
      [at(10), '50'],
      [at(20), '75'],
      [at(25), '80'],
    ],
  );
  const events = [
    vaultEvent('deposit', at(0), '100', '100'),
    vaultEvent('stake', at(1), '40', null),
    vaultEvent('deposit', at(10), '50', '60'),
    vaultEvent('unstake', at(11), '10', null),
    vaultEvent('withdraw', at(20), '30', '39'),
  ];
  const until = at(25) + 2 * 3_600;
  const { rows, totalPnl, totalCostBasis, complete, priced } = pnlHistory(events, market, until);
  const trades = rows.filter(({ type }) => type !== 'mark-to-market').map(row);

  it('has the average cost of both buys', () => {
    expect(trades[0]).toEqual({
      type: 'buy',
      position: '100',
      quantity: '100',
      sharePrice: ['10', '0.1', '1'],
      costBasis: ['1000', '10', '100'],
      realizedPnl: ['0', '0', '0'],
      pnl: ['0', '0', '0'],
      positionValue: ['1000', '10', '100'],
      investment: ['1000', '10', '100'],
    });
    expect(trades[1]).toEqual({
      type: 'buy',
      position: '150',
      quantity: '50',
      sharePrice: ['24', '0.48', '1.2'],
      costBasis: ['2200', '34', '160'],
      realizedPnl: ['0', '0', '0'],
      pnl: ['1400', '38', '20'],
      positionValue: ['3600', '72', '180'],
      investment: ['2200', '34', '160'],
    });
  });

  it('removes a fifth of the cost with a fifth of the shares', () => {
    expect(trades[2]).toEqual({
      type: 'sell',
      position: '120',
      quantity: '30',
      sharePrice: ['19.5', '0.26', '1.3'],
      costBasis: ['1760', '27.2', '128'],
      realizedPnl: ['145', '1', '7'],
      pnl: ['725', '5', '35'],
      positionValue: ['2340', '31.2', '156'],
      investment: ['1615', '26.2', '121'],
    });
  });

  it('is marked at every midnight and at the end, which gives the totals', () => {
    const marks = rows.filter(({ type }) => type === 'mark-to-market');
    expect(marks.length).toBe(26);
    expect(marks.slice(0, -1).every(({ time }) => time % DAY === 0)).toBe(true);
    expect(marks[0]?.time).toBe(20_001 * DAY);
    expect(rows.map(({ time }) => time)).toEqual(rows.map(({ time }) => time).toSorted((a, b) => a - b));
    const last = rows.at(-1);
    if (last === undefined) throw new Error('a last row');
    expect(last.time).toBe(until);
    expect(row(last)).toEqual({
      type: 'mark-to-market',
      position: '120',
      quantity: '120',
      sharePrice: ['22.4', '0.28', '1.4'],
      costBasis: ['1760', '27.2', '128'],
      realizedPnl: ['145', '1', '7'],
      pnl: ['1073', '7.4', '47'],
      positionValue: ['2688', '33.6', '168'],
      investment: ['1615', '26.2', '121'],
    });
    expect([denominatedText(totalPnl), denominatedText(totalCostBasis), complete, priced]).toEqual([
      ['1073', '7.4', '47'],
      ['1760', '27.2', '128'],
      true,
      true,
    ]);
    expect([text(last.tokenPrice.usd), text(last.tokenPrice.sol), text(last.tokenPrice.token)]).toEqual([
      '1',
      '80',
      '16',
    ]);
  });
});

describe('transferred shares', () => {
  it('are bought and sold at the share price of the moment', () => {
    const market = marketOf(
      [
        [at(0), '1.5'],
        [at(3), '2'],
      ],
      [
        [at(0), '2'],
        [at(3), '3'],
      ],
      [
        [at(0), '20'],
        [at(3), '30'],
      ],
    );
    const events = [vaultEvent('transferIn', at(0), '10', null), vaultEvent('transferOut', at(3), '4', null)];
    const { rows } = pnlHistory(events, market, at(3));
    const sold = rows.find(({ type }) => type === 'sell');
    if (sold === undefined) throw new Error('a sell');
    expect(row(sold)).toMatchObject({
      position: '6',
      quantity: '4',
      sharePrice: ['6', '0.2', '2'],
      costBasis: ['18', '0.9', '9'],
      realizedPnl: ['12', '0.2', '2'],
      investment: ['6', '0.7', '7'],
      positionValue: ['36', '1.2', '12'],
      pnl: ['30', '0.5', '5'],
    });
  });
});

describe('a full exit and a return', () => {
  const market = marketOf(
    [
      [0, '1'],
      [at(5), '1.25'],
    ],
    [
      [at(0), '1'],
      [at(2), '2'],
      [at(4), '3'],
    ],
    [[at(0), '10']],
  );
  const exit = [vaultEvent('deposit', at(0), '10', '10'), vaultEvent('withdraw', at(2), '10', '12')];

  it('leave no cost, but the gains', () => {
    const { rows, totalPnl, totalCostBasis } = pnlHistory(exit, market, at(6));
    expect(denominatedText(totalCostBasis)).toEqual(['0', '0', '0']);
    expect(denominatedText(totalPnl)).toEqual(['14', '1.4', '2']);
    expect(rows.at(-1)?.position.isZero).toBe(true);
  });

  it('restart the cost and keep the gains', () => {
    const events = [...exit, vaultEvent('deposit', at(4), '4', '5')];
    const last = pnlHistory(events, market, at(6)).rows.at(-1);
    if (last === undefined) throw new Error('a last row');
    expect(row(last)).toMatchObject({
      position: '4',
      costBasis: ['15', '1.5', '5'],
      realizedPnl: ['14', '1.4', '2'],
      positionValue: ['15', '1.5', '5'],
      pnl: ['14', '1.4', '2'],
      investment: ['1', '0.1', '3'],
    });
  });
});

describe('unrecorded prices', () => {
  it('leave SOL values known in a SOL vault', () => {
    const market = marketOf(
      [
        [0, '1'],
        [at(1), '1.1'],
      ],
      [],
      [],
      true,
    );
    const events = [vaultEvent('deposit', at(0), '3', '3')];
    const { totalPnl, totalCostBasis, priced } = pnlHistory(events, market, at(2));
    expect(priced).toBe(false);
    expect(denominatedText(totalPnl)).toEqual([null, '0.3', '0.3']);
    expect(denominatedText(totalCostBasis)).toEqual([null, '3', '3']);
  });

  it('make the cost unknown until a full exit, and the gains unknown for good', () => {
    const market = marketOf([[0, '1']], [[at(3), '2']], [[at(3), '20']]);
    const events = [
      vaultEvent('deposit', at(0), '10', '10'),
      vaultEvent('deposit', at(4), '10', '10'),
      vaultEvent('withdraw', at(5), '20', '21'),
      vaultEvent('deposit', at(6), '5', '5'),
    ];
    const trades = pnlHistory(events, market, at(7))
      .rows.filter(({ type }) => type !== 'mark-to-market')
      .map(row);
    expect(trades.map(({ costBasis }) => costBasis)).toEqual([
      [null, null, '10'],
      [null, null, '20'],
      ['0', '0', '0'],
      ['10', '0.5', '5'],
    ]);
    expect(trades[3]).toMatchObject({
      positionValue: ['10', '0.5', '5'],
      realizedPnl: [null, null, '1'],
      pnl: [null, null, '1'],
      investment: [null, null, '4'],
    });
  });
});

describe('incomplete histories', () => {
  it('treat shares of unknown origin as bought at their selling price', () => {
    const market = marketOf([[0, '2']], [[0, '1']], [[0, '10']]);
    const events = [vaultEvent('deposit', at(0), '4', '4'), vaultEvent('withdraw', at(1), '10', '20')];
    const { totalPnl, complete } = pnlHistory(events, market, at(2));
    expect(denominatedText(totalPnl)).toEqual(['4', '0.4', '4']);
    expect(complete).toBe(false);
  });

  it('are empty without a buy or sell, and stop at the requested end', () => {
    const market = marketOf([[0, '1']], [], []);
    const none = pnlHistory([vaultEvent('stake', at(0), '1', null)], market, at(9));
    expect([none.rows, denominatedText(none.totalPnl)]).toEqual([[], ['0', '0', '0']]);
    const events = [vaultEvent('deposit', at(0), '1', '1'), vaultEvent('deposit', at(5), '1', '1')];
    expect(pnlHistory(events, market, at(2)).rows.at(-1)?.position.toNumber()).toBe(1);
  });
});

describe('a published row', () => {
  const inAll = (value: Rational) => ({ usd: value, sol: null, token: value });
  const exact = {
    time: START,
    type: 'mark-to-market',
    position: ONE,
    quantity: ONE,
    tokenPrice: { usd: ONE, sol: null, token: null },
    sharePrice: inAll(Rational.of(1n, 3n)),
    positionValue: inAll(Rational.of(1n, 3n)),
    costBasis: inAll(parseDecimal('12345')),
    realizedPnl: inAll(Rational.of(-2n, 3n)),
    pnl: inAll(ZERO),
    investment: inAll(ZERO),
  } as const;

  it('has a profit and an investment that are exact in its published values', () => {
    // 12345 leaves 29 of the 34 digits for the decimal places of all values.
    const [value, loss] = [`0.${'3'.repeat(29)}`, `-0.${'6'.repeat(28)}7`];
    const [profit, paid] = [`-12345.${'3'.repeat(28)}4`, `12345.${'6'.repeat(28)}7`];
    expect(row(publishedRow(exact))).toMatchObject({
      sharePrice: [`0.${'3'.repeat(34)}`, null, `0.${'3'.repeat(34)}`],
      positionValue: [value, null, value],
      costBasis: ['12345', null, '12345'],
      realizedPnl: [loss, null, loss],
      pnl: [profit, null, profit],
      investment: [paid, null, paid],
    });
  });
});
