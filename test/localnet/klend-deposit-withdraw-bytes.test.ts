import { farmUserState } from '@sluice/protocol/farms/addresses';
import { marketAuthority, referrerTokenStateAddress } from '@sluice/protocol/klend/addresses';
import { INSTRUCTIONS_SYSVAR, MAINNET_PROGRAMS, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { associatedTokenAddress } from '@sluice/protocol/token/addresses';
import { AccountRole, type Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import {
  addressNumber,
  MARKET,
  REFERRER,
  reserveAddress,
  WALLET,
} from '../support/builders/lending-accounts.ts';
import {
  swappable as bench,
  type DepositWithdrawBench,
  isDepositAndWithdraw as isCall,
} from '../support/localnet/deposit-withdraw-bench.ts';

/** The interface of `depositAndWithdraw`, written by hand, and what is built for it. */

const { klend, farms } = MAINNET_PROGRAMS;
const TEN = 10_000_000n;
const OTHER = addressNumber(990);

const instructionsOf = (on: DepositWithdrawBench, deposit = TEN, withdraw: bigint | 'all' = TEN, to = 2) =>
  on.build(1, to, deposit, withdraw).instructions;

describe('the bytes and accounts of the interface', () => {
  it('are the discriminator, then both amounts', () => {
    const [call] = instructionsOf(bench(), 258n, 'all').filter(isCall);
    expect(Buffer.from(call?.data ?? []).toString('hex')).toBe(
      `8d99270f403d58540201000000000000${'ff'.repeat(8)}`,
    );
    const [exact] = instructionsOf(bench(), 513n, 772n).filter(isCall);
    expect(Buffer.from(exact?.data ?? []).toString('hex')).toBe(
      '8d99270f403d585401020000000000000403000000000000',
    );
  });

  it('are 33 accounts, the reserves and referrer states after the deposit, and the permission', () => {
    const on = bench({
      referred: true,
      reserves: [{}, { farmCollateral: true }, {}],
      market: { permissioningAuthority: OTHER, permissionedOps: 1n },
      deposits: [
        [1, 900_000_000n],
        [0, 100_000_000n],
      ],
    });
    const [call] = instructionsOf(on).filter(isCall);
    const authority = marketAuthority(klend, MARKET).address;
    const tokens = (index: number) =>
      associatedTokenAddress(WALLET, TOKEN_PROGRAM, on.reserve(index).liquidity.mintPubkey).address;
    const [W, WS, R, S] = [
      AccountRole.WRITABLE,
      AccountRole.WRITABLE_SIGNER,
      AccountRole.READONLY,
      AccountRole.READONLY_SIGNER,
    ];
    const half = (index: number): readonly (readonly [Address, AccountRole])[] => {
      const { liquidity, collateral } = on.reserve(index);
      return [
        [WALLET, WS],
        [on.obligationAddress, W],
        [MARKET, R],
        [authority, R],
        [reserveAddress(index), W],
        [liquidity.mintPubkey, R],
        [liquidity.supplyVault, W],
        [collateral.mintPubkey, W],
        [collateral.supplyVault, W],
        [tokens(index), W],
        [klend, R],
        [TOKEN_PROGRAM, R],
        [TOKEN_PROGRAM, R],
        [INSTRUCTIONS_SYSVAR, R],
      ];
    };
    const withdraw = [...half(1)];
    // A withdrawal names the vault of the collateral tokens first, and that of the liquidity third.
    [withdraw[6], withdraw[8]] = [withdraw[8] ?? [klend, R], withdraw[6] ?? [klend, R]];
    const state = referrerTokenStateAddress(klend, REFERRER, reserveAddress(0)).address;
    const expected: readonly (readonly [Address, AccountRole])[] = [
      ...half(2),
      ...withdraw,
      [klend, R],
      [klend, R],
      [farmUserState(farms, on.reserve(1).farmCollateral, on.obligationAddress).address, W],
      [on.reserve(1).farmCollateral, W],
      [farms, R],
      [reserveAddress(1), W],
      [reserveAddress(0), W],
      [reserveAddress(2), W],
      [reserveAddress(0), W],
      [state, W],
      [OTHER, S],
    ];
    expect(call?.accounts.map(({ address, role }) => [address, role])).toEqual(expected);
    expect(expected.slice(0, 33)).toHaveLength(33);
    expect(on.failureOf(instructionsOf(on))).toBeNull();
  });
});
