import type { Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { testAddress } from '../../packages/localnet/test/support/chain/fake-chain.ts';
import { SluiceError } from '../../src/errors/sluice-error.ts';
import { Warnings } from '../../src/graphql/warnings.ts';

const at = (...keys: (string | number)[]) => ({
  path: keys.reduce<{ prev: undefined; key: string | number; typename: undefined } | undefined>(
    (prev, key) => ({ prev: prev as undefined, key, typename: undefined }),
    undefined,
  ) as { prev: undefined; key: string | number; typename: undefined },
});
const missing = (address: Address) =>
  [address, new SluiceError('ACCOUNT_NOT_FOUND', { account: 'vault', address })] as const;
const [a, b] = [testAddress(1), testAddress(2)].sort() as [Address, Address];

describe('warnings', () => {
  it('have the code and message of the error, the account and the path, in the order of addresses', () => {
    const warnings = new Warnings();
    warnings.leftOut(at('vaults'), new Map([missing(b), missing(a)]));
    expect(warnings.list).toEqual(
      [a, b].map((account) => ({
        code: 'ACCOUNT_NOT_FOUND',
        message: `There is no vault at ${account}.`,
        account,
        path: ['vaults'],
      })),
    );
  });

  it('name a list in many items by its first path, and an alias as a list of its own', () => {
    const warnings = new Warnings();
    for (const index of [3, 4]) {
      warnings.leftOut(at('tokens', 'nodes', index, 'vaults'), new Map([missing(a)]));
    }
    warnings.leftOut(at('other', 'vaults'), new Map([missing(a)]));
    expect(warnings.list.map(({ path }) => path)).toEqual([
      ['tokens', 'nodes', 3, 'vaults'],
      ['other', 'vaults'],
    ]);
    // Repeated warnings count, so that no object around them is reused.
    expect(warnings.count).toBe(3);
  });

  it('are at most 100', () => {
    const warnings = new Warnings();
    const many = Array.from({ length: 130 }, (_, i) => missing(testAddress(i + 1)));
    warnings.leftOut(at('vaults'), new Map(many));
    expect([warnings.list.length, warnings.count]).toEqual([100, 130]);
  });
});
