import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { beforeEach, describe, expect, test } from 'vitest';
import { AccountStore } from '../../src/runtime/account-store.ts';
import { account, testAddress } from '../support/chain/fake-chain.ts';

const [MODELLED, OTHER] = [testAddress(1), testAddress(2)];

let store: AccountStore;
let amount = 0;

/** An account of the generated world whose only byte is `amount`. */
const modelled = (address: Address) => ({
  address,
  owner: TOKEN_PROGRAM,
  encode: () => Uint8Array.of(amount),
});
const addresses = (program: Address) => [...store.ofProgram(program)].map(([address]) => address);

beforeEach(() => {
  amount = 1;
  store = new AccountStore();
  store.add(modelled(MODELLED));
  store.takeChanged();
});

describe('a committed account', () => {
  test('is new, changed and listed by its program', () => {
    const written = account(Uint8Array.of(7), TOKEN_PROGRAM);
    store.commit(new Map([[OTHER, written]]));
    expect(store.get(OTHER)).toBe(written);
    expect(addresses(TOKEN_PROGRAM)).toEqual([MODELLED, OTHER]);
    expect(store.takeChanged()).toEqual([OTHER]);
  });

  test('replaces that of a model, which changes it no more', () => {
    store.commit(new Map([[MODELLED, account(Uint8Array.of(7), TOKEN_PROGRAM)]]));
    store.takeChanged();
    amount = 2;
    store.touch(MODELLED);
    store.add(modelled(MODELLED));
    store.remove(MODELLED);
    expect(store.get(MODELLED)?.data).toEqual(Uint8Array.of(7));
    expect(store.takeChanged()).toEqual([]);
    expect(addresses(TOKEN_PROGRAM)).toEqual([MODELLED]);
  });

  test('moves to the list of its new owner', () => {
    store.commit(new Map([[MODELLED, account(Uint8Array.of(7), SYSTEM_PROGRAM)]]));
    expect(addresses(TOKEN_PROGRAM)).toEqual([]);
    expect(addresses(SYSTEM_PROGRAM)).toEqual([MODELLED]);
  });

  test('no longer exists without lamports, and can come back', () => {
    store.commit(new Map([[MODELLED, account(new Uint8Array(), SYSTEM_PROGRAM, 0n)]]));
    expect(store.get(MODELLED)).toBeUndefined();
    expect(store.has(MODELLED)).toBe(false);
    expect(addresses(TOKEN_PROGRAM)).toEqual([]);
    expect(store.takeChanged()).toEqual([MODELLED]);
    store.commit(new Map([[MODELLED, account(Uint8Array.of(3), TOKEN_PROGRAM)]]));
    expect(store.get(MODELLED)?.data).toEqual(Uint8Array.of(3));
    expect(store.size).toBe(1);
  });
});

test('an account that no transaction has written follows its model', () => {
  store.commit(new Map([[OTHER, account(Uint8Array.of(7), TOKEN_PROGRAM)]]));
  amount = 2;
  store.touch(MODELLED);
  expect(store.get(MODELLED)?.data).toEqual(Uint8Array.of(2));
});
