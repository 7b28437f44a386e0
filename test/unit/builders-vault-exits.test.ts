import { Rational } from '@sluice/protocol/numeric/rational';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { vaultAccounts } from '../../src/builders/vault/accounts.ts';
import { buildVaultExit } from '../../src/builders/vault/action.ts';
import { vaultOutcome } from '../../src/builders/vault/preview.ts';
import { NOW, reserveAddress, SLOT } from '../support/builders/lending-accounts.ts';
import {
  reserveNumbers,
  type VaultNumbers,
  vaultNumbers,
  vaultOf,
} from '../support/builders/random-vault.ts';
import { type VaultSetting, vaultChain, vaultRequest } from '../support/builders/vault-accounts.ts';
import { programWithdraw } from '../support/builders/vault-program.ts';

const T = NOW.timestamp;

const given = fc.record({
  ...vaultNumbers,
  reserves: fc.array(reserveNumbers, { minLength: 1, maxLength: 4 }),
  askedPerMille: fc.oneof(fc.constant(1_000n), fc.bigInt(1n, 999n)),
});

/** Everything that the program and the builder are given, from the same numbers. */
function world(from: VaultNumbers) {
  const { port, portReserves, reserves, held, fields } = vaultOf(from, T);
  const setting: VaultSetting = {
    idle: from.idle,
    sharesIssued: port.sharesIssued,
    invested: port.allocations,
    reserves: reserves.map(({ available, borrowed, minted }) => ({
      available,
      borrowed,
      collateral: minted,
    })),
    shares: held,
    penaltyBps: from.penaltyBps,
    change: fields,
  };
  const accounts = vaultAccounts(vaultRequest(), vaultChain(setting), SLOT);
  return { accounts, vault: port, reserves: portReserves, wallet: { shares: held, tokens: 0n } };
}

const WITHDRAWALS = /^Withdraw /;

