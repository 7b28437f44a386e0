import { obligation } from '@sluice/protocol/klend/obligation';
import { reserve } from '@sluice/protocol/klend/reserve';
import { viewOf } from '@sluice/protocol/layout/account';
import { FRACTION_ONE } from '@sluice/protocol/numeric/fraction';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import {
  accountIn,
  unchangedChain,
  withFields,
} from '../../packages/localnet/test/support/chain/test-world.ts';
import { ChainBook } from '../support/invariants/chain-book.ts';
import { brokenLaws, supplyElsewhere } from '../support/invariants/chain-laws.ts';
import { invariantsSuite } from '../support/invariants/invariants-suite.ts';
import { excessDebt } from '../support/invariants/obligation-limit.ts';

const { klend } = MAINNET_PROGRAMS;
const SUPPLY_OFFSET = 36;
const AMOUNT_OFFSET = 64;

describe('the accounts of the localnet', () => {
  invariantsSuite(100, 'quick');
});

describe('the laws notice', () => {
  const { worldChain: localChain } = unchangedChain();
  const { store, tokens } = localChain.world;
  const at = (address: Address) => accountIn(localChain, address);
  const book = new ChainBook([...store.addresses()].map((address) => [address, at(address)]));
  const elsewhere = supplyElsewhere(
    book,
    tokens.map(({ mint }) => mint.address),
  );
  const { obligation: position, borrowReserve, depositReserve } = localChain.addresses;
  const { liquidity, collateral } = reserve.decode(at(borrowReserve), klend);

  /** The laws that break when a number of an account is one higher. */
  function brokenBy(address: Address, offset: number): string[] {
    const account = at(address);
    const data = account.data.slice();
    viewOf(data).setBigUint64(offset, viewOf(data).getBigUint64(offset, true) + 1n, true);
    book.set(address, { ...account, data });
    const broken = brokenLaws(book, elsewhere).map((law) => law.replace(/:.*/, ''));
    book.set(address, account);
    return broken;
  }

  it('nothing in the world as it is', () => {
    expect(brokenLaws(book, elsewhere)).toEqual([]);
    expect(excessDebt(book, position)).toBeNull();
  });

  it('a token from nowhere, and that a vault has what its reserve does not know', () => {
    expect(brokenBy(liquidity.supplyVault, AMOUNT_OFFSET)).toEqual([
      `supply of ${liquidity.mintPubkey}`,
      `liquidity of reserve ${borrowReserve}`,
    ]);
  });

  it('collateral that belongs to no obligation or wallet', () => {
    expect(brokenBy(collateral.mintPubkey, SUPPLY_OFFSET)).toEqual([
      `supply of ${collateral.mintPubkey}`,
      `collateral of reserve ${borrowReserve}`,
    ]);
    expect(brokenBy(collateral.supplyVault, AMOUNT_OFFSET)).toEqual([
      `supply of ${collateral.mintPubkey}`,
      `deposits in reserve ${borrowReserve}`,
    ]);
  });

  it('a deposit without collateral', () => {
    const account = at(position);
    const [first] = obligation.decode(account, klend).deposits;
    const depositedAmount = (first?.depositedAmount ?? 0n) + 1n;
    book.set(position, withFields(obligation, account, { deposits: [{ depositedAmount }] }));
    const [broken, ...others] = brokenLaws(book, elsewhere);
    book.set(position, account);
    expect(broken).toContain(`deposits in reserve ${depositReserve}`);
    expect(others).toEqual([]);
  });

  it('a debt above its limit', () => {
    const account = at(position);
    const borrowedAmountSf = 10n ** 12n * FRACTION_ONE;
    book.set(position, withFields(obligation, account, { borrows: [{ borrowedAmountSf }] }));
    const excess = excessDebt(book, position);
    book.set(position, account);
    expect(excess).toContain(`obligation ${position} owes`);
  });
});
