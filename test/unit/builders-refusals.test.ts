import { obligationAddress, VANILLA_OBLIGATION } from '@sluice/protocol/klend/addresses';
import { parseDecimal } from '@sluice/protocol/numeric/decimal';
import { MAINNET_PROGRAMS, TOKEN_2022_PROGRAM } from '@sluice/protocol/program-ids';
import { describe, expect, it } from 'vitest';
import { lendingAccounts } from '../../src/builders/lending/accounts.ts';
import { buildLending } from '../../src/builders/lending/action.ts';
import { obligationKey } from '../../src/builders/lending/obligation-choice.ts';
import {
  type LendingAction,
  type LendingRequest,
  secondLendingReads,
} from '../../src/builders/lending/request.ts';
import { vaultAccounts } from '../../src/builders/vault/accounts.ts';
import { buildVaultExit } from '../../src/builders/vault/action.ts';
import { buildUnstakeShares } from '../../src/builders/vault/unstake.ts';
import { isCodedError } from '../../src/errors/sluice-error.ts';
import {
  addressNumber,
  type LendingSetting,
  lendingChain,
  lendingRequest,
  MARKET,
  NOW,
  reserveAddress,
  SLOT,
  WALLET,
} from '../support/builders/lending-accounts.ts';
import { VAULT, vaultChain, vaultRequest } from '../support/builders/vault-accounts.ts';

const OWN = obligationAddress(MAINNET_PROGRAMS.klend, WALLET, MARKET, VANILLA_OBLIGATION).address;

function codeOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    return isCodedError(error) ? error.code : String(error);
  }
  return 'none';
}

function lend(
  action: LendingAction,
  setting: LendingSetting = {},
  change: Partial<LendingRequest> = {},
  amount: Parameters<typeof buildLending>[1] = { tokens: parseDecimal('1') },
) {
  const accounts = lendingAccounts(lendingRequest(action, change), lendingChain(setting), SLOT);
  return buildLending(accounts, amount, NOW).action;
}

const names = (setting: LendingSetting, action: LendingAction = 'deposit') =>
  lend(action, setting).instructions.map(({ name }) => name);

