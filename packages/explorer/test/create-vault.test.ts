import { describe, expect, it } from 'vitest';
import { initialTexts, readFields } from '../src/act/tasks/task.ts';
import { createVaultActions, createVaultFields, tokensOf } from '../src/act/vaults/create-vault.ts';
import { newVaultKey } from '../src/act/vaults/vault-key.ts';

const reserve = (address: string, mint: string, symbol: string) => ({
  id: address,
  address,
  supplyApy: { total: '0.0491' },
  token: { id: mint, mint, symbol, decimals: 6 },
  market: { id: 'm', name: 'Main' },
});
const RESERVES = [reserve('r1', 'usdc', 'USDC'), reserve('r2', 'sol', 'SOL'), reserve('r3', 'usdc', 'USDC')];

const actionsOf = (texts: Readonly<Record<string, string>>) => {
  const fields = createVaultFields(RESERVES, 'usdc');
  const { values } = readFields(fields, { ...initialTexts(fields), ...texts });
  return values && createVaultActions('me', 'key', 'usdc', values);
};

describe('the form that creates a vault', () => {
  it('offers each token once, and the reserves of the chosen one', () => {
    expect(tokensOf(RESERVES)).toEqual([
      ['usdc', 'USDC'],
      ['sol', 'SOL'],
    ]);
    const { control } = createVaultFields(RESERVES, 'usdc').reserve;
    expect(control.kind === 'select' && control.options).toEqual([
      ['r1', 'Main, 4.91% APY'],
      ['r3', 'Main, 4.91% APY'],
      ['', 'None yet'],
    ]);
  });

  it('adds settings and the first reserve to the same plan', () => {
    const place = { wallet: 'me', vault: 'key' };
    expect(actionsOf({ name: 'Harbour', performance: '10', management: '1' })).toEqual([
      { createVault: { ...place, mint: 'usdc' } },
      { setVaultConfig: { ...place, name: 'Harbour', performanceFeeBps: 1000, managementFeeBps: 100 } },
      { setVaultAllocation: { ...place, reserve: 'r1', weight: '100' } },
    ]);
    expect(actionsOf({ reserve: '' })).toEqual([{ createVault: { ...place, mint: 'usdc' } }]);
    expect(actionsOf({ performance: '101' })).toBeNull();
  });
});

describe('the key of a new vault', () => {
  it('is another one each time', async () => {
    const [one, other] = [await newVaultKey(), await newVaultKey()];
    expect(one.address).not.toBe(other.address);
    expect(one.address).toMatch(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/);
  });
});
