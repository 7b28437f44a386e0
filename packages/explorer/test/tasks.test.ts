import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BUILDERS } from '../../client/src/actions/documents.ts';
import {
  elevationTask,
  fillTask,
  liquidationTask,
  rollOverTask,
  rolloverTask,
} from '../src/act/tasks/loan-tasks.ts';
import { shareTasks } from '../src/act/tasks/share-tasks.ts';
import { initialTexts, readTask, type Task, type Texts } from '../src/act/tasks/task.ts';
import { claimRewardsTask, referrerTasks } from '../src/act/tasks/wallet-tasks.ts';

const ADDRESS = 'So11111111111111111111111111111111111111112';
const ACT = join(import.meta.dirname, '../src/act');

const read = (task: Task | undefined, texts: Texts = {}) => {
  if (task === undefined) throw new Error('no such task');
  return readTask(task, 'me', { ...initialTexts(task.fields), ...texts }).action;
};

describe('the forms of the explorer', () => {
  it('are there for each builder of the client', () => {
    const sources = readdirSync(ACT, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') || file.endsWith('.tsx'))
      .map((file) => readFileSync(join(ACT, file), 'utf8'))
      .join('\n');
    const missing = Object.keys(BUILDERS).filter(
      (name) => !sources.includes(`{ ${name}: `) && !sources.includes(`  ${name}: {`),
    );
    expect(missing).toEqual([]);
  });
});

describe('the forms for shares', () => {
  const vault = {
    address: 'vault',
    symbol: 'USDC',
    shares: { symbol: 'A share', decimals: 6 },
    hasFarm: true,
    reserves: [{ address: 'main', name: 'Main' }],
  };
  const [stake, unstake, inKind] = shareTasks(vault);

  it('stake, unstake and redeem in kind', () => {
    const place = { wallet: 'me', vault: 'vault' };
    expect(read(stake, { amount: 'all' })).toEqual({ stakeShares: { ...place, amount: { all: 'ALL' } } });
    expect(read(unstake, { amount: '2' })).toEqual({ unstakeShares: { ...place, amount: { shares: '2' } } });
    expect(read(inKind, { amount: '3' })).toEqual({
      vaultRedeemInKind: { ...place, reserve: 'main', amount: { shares: '3' } },
    });
    expect(read(stake)).toBeNull();
  });

  it('depend on the vault', () => {
    expect(shareTasks({ ...vault, hasFarm: false }).map(({ name }) => name)).toEqual([
      'Take collateral tokens',
    ]);
    expect(shareTasks({ ...vault, hasFarm: false, reserves: [] })).toEqual([]);
  });
});

describe('the forms for a wallet', () => {
  it('claim rewards, name a referrer and set one up', () => {
    const [name, setUp] = referrerTasks([['market', 'Main']]);
    expect(read(claimRewardsTask)).toEqual({ claimRewards: { wallet: 'me' } });
    expect(read(name, { referrer: ADDRESS })).toEqual({ nameReferrer: { wallet: 'me', referrer: ADDRESS } });
    expect(read(name, { referrer: 'someone' })).toBeNull();
    expect(read(setUp)).toEqual({ setUpReferrer: { wallet: 'me', market: 'market' } });
    expect(referrerTasks([])).toHaveLength(1);
  });
});

describe('the forms for a loan', () => {
  const place = { market: 'market', obligation: 'loan' };
  const obligation = { address: 'loan' };
  const debt = { reserve: 'usdc', symbol: 'USDC' };
  const NONE = {
    enabled: false,
    maxBorrowRateBps: '0',
    minTermSeconds: '0',
    openTermAllowed: false,
    migrationToFixedEnabled: false,
    windowDays: null,
  };
  const rollover = { wallet: 'me', market: 'market', obligation, reserve: 'usdc' };

  it('set a rollover', () => {
    const texts = { enabled: 'yes', maxRate: '12.5', minDays: '30', openTerm: 'yes', windowDays: '7' };
    expect(read(rolloverTask(place, debt, NONE), texts)).toEqual({
      setRolloverSettings: {
        ...rollover,
        enabled: true,
        openTermAllowed: true,
        migrationToFixed: false,
        maxBorrowRateBps: 1250,
        minTermSeconds: '2592000',
        windowDays: 7,
      },
    });
  });

  it('start with the rollover that is set', () => {
    const now = { ...NONE, enabled: true, maxBorrowRateBps: '900', minTermSeconds: '864000', windowDays: 3 };
    expect(initialTexts(rolloverTask(place, debt, now).fields)).toEqual({
      enabled: 'yes',
      maxRate: '9',
      minDays: '10',
      openTerm: '',
      migration: '',
      windowDays: '3',
    });
    expect(read(rolloverTask(place, debt, NONE))).toEqual({
      setRolloverSettings: { ...rollover, enabled: false, openTermAllowed: false, migrationToFixed: false },
    });
  });

  it('roll a debt over', () => {
    const into = [['other', '6% a year, 90 days']] as const;
    expect(read(rollOverTask(place, debt, into))).toEqual({
      rollOverBorrow: { wallet: 'me', obligation: 'loan', reserve: 'usdc', targetReserve: 'other' },
    });
  });

  it('change the elevation group', () => {
    expect(read(elevationTask(place, 0), { group: '2' })).toEqual({
      requestElevationGroup: { wallet: 'me', market: 'market', obligation, group: 2 },
    });
    expect(read(elevationTask(place, 0), { group: '33' })).toBeNull();
  });

  it('liquidate', () => {
    const task = liquidationTask(place, [debt], [{ reserve: 'sol', symbol: 'SOL' }]);
    const input = { wallet: 'me', obligation: 'loan', repayReserve: 'usdc', withdrawReserve: 'sol' };
    expect(read(task, { amount: 'all' })).toEqual({ liquidate: { ...input, amount: { all: 'ALL' } } });
    expect(read(task, { amount: '5', least: '0.1' })).toEqual({
      liquidate: { ...input, amount: { tokens: '5' }, minCollateral: '0.1' },
    });
  });

  it('fill a borrow order', () => {
    expect(read(fillTask(place, 1, [debt], 'USDC'))).toEqual({
      fillBorrowOrder: { wallet: 'me', obligation: 'loan', index: 1, reserve: 'usdc' },
    });
  });
});
