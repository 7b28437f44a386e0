import { describe, expect, it } from 'vitest';
import type { CuratedVault } from '../src/act/tasks/curated-vault.ts';
import { curatorTasks } from '../src/act/tasks/curator-tasks.ts';
import { NO_ADDRESS } from '../src/act/tasks/read.ts';
import { initialTexts, readTask, type Texts } from '../src/act/tasks/task.ts';
import { rightsOf } from '../src/pages/vault/curator-rights.ts';

const ADDRESS = 'So11111111111111111111111111111111111111112';
const VAULT: CuratedVault = {
  address: 'vault',
  token: { symbol: 'USDC', decimals: 6 },
  reserves: [
    { address: 'main', name: 'Main' },
    { address: 'other', name: 'Other' },
  ],
  state: {
    vaultAdminAuthority: 'admin',
    pendingAdmin: 'next',
    allocationAdmin: 'allocator',
    name: 'Old name',
    performanceFeeBps: '1250',
    managementFeeBps: '0',
    withdrawalPenaltyBps: '0',
    withdrawalPenaltyLamports: '0',
    depositCap: '0',
    minDepositAmount: '1000000',
    minWithdrawAmount: '0',
    minInvestAmount: '0',
    minInvestDelaySlots: '150',
    crankFundFeePerReserve: '0',
    unallocatedWeight: '0',
    unallocatedTokensCap: '18446744073709551615',
    vaultFarm: NO_ADDRESS,
    vaultLookupTable: ADDRESS,
    permissioningAuthority: NO_ADDRESS,
  },
};

const namesFor = (wallet: string, vault = VAULT) => curatorTasks(vault, wallet).map(({ name }) => name);

function named(name: string, wallet = 'admin') {
  const found = curatorTasks(VAULT, wallet).find((each) => each.name === name);
  if (found === undefined) throw new Error(`${wallet} may not: ${name}`);
  return found;
}

const read = (name: string, texts: Texts, wallet = 'admin') => {
  const found = named(name, wallet);
  return readTask(found, wallet, { ...initialTexts(found.fields), ...texts });
};

describe('what a wallet may do with a vault', () => {
  it('depends on what it is to the vault', () => {
    const anyone = ['Invest', 'Pay rewards into the vault'];
    expect(namesFor('anyone')).toEqual(anyone);
    expect(namesFor('next')).toEqual(['Take the vault over', ...anyone]);
    expect(namesFor('allocator')).toEqual(['Change weight and caps', ...anyone]);
    expect(namesFor('admin')).toEqual(expect.arrayContaining(['Change fees', 'Withdraw fees', ...anyone]));
    expect(namesFor('admin')).not.toContain('Take the vault over');
  });

  it('has nothing with reserves while the vault has none', () => {
    expect(namesFor('anyone', { ...VAULT, reserves: [] })).toEqual(['Pay rewards into the vault']);
    expect(namesFor('admin', { ...VAULT, reserves: [] })).toContain('Add a reserve');
  });

  it('is said by its highest right', () => {
    const { state } = VAULT;
    expect(['admin', 'next', 'allocator', 'anyone', null].map((wallet) => rightsOf(state, wallet))).toEqual([
      'ADMIN',
      'PENDING_ADMIN',
      'ALLOCATION_ADMIN',
      'NONE',
      'NONE',
    ]);
    expect(rightsOf({ ...state, pendingAdmin: 'allocator' }, 'allocator')).toBe('PENDING_ADMIN');
  });
});

