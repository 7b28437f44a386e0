import { vaultState } from '@sluice/protocol/kvault/vault-state';
import { FRACTION_ONE } from '@sluice/protocol/numeric/fraction';
import { Rational } from '@sluice/protocol/numeric/rational';
import { MAINNET_PROGRAMS, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { associatedTokenAddress } from '@sluice/protocol/token/addresses';
import { decodeTokenAccount } from '@sluice/protocol/token/token-account';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withChanges } from '../../src/builders/account-changes.ts';
import type { ReadAccounts } from '../../src/builders/read-accounts.ts';
import { walletToken } from '../../src/builders/read-accounts.ts';
import { buildRedeemInKind } from '../../src/builders/vault/redeem-in-kind.ts';
import { reserveNumbers, vaultNumbers, vaultOf } from '../support/builders/random-vault.ts';
import { VaultBench } from '../support/localnet/vault-bench.ts';

/** The exchange of shares for collateral tokens that the builder promises, against the one that the program makes. */

const { kvault } = MAINNET_PROGRAMS;
const INSTRUCTION = 'redeemInKind';

function readOf(bench: VaultBench): ReadAccounts {
  return (address) => {
    const account = bench.get(address);
    return account === undefined || account.lamports === 0n ? null : { ...account, address };
  };
}

function redemption(bench: VaultBench, index: number, shares: bigint | 'all') {
  const reserve = bench.reserveAddress(index);
  const mint = bench.reserve(reserve).collateral.mintPubkey;
  const address = associatedTokenAddress(bench.wallet, TOKEN_PROGRAM, mint).address;
  const vault = { ...bench.accounts(), farm: null };
  const accounts = { vault, reserve, collateral: walletToken(readOf(bench), address) };
  const decimals = vault.vault.sharesMintDecimals;
  const amount = shares === 'all' ? { all: true as const } : { shares: Rational.of(shares, 10n ** decimals) };
  return { built: buildRedeemInKind(accounts, amount, bench.moment), address };
}

/** What the wallet and the vault have, by accounts. */
function holdings(bench: VaultBench, read: ReadAccounts, collateral: Parameters<ReadAccounts>[0]) {
  const tokens = (address: Parameters<ReadAccounts>[0]) => {
    const account = read(address);
    return account === null ? 0n : decodeTokenAccount(account).amount;
  };
  const account = read(bench.vault.address) ?? expect.fail('no vault');
  const state = vaultState.decode(account, kvault);
  return {
    shares: tokens(bench.shareAccount),
    collateral: tokens(collateral),
    issued: state.sharesIssued,
    idle: state.tokenAvailable,
    prevAumSf: state.prevAumSf,
    pendingFeesSf: state.pendingFeesSf,
    allocations: state.vaultAllocationStrategy.map(({ ctokenAllocation }) => ctokenAllocation),
  };
}

describe('a redemption in kind', () => {
  it('changes the accounts as the builder says, to the base unit', () => {
    const outcomes = { done: 0, cut: 0, refused: 0 };
    fc.assert(
      fc.property(
        fc.record(vaultNumbers),
        fc.array(reserveNumbers, { minLength: 1, maxLength: 3 }),
        fc.bigInt(0n, 1_200n),
        fc.nat(2),
        fc.bigInt(0n, 50n),
        (numbers, reserves, askedPerMille, pick, penaltyUnits) => {
          const bench = new VaultBench('Jetty USDC');
          const now = bench.clock.unixTimestamp;
          const made = vaultOf({ ...numbers, reserves }, now);
          const { port, held, fields } = made;
          bench.shrink({
            idle: port.tokenAvailable,
            sharesIssued: port.sharesIssued,
            reserves: made.reserves.map(({ available, borrowed, minted, owned }) => ({
              available,
              lent: borrowed,
              minted,
              owned,
            })),
            change: {
              ...fields,
              withdrawalPenaltyBps: port.penaltyBps,
              withdrawalPenaltyLamports: penaltyUnits,
            },
          });
          bench.fund(0n, held);
          const index = pick % reserves.length;
          const shares = askedPerMille > 1_000n ? 'all' : (held * askedPerMille) / 1_000n;
          if (held === 0n || shares === 0n) return;
          const { built, address } = redemption(bench, index, shares);
          const mint = bench.reserve(bench.reserveAddress(index)).collateral.mintPubkey;
          bench.openAccount(address, mint, bench.wallet, 0n);
          const read = readOf(bench);
          const promised = holdings(bench, withChanges(read, built.after(read)), address);
          const { warnings } = built.preview();
          const isRefused = warnings.some(({ level }) => level === 'ERROR');
          const call = built.action.instructions.filter(({ name }) => name === INSTRUCTION);
          const { failure } = bench.run(call);
          expect({ isRefused, failure }).toEqual({
            isRefused,
            failure: isRefused ? expect.anything() : null,
          });
          if (isRefused) {
            outcomes.refused += 1;
            return;
          }
          outcomes.done += 1;
          if (warnings.some(({ code }) => code === 'REDEEMED_IN_PART')) outcomes.cut += 1;
          expect(promised).toEqual(holdings(bench, readOf(bench), address));
        },
      ),
      { numRuns: 400 },
    );
    expect(outcomes.done).toBeGreaterThan(150);
    expect(outcomes.cut).toBeGreaterThan(0);
    expect(outcomes.refused).toBeGreaterThan(0);
  });

  it('pays collateral tokens for the value of the shares less the penalty', () => {
    const bench = new VaultBench('Pilot USDC');
    // A collateral token is worth 1.5 base units, a share 1.
    bench.shrink({
      idle: 0n,
      sharesIssued: 1_350n,
      reserves: [{ available: 0n, lent: 1_500n, minted: 1_000n, owned: 900n }],
      change: { withdrawalPenaltyBps: 100n },
    });
    bench.fund(0n, 1_350n);
    const { built, address } = redemption(bench, 0, 300n);
    const read = readOf(bench);
    const after = holdings(bench, withChanges(read, built.after(read)), address);
    // 300 less 3 are 198 collateral tokens, worth 297; 3 more are the penalty on top of that.
    expect(after).toMatchObject({
      collateral: 198n,
      shares: 1_050n,
      issued: 1_050n,
      prevAumSf: (1_350n - 297n) * FRACTION_ONE,
    });
    expect(built.preview().fees).toMatchObject([{ kind: 'WITHDRAWAL_PENALTY', amount: 3n }]);
  });
});
