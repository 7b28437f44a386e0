import { describe, expect, it } from 'vitest';
import { lendingVaults } from '../src/pages/reserve/allocations.ts';
import { rewardRows } from '../src/pages/reserve/reward-rows.ts';

const side = (symbol: string) => ({ id: symbol, address: symbol, token: { id: symbol, symbol } });

const campaign = (deposit: string | null, borrow: string | null) => ({
  source: 'season',
  apy: '0.01',
  tokensPerSecond: '0.5',
  token: { id: 'KELP', symbol: 'KELP' },
  depositReserve: deposit === null ? null : side(deposit),
  borrowReserve: borrow === null ? null : side(borrow),
});

const farm = {
  id: 'farm',
  address: 'farm',
  rewards: [
    {
      apr: null,
      perSecond: '0.25',
      endsAt: '2027-01-01T00:00:00.000Z',
      available: { amount: '10', usd: null },
      token: null,
    },
  ],
};

describe('rewards of a reserve', () => {
  it('come from farms of both sides and from campaigns', () => {
    const rows = rewardRows({ rewards: [campaign('SOL', null)], collateralFarm: farm, debtFarm: farm });
    expect(rows.map(({ earnedBy, source, rateKind }) => [earnedBy, source, rateKind])).toEqual([
      ['Supplying', 'Farm', 'APR'],
      ['Borrowing', 'Farm', 'APR'],
      ['Supplying SOL', 'Campaign', 'APY'],
    ]);
    expect(new Set(rows.map(({ key }) => key)).size).toBe(3);
  });

  it('say what has to be done for a campaign', () => {
    const rewards = [campaign(null, 'USDC'), campaign('SOL', 'USDC')];
    const rows = rewardRows({ rewards, collateralFarm: null, debtFarm: null });
    expect(rows.map(({ earnedBy }) => earnedBy)).toEqual([
      'Borrowing USDC',
      'Supplying SOL and borrowing USDC',
    ]);
  });

  it('keep unknown rates and mints unknown', () => {
    const [row] = rewardRows({ rewards: [], collateralFarm: farm, debtFarm: null });
    expect(row).toMatchObject({ symbol: null, rate: null, perSecond: '0.25' });
  });
});

describe('vaults of a reserve', () => {
  const allocation = (reserveAddress: string, targetShare: string) => ({
    reserveAddress,
    invested: null,
    cap: { amount: '1', baseUnits: '1' },
    actualShare: null,
    targetShare,
  });
  const vault = (name: string, allocations: ReturnType<typeof allocation>[]) => ({
    id: name,
    address: name,
    name,
    totalValue: null,
    allocations,
  });

  it('have their own allocation to it', () => {
    const nodes = [
      vault('both', [allocation('other', '0.3'), allocation('this', '0.7')]),
      vault('neither', [allocation('other', '1')]),
    ];
    const rows = lendingVaults({ address: 'this', vaults: { totalCount: 2, nodes } });
    expect(rows.map((row) => [row.vault.name, row.allocation.targetShare])).toEqual([['both', '0.7']]);
  });
});