describe('a form of a curator', () => {
  const place = { wallet: 'admin', vault: 'vault' };

  it.each<[string, Texts, object]>([
    [
      'Change weight and caps',
      { reserve: 'other', weight: '300', cap: 'none', collateralCap: '5' },
      {
        setVaultAllocation: {
          ...place,
          reserve: 'other',
          weight: '300',
          cap: { none: 'NONE' },
          collateralCap: { tokens: '5' },
        },
      },
    ],
    [
      'Change weight and caps',
      { weight: '1' },
      { setVaultAllocation: { ...place, reserve: 'main', weight: '1' } },
    ],
    [
      'Add a reserve',
      { reserve: ADDRESS, weight: '10', cap: '250' },
      { setVaultAllocation: { ...place, reserve: ADDRESS, weight: '10', cap: { tokens: '250' } } },
    ],
    ['Remove a reserve', { reserve: 'other' }, { removeVaultAllocation: { ...place, reserve: 'other' } }],
    ['Invest', {}, { investVault: { ...place, reserve: 'main' } }],
    [
      'Invest',
      { maxAmount: '9' },
      { investVault: { ...place, reserve: 'main', maxAmount: { tokens: '9' } } },
    ],
    [
      'Pay rewards into the vault',
      { amount: '5' },
      { topUpVaultRewards: { ...place, amount: { tokens: '5' } } },
    ],
    [
      'Change fees',
      { performance: '10', management: '0.5', penalty: '0', leastPenalty: '0.001' },
      {
        setVaultConfig: {
          ...place,
          performanceFeeBps: 1000,
          managementFeeBps: 50,
          withdrawalPenaltyBps: 0,
          withdrawalPenalty: '0.001',
        },
      },
    ],
    ['Change fees', { management: '1' }, { setVaultConfig: { ...place, managementFeeBps: 100 } }],
    [
      'Change limits',
      {
        depositCap: '5000000',
        minDeposit: '2',
        minWithdraw: '0',
        minInvest: '3',
        delay: '5',
        crankFee: '0.000002',
      },
      {
        setVaultConfig: {
          ...place,
          depositCap: { tokens: '5000000' },
          minDeposit: '2',
          minWithdraw: '0',
          minInvest: '3',
          minInvestDelaySlots: '5',
          crankFeePerReserve: '0.000002',
        },
      },
    ],
    [
      'Change what stays idle',
      { weight: '20', cap: 'none' },
      { setVaultConfig: { ...place, unallocatedWeight: '20', unallocatedCap: { none: 'NONE' } } },
    ],
    ['Rename the vault', { name: 'Harbour' }, { setVaultConfig: { ...place, name: 'Harbour' } }],
    [
      'Change farm, lookup table and co-signer',
      { lookupTable: 'none', farm: ADDRESS },
      { setVaultConfig: { ...place, lookupTable: NO_ADDRESS, farm: ADDRESS } },
    ],
    [
      'Keep to listed reserves',
      { allocations: 'yes' },
      { setVaultConfig: { ...place, allocationsInWhitelistedReservesOnly: true } },
    ],
    [
      'Name a new admin',
      { pendingAdmin: ADDRESS, allocationAdmin: 'none' },
      { setVaultConfig: { ...place, pendingAdmin: ADDRESS, allocationAdmin: NO_ADDRESS } },
    ],
    ['Withdraw fees', {}, { withdrawVaultFees: place }],
    ['Withdraw fees', { reserve: 'other' }, { withdrawVaultFees: { ...place, reserve: 'other' } }],
    ['Give up fees', { amount: 'all' }, { giveUpVaultFees: { ...place, amount: { all: 'ALL' } } }],
    [
      'Change the rate of rewards',
      { perSecond: '0' },
      { setVaultConfig: { ...place, rewardPerSecond: '0' } },
    ],
    ['Take back rewards', { amount: '2' }, { withdrawVaultRewards: { ...place, amount: { tokens: '2' } } }],
  ])('builds: %s %o', (name, texts, action) => {
    expect(read(name, texts)).toEqual({ action, mistakes: {} });
  });

  it('takes a vault over', () => {
    expect(read('Take the vault over', {}, 'next').action).toEqual({
      acceptVaultAdmin: { wallet: 'next', vault: 'vault' },
    });
  });

  it.each([
    'Change weight and caps',
    'Change fees',
    'Change limits',
    'Keep to listed reserves',
    'Name a new admin',
  ])('sends nothing while nothing changes: %s', (name) => {
    expect(read(name, {})).toEqual({ action: null, mistakes: {} });
  });

  it('says which field is wrong', () => {
    const { action, mistakes } = read('Change fees', { performance: '101', management: '1' });
    expect(action).toBeNull();
    expect(Object.keys(mistakes)).toEqual(['performance']);
  });

  it('tells the present values', () => {
    expect(named('Change fees').fields.performance?.hint).toBe('Now 12.5%.');
    expect(named('Change limits').fields.depositCap?.hint).toBe('Now no cap. “none” for no cap.');
    expect(named('Change limits').fields.minDeposit?.hint).toBe('Now 1 USDC.');
    expect(named('Change what stays idle').fields.cap?.hint).toBe('Now no cap. “none” for no cap.');
    expect(named('Change farm, lookup table and co-signer').fields.lookupTable?.hint).toContain(ADDRESS);
  });
});
