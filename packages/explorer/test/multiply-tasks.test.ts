import { Decimal } from '@sluice/client';
import { describe, expect, it } from 'vitest';
import { borrowFor, leverageTasks, openMultiplyTask } from '../src/act/tasks/multiply-tasks.ts';
import { initialTexts, readTask, type Task, type Texts } from '../src/act/tasks/task.ts';

const SOL = { reserve: 'sol', symbol: 'SOL', decimals: 9, priceUsd: '150' };
const USDC = { reserve: 'usdc', symbol: 'USDC', decimals: 6, priceUsd: '0.9998' };

const read = (task: Task | undefined, texts: Texts = {}) => {
  if (task === undefined) throw new Error('no such task');
  return readTask(task, 'me', { ...initialTexts(task.fields), ...texts }).action;
};

describe('a leveraged loan', () => {
  it('borrows what the leverage takes, cut to the decimals of the token', () => {
    // 2 SOL are 300 USD; one and a half times as much again is 450 USD, or 450.0900180036… USDC.
    expect(borrowFor('2', Decimal.of('2.5'), SOL, USDC)).toBe('450.090018');
    expect(borrowFor('2', Decimal.of('1'), SOL, USDC)).toBeNull();
    expect(borrowFor('0', Decimal.of('3'), SOL, USDC)).toBeNull();
    expect(borrowFor('2', Decimal.of('2'), { ...SOL, priceUsd: null }, USDC)).toBeNull();
    expect(borrowFor('2', Decimal.of('2'), SOL, { ...USDC, priceUsd: '0' })).toBeNull();
  });

  it('is opened with own tokens and a chosen debt', () => {
    const task = openMultiplyTask('market', SOL, [{ ...USDC, reserve: 'usdt', priceUsd: '2' }, USDC]);
    const place = { wallet: 'me', market: 'market', collateralReserve: 'sol', deposit: { tokens: '2' } };
    expect(read(task, { deposit: '2', leverage: '2' })).toEqual({
      multiply: { ...place, debtReserve: 'usdt', borrow: { tokens: '150' } },
    });
    expect(read(task, { deposit: '2', leverage: '2.5', debt: 'usdc' })).toEqual({
      multiply: { ...place, debtReserve: 'usdc', borrow: { tokens: '450.090018' } },
    });
    expect(read(task, { deposit: '2', leverage: '1' })).toBeNull();
    expect(read(task, { deposit: '0', leverage: '2' })).toBeNull();
  });

  it('is added to, reduced and closed', () => {
    const tasks = leverageTasks({ market: 'market', obligation: 'loan', collateral: SOL, debt: USDC });
    const place = {
      wallet: 'me',
      market: 'market',
      obligation: { address: 'loan' },
      collateralReserve: 'sol',
      debtReserve: 'usdc',
    };
    const [more, less, close] = tasks;
    expect(read(more, { borrow: '10' })).toEqual({ multiply: { ...place, borrow: { tokens: '10' } } });
    expect(read(more, { borrow: '10', deposit: '1' })).toEqual({
      multiply: { ...place, borrow: { tokens: '10' }, deposit: { tokens: '1' } },
    });
    expect(read(less, { amount: '5' })).toEqual({ deleverage: { ...place, amount: { tokens: '5' } } });
    expect(read(close)).toEqual({ deleverage: { ...place, amount: { all: 'ALL' } } });
  });
});