describe('a build is refused for', () => {
  it('an unknown market', () => {
    expect(codeOf(() => lend('deposit', {}, { market: addressNumber(9) }))).toBe('KLEND_MARKET_NOT_FOUND');
    // An account of another kind.
    expect(codeOf(() => lend('deposit', {}, { market: reserveAddress(0) }))).toBe('KLEND_MARKET_NOT_FOUND');
    expect(codeOf(() => lend('deposit', {}, { market: WALLET }))).toBe('KLEND_MARKET_NOT_FOUND');
  });

  it('an unknown reserve, or one of another market', () => {
    expect(codeOf(() => lend('deposit', {}, { reserve: addressNumber(9) }))).toBe('KLEND_RESERVE_NOT_FOUND');
    expect(codeOf(() => lend('deposit', {}, { reserve: MARKET }))).toBe('KLEND_RESERVE_NOT_FOUND');
    const elsewhere = { reserves: [{ change: { lendingMarket: addressNumber(8) } }] };
    expect(codeOf(() => lend('deposit', elsewhere))).toBe('RESERVE_NOT_IN_MARKET');
  });

  it('an invalid request before the second round of reads', () => {
    const request = lendingRequest('borrow');
    const read = lendingChain({ obligation: 'none' });
    expect(codeOf(() => secondLendingReads(request, read))).toBe('KLEND_OBLIGATION_NOT_FOUND');
  });

  it.each(['borrow', 'repay', 'withdraw'] as const)('%s without an obligation', (action) => {
    expect(codeOf(() => lend(action, { obligation: 'none' }))).toBe('KLEND_OBLIGATION_NOT_FOUND');
    expect(codeOf(() => lend(action, { obligation: 'closed' }))).toBe('KLEND_OBLIGATION_NOT_FOUND');
  });

  it('a repayment without that debt, a withdrawal without that deposit', () => {
    expect(codeOf(() => lend('repay', { deposits: [[0, 5n]] }))).toBe('KLEND_POSITION_NOT_FOUND');
    expect(codeOf(() => lend('withdraw', { reserves: [{}, {}], deposits: [[1, 5n]] }))).toBe(
      'KLEND_POSITION_NOT_FOUND',
    );
  });

  it('an obligation of another wallet or another market', () => {
    const choice = { obligation: { address: OWN } };
    expect(codeOf(() => lend('deposit', {}, choice))).toBe('none');
    expect(codeOf(() => lend('deposit', { change: { owner: addressNumber(5) } }, choice))).toBe(
      'BUILD_REFUSED',
    );
    expect(codeOf(() => lend('deposit', { change: { lendingMarket: addressNumber(5) } }, choice))).toBe(
      'BUILD_REFUSED',
    );
    expect(codeOf(() => lend('deposit', { obligation: 'none' }, choice))).toBe('KLEND_OBLIGATION_NOT_FOUND');
  });

  it('a deposit of "all" in SOL, or with an empty balance', () => {
    const sol = { reserves: [{ sol: true }], balances: [7n] };
    expect(codeOf(() => lend('deposit', sol, {}, { all: true }))).toBe('BUILD_REFUSED');
    expect(codeOf(() => lend('deposit', {}, {}, { all: true }))).toBe('BUILD_REFUSED');
    expect(lend('deposit', { balances: [7n] }, {}, { all: true }).amount).toBe(7n);
  });

  it('an unknown vault, and a withdrawal of "all" without shares', () => {
    const read = vaultChain();
    expect(codeOf(() => vaultAccounts(vaultRequest({ vault: WALLET }), read, SLOT))).toBe('KVAULT_NOT_FOUND');
    expect(codeOf(() => vaultAccounts(vaultRequest({ vault: addressNumber(77) }), read, SLOT))).toBe(
      'KVAULT_NOT_FOUND',
    );
    const accounts = vaultAccounts(vaultRequest({ vault: VAULT }), read, SLOT);
    expect(codeOf(() => buildVaultExit(accounts, { all: true }, NOW))).toBe('KVAULT_POSITION_NOT_FOUND');
  });

  it('an unstaking of shares that are not staked, which says how many there are', () => {
    const unstake = (setting: object) =>
      buildUnstakeShares(
        vaultAccounts(vaultRequest(), vaultChain({ farm: true, ...setting }), SLOT),
        { all: true },
        NOW,
      );
    for (const stake of [{}, { staked: 0n }]) {
      expect(codeOf(() => unstake(stake))).toBe('KVAULT_POSITION_NOT_FOUND');
      expect(() => unstake({ shares: 12_500_000n, ...stake })).toThrow(/holds 12\.5 unstaked shares/);
    }
  });

  it('a reserve or vault with impossible decimals', () => {
    const damaged = { reserves: [{ change: { liquidity: { mintDecimals: 10n ** 18n } } }] };
    expect(codeOf(() => lend('deposit', damaged))).toBe('ACCOUNT_MALFORMED');
    const vault = vaultChain({ change: { sharesMintDecimals: 256n } });
    expect(codeOf(() => vaultAccounts(vaultRequest(), vault, SLOT))).toBe('ACCOUNT_MALFORMED');
  });

  it('an invalid obligation key', () => {
    expect(codeOf(() => obligationKey(7, 0, null, null))).toBe('BUILD_REFUSED');
    expect(codeOf(() => obligationKey(0, 256, null, null))).toBe('BUILD_REFUSED');
    expect(codeOf(() => obligationKey(1, 0, MARKET, null))).toBe('BUILD_REFUSED');
    expect(codeOf(() => obligationKey(0, 0, MARKET, MARKET))).toBe('BUILD_REFUSED');
    expect(obligationKey(0, 255, null, null)).toEqual({ ...VANILLA_OBLIGATION, id: 255 });
    expect(obligationKey(3, 1, MARKET, WALLET)).toEqual({ tag: 3, id: 1, seed1: MARKET, seed2: WALLET });
  });
});