describe('a vault exit', () => {
  it('pays and burns what the program does, to the base unit', () => {
    let [fromReserves, fromSeveral, refusedCount] = [0, 0, 0];
    fc.assert(
      fc.property(given, (from) => {
        const { accounts, vault, reserves, wallet } = world(from);
        const { shares: held } = wallet;
        const asked = (held * from.askedPerMille) / 1_000n;
        fc.pre(held > 0n && asked > 0n);
        const all = from.askedPerMille === 1_000n;
        const decimals = 10n ** accounts.vault.sharesMintDecimals;
        const input = all ? { all: true as const } : { shares: Rational.of(asked, decimals) };
        const { action } = buildVaultExit(accounts, input, NOW);
        const effect = vaultOutcome(accounts, 'withdraw', action, NOW);

        const instructions = action.instructions.filter(({ summary }) => WITHDRAWALS.test(summary));
        let refusal: string | undefined;
        for (const { data, accounts: metas, labels } of instructions) {
          const named = Buffer.from(data).readBigUInt64LE(8);
          const reserve = metas[labels.indexOf('reserve')]?.address;
          const index = reserves.findIndex((_, i) => reserveAddress(i) === reserve);
          refusal = programWithdraw(vault, reserves, wallet, index < 0 ? null : index, named, T);
          if (refusal !== undefined) break;
        }
        if (instructions.some(({ labels }) => labels.includes('reserve'))) fromReserves += 1;
        if (instructions.length > 1) fromSeveral += 1;
        if (refusal !== undefined) {
          refusedCount += 1;
          // Missing liquidity has a warning of its own.
          if (refusal !== 'InsufficientLiquidity') expect(effect.refused).toBe(true);
          return;
        }
        expect(effect).toMatchObject({
          refused: false,
          tokens: wallet.tokens,
          shares: held - wallet.shares,
        });
        expect(effect.vault).toMatchObject({
          tokenAvailable: vault.tokenAvailable,
          sharesIssued: vault.sharesIssued,
          pendingFeesSf: vault.pendingFees,
          prevAumSf: vault.prevAum,
        });
        for (const [index, reserve] of reserves.entries()) {
          const after = effect.reserves.get(reserveAddress(index));
          expect(after?.liquidity.totalAvailableAmount).toBe(reserve.available);
          expect(after?.collateral.mintTotalSupply).toBe(reserve.minted);
        }
        // The account of the shares is closed only when it is empty.
        const closes = action.instructions.some(({ summary }) => summary.startsWith('Close the empty share'));
        if (closes) expect(wallet.shares).toBe(0n);
      }),
      { numRuns: 400, seed: 20_261_116 },
    );
    expect(fromReserves).toBeGreaterThan(100);
    expect(fromSeveral).toBeGreaterThan(20);
    expect(refusedCount).toBeGreaterThan(0);
  });

  it('keeps the rounding unit of a reserve in the vault', () => {
    const { accounts } = world({
      reserves: [{ available: 1_500n, borrowed: 0n, mintedPerMille: 667n, ownedPerMille: 900n }],
      idle: 0n,
      sharesPerMille: 1_000n,
      heldPerMille: 1_000n,
      penaltyBps: 0n,
      minWithdraw: 0n,
      pendingFees: 0n,
      managementBps: 0n,
      performanceBps: 0n,
      secondsSinceCharge: 0n,
      rewardPerSecond: 0n,
      rewardsAvailable: 0n,
      secondsSinceIssuance: 0n,
    });
    const leave = (shares: bigint) => {
      const { action } = buildVaultExit(accounts, { shares: Rational.of(shares, 1_000_000n) }, NOW);
      const effect = vaultOutcome(accounts, 'withdraw', action, NOW);
      return [effect.tokens, effect.shares, effect.vault.tokenAvailable];
    };
    // A collateral token is worth 1.5 base units, a share one. 101 cost 68 collateral tokens, which redeem to 102.
    expect(leave(101n)).toEqual([101n, 101n, 1n]);
    // 100 cost 67 collateral tokens, which are worth 100.5 and redeem to 100; the program sends a unit less.
    expect(leave(100n)).toEqual([99n, 100n, 1n]);
  });

  it('leaves shares that are worth less than a base unit, and their account open', () => {
    const setting: VaultSetting = { idle: 999n, sharesIssued: 2_500n, invested: [], shares: 1_251n };
    const accounts = vaultAccounts(vaultRequest(), vaultChain(setting), SLOT);
    const { action } = buildVaultExit(accounts, { all: true }, NOW);
    // 1251 shares are worth 499.9 base units: 499 are paid, for 1249 shares.
    expect(vaultOutcome(accounts, 'withdraw', action, NOW)).toMatchObject({ tokens: 499n, shares: 1_249n });
    expect(action.instructions.map(({ summary }) => summary).join()).not.toContain('Close');
  });
});

describe('a vault with a reserve in emergency mode', () => {
  const exit = (emergencies: readonly number[], idle = 0n) => {
    const reserves = [9n, 5n].map((size, index) => ({
      available: size * 10n ** 9n,
      borrowed: 0n,
      collateral: size * 10n ** 9n,
      config: { emergencyMode: emergencies.includes(index) ? 1 : 0 },
    }));
    const setting: VaultSetting = {
      idle,
      invested: [9n * 10n ** 9n, 5n * 10n ** 9n],
      sharesIssued: 14n * 10n ** 9n + idle,
      shares: 4n * 10n ** 9n,
      reserves,
    };
    const accounts = vaultAccounts(vaultRequest(), vaultChain(setting), SLOT);
    const shares = Rational.of(4n * 10n ** 9n, 10n ** accounts.vault.sharesMintDecimals);
    const build = buildVaultExit(accounts, { shares }, NOW);
    const used = build.action.instructions
      .filter(({ labels }) => labels.includes('ctokenVault'))
      .map(({ accounts: metas, labels }) => metas[labels.indexOf('reserve')]?.address);
    const errors = build
      .preview()
      .warnings.filter(({ level }) => level === 'ERROR')
      .map(({ code }) => code);
    return { used, errors };
  };

  it('pays from the others, which it would leave alone otherwise', () => {
    expect(exit([])).toEqual({ used: [reserveAddress(0)], errors: [] });
    expect(exit([0])).toEqual({ used: [reserveAddress(1)], errors: [] });
  });

  it('cannot pay when none is left, except out of its idle tokens', () => {
    expect(exit([0, 1]).errors).toEqual(['LIQUIDITY_TOO_LOW']);
    expect(exit([0, 1], 10n ** 10n)).toEqual({ used: [], errors: [] });
  });
});