describe('set-up', () => {
  it('creates all accounts on a first deposit', () => {
    const setting = { obligation: 'none', metadata: false, reserves: [{ farmCollateral: true }] } as const;
    expect(names(setting)).toEqual([
      'createAssociatedTokenIdempotent',
      'initUserMetadata',
      'initObligation',
      'initObligationFarmsForReserve',
      'refreshReserve',
      'refreshObligation',
      'depositReserveLiquidityAndObligationCollateralV2',
    ]);
  });

  it('initialises a closed obligation that still has lamports', () => {
    const built = names({ obligation: 'closed', reserves: [{ farmCollateral: true }] });
    expect(built).toContain('initObligation');
    expect(built).not.toContain('initUserMetadata');
    const withFarmUser = {
      obligation: 'closed',
      reserves: [{ farmCollateral: true }],
      farmUsers: [{ reserve: 0, side: 'collateral' }],
    };
    expect(names(withFarmUser as LendingSetting)).not.toContain('initObligationFarmsForReserve');
  });

  it('creates a missing referrer account for every debt', () => {
    const setting = {
      reserves: [{}, {}, {}],
      deposits: [[2, 10n ** 12n]],
      borrows: [[1, 5n]],
      referred: true,
    } as const;
    expect(names(setting, 'borrow').filter((name) => name === 'initReferrerTokenState')).toHaveLength(2);
    expect(names({ ...setting, referrerStates: [0, 1] }, 'borrow')).not.toContain('initReferrerTokenState');
  });

  it('takes the token program from the reserve', () => {
    const built = lend('deposit', { reserves: [{ tokenProgram: TOKEN_2022_PROGRAM }] });
    for (const name of [
      'createAssociatedTokenIdempotent',
      'depositReserveLiquidityAndObligationCollateralV2',
    ]) {
      const step = built.instructions.find((each) => each.name === name);
      expect(step?.accounts.map(({ address }) => address)).toContain(TOKEN_2022_PROGRAM);
    }
  });

  it('names every account', () => {
    for (const step of lend('deposit', { obligation: 'none', metadata: false }).instructions) {
      expect(step.labels).toHaveLength(step.accounts.length);
      expect(step.summary).not.toBe('');
    }
  });
});

describe('wrapped SOL', () => {
  const sol = (balances: (bigint | undefined)[]): LendingSetting => ({
    reserves: [{ sol: true }, {}],
    deposits: [
      [0, 10n ** 10n],
      [1, 10n ** 12n],
    ],
    borrows: [[0, 10n ** 9n]],
    balances,
  });
  const closes = (action: LendingAction, balances: (bigint | undefined)[], unwrapSol?: boolean) => {
    const accounts = lendingAccounts(lendingRequest(action), lendingChain(sol(balances)), SLOT);
    const options = unwrapSol === undefined ? {} : { unwrapSol };
    const { action: built } = buildLending(accounts, { tokens: parseDecimal('0.5') }, NOW, options);
    return built.instructions.at(-1)?.name === 'closeAccount';
  };

  it.each(['deposit', 'repay'] as const)('%s: closed unless the wallet had wrapped SOL', (action) => {
    expect(closes(action, [undefined])).toBe(true);
    expect(closes(action, [0n])).toBe(true);
    expect(closes(action, [1n])).toBe(false);
    expect(closes(action, [1n], true)).toBe(true);
    expect(closes(action, [undefined], false)).toBe(false);
  });

  it.each(['borrow', 'withdraw'] as const)('%s: closed, so the wallet receives SOL', (action) => {
    expect(closes(action, [undefined])).toBe(true);
    expect(closes(action, [1n])).toBe(true);
    expect(closes(action, [1n], false)).toBe(false);
  });

  it('wraps exactly the amount and leaves existing wrapped SOL alone', () => {
    const accounts = lendingAccounts(lendingRequest('deposit'), lendingChain(sol([5_000n])), SLOT);
    const { instructions } = buildLending(accounts, { tokens: parseDecimal('0.5') }, NOW).action;
    const moved = instructions.find(({ name }) => name === 'transferLamports');
    expect(Buffer.from(moved?.data ?? []).readBigUInt64LE(4)).toBe(500_000_000n);
  });

  it('wraps a margin for interest on a full repayment', () => {
    const accounts = lendingAccounts(lendingRequest('repay'), lendingChain(sol([undefined])), SLOT);
    const { instructions } = buildLending(accounts, { all: true }, NOW).action;
    const moved = instructions.find(({ name }) => name === 'transferLamports');
    expect(Buffer.from(moved?.data ?? []).readBigUInt64LE(4)).toBe(1_001_000_000n);
  });

  it('wraps the interest of 150 seconds when that is more than the minimum margin', () => {
    // A million SOL at 20.6 %: utilization is 0.4, on a curve from 1 % to 50 %. 375 slots of 400 ms.
    const setting = { ...sol([undefined]), borrows: [[0, 10n ** 15n]] as const };
    const accounts = lendingAccounts(lendingRequest('repay'), lendingChain(setting), SLOT);
    const { instructions } = buildLending(accounts, { all: true }, NOW).action;
    const moved = instructions.find(({ name }) => name === 'transferLamports');
    expect(Buffer.from(moved?.data ?? []).readBigUInt64LE(4)).toBe(1_000_001_224_791_464n);
  });
});
