import { unstake } from '@sluice/protocol/farms/instructions';
import { marketAuthority } from '@sluice/protocol/klend/addresses';
import { vaultWithdraw } from '@sluice/protocol/kvault/instructions';
import type { EncodedInstruction } from '@sluice/protocol/layout/instruction';
import { U64_MAX, WAD } from '@sluice/protocol/numeric/fraction';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import type { BuiltAction } from '../../src/builders/built-instruction.ts';
import { type VaultAccounts, vaultAccounts } from '../../src/builders/vault/accounts.ts';
import { buildVaultDeposit } from '../../src/builders/vault/deposit.ts';
import { firstVaultReads, secondVaultReads, type VaultRequest } from '../../src/builders/vault/request.ts';
import { buildVaultWithdraw, walletShares } from '../../src/builders/vault/withdraw.ts';
import { NOW } from '../support/builders/lending-accounts.ts';
import {
  argsOf,
  line,
  nameOf,
  type VaultSequence,
  vaultSequences,
} from '../support/vectors/sequence-vectors.ts';

interface Subject {
  readonly given: VaultSequence;
  readonly accounts: VaultAccounts;
}

const isAll = ({ given }: Subject) => given.amount === U64_MAX;
const withdrawals = (all: readonly EncodedInstruction[]) => all.filter((each) => nameOf(each) === 'withdraw');

/** The same withdrawal with another number of shares. */
function withShares(each: EncodedInstruction, sharesAmount: bigint): EncodedInstruction {
  const { programAddress, accounts, remaining } = vaultWithdraw.decode(each);
  return vaultWithdraw.encode(programAddress, accounts, { sharesAmount }, remaining);
}

/** Every intended difference from the SDK: how its instructions are adjusted before the comparison, and why. */
const DIFFERENCES: readonly {
  readonly what: string;
  readonly why: string;
  apply(instructions: EncodedInstruction[], subject: Subject): EncodedInstruction[];
}[] = [
  {
    what: 'a request for more shares than the wallet has is encoded unchanged',
    why: 'the API does not turn it into withdraw-all, so the share account is not closed either',
    apply: (all, { given, accounts }) => {
      const held = walletShares(accounts).total;
      if (given.action !== 'withdraw' || given.amount === U64_MAX || given.amount <= held) return all;
      return all
        .filter(
          (each) => each.accounts[0]?.address !== accounts.shares.address || nameOf(each) !== 'closeAccount',
        )
        .map((each) => (nameOf(each) === 'withdraw' ? withShares(each, given.amount) : each));
    },
  },
  {
    what: 'shares over several reserves add up to the requested amount',
    why: 'the SDK rounds each part down and subtracts idle tokens twice, leaving shares behind',
    apply: (all, subject) => {
      if (subject.given.action !== 'withdraw' || isAll(subject) || withdrawals(all).length < 2) return all;
      return all.flatMap((each) => (nameOf(each) === 'withdraw' ? [] : [each])).concat(split(subject));
    },
  },
  {
    what: 'a full exit over several reserves sweeps with the last part only',
    why: 'the program charges its penalty on every share named by an instruction, and rejects more than a reserve has available',
    apply: (all, subject) =>
      isAll(subject) && withdrawals(all).length > 1
        ? all.flatMap((each) => (nameOf(each) === 'withdraw' ? [] : [each])).concat(split(subject))
        : all,
  },
  {
    what: 'the share account stays open after an exit over several reserves',
    why: 'a rounding unit may remain, and closing a non-empty account fails the transaction',
    apply: (all, subject) =>
      isAll(subject) && withdrawals(all).length > 1
        ? all.filter((each) => nameOf(each) !== 'closeAccount')
        : all,
  },
  {
    what: 'the share account stays open where a share is worth less than a base unit of the token',
    why: 'the program burns only the shares that it pays whole base units for, and closing a non-empty account fails',
    apply: (all, subject) => {
      const { shares, vault } = subject.accounts;
      const { assets, scale } = assetsOf(vault);
      if (!isAll(subject) || assets >= vault.sharesIssued * scale) return all;
      return all.filter(
        (each) => nameOf(each) !== 'closeAccount' || each.accounts[0]?.address !== shares.address,
      );
    },
  },
];

/** The vault's assets, times a scale. Reserves of these cases hold 10^13 units for 9 * 10^12 collateral tokens, without fees. */
function assetsOf({ tokenAvailable, vaultAllocationStrategy }: VaultAccounts['vault']) {
  const collateral = vaultAllocationStrategy.reduce((sum, each) => sum + each.ctokenAllocation, 0n);
  return { assets: tokenAvailable * 9n + collateral * 10n, scale: 9n };
}

/**
 * The parts of a withdrawal over several reserves, recomputed independently: tokens per share is the vault's value over
 * its shares; each reserve provides its available liquidity less one unit, largest first; the first part includes the
 * idle tokens.
 */
function split({ given, accounts }: Subject): EncodedInstruction[] {
  const { vault, reserves } = accounts;
  const wanted = isAll({ given, accounts }) ? walletShares(accounts).total : given.amount;
  const free = [...reserves].map(([address, { liquidity }]) => ({
    address,
    units: liquidity.totalAvailableAmount - 1n,
  }));
  free.sort((a, b) => Number(b.units - a.units));
  const { assets, scale } = assetsOf(vault);
  const sharesFor = (tokens: bigint) => (tokens * scale * vault.sharesIssued) / assets;
  const parts: EncodedInstruction[] = [];
  let [left, idle] = [wanted, vault.tokenAvailable];
  for (const { address, units } of free) {
    const template = withdrawals(given.expected)[0];
    if (template === undefined || left === 0n) break;
    const most = sharesFor(units + idle);
    const last = left <= most;
    const shares = last ? (isAll({ given, accounts }) ? U64_MAX : left) : most;
    parts.push(withdrawalFrom(template, accounts, address, shares));
    left = last ? 0n : left - most;
    idle = 0n;
  }
  return parts;
}

function withdrawalFrom(
  template: EncodedInstruction,
  { vault, reserves }: VaultAccounts,
  address: Address,
  sharesAmount: bigint,
): EncodedInstruction {
  const { programAddress, accounts, remaining } = vaultWithdraw.decode(template);
  const reserve = reserves.get(address);
  const allocation = vault.vaultAllocationStrategy.find((each) => each.reserve === address);
  if (reserve === undefined || allocation === undefined) throw new Error('no such reserve');
  return vaultWithdraw.encode(
    programAddress,
    {
      ...accounts,
      reserve: address,
      ctokenVault: allocation.ctokenVault,
      lendingMarket: reserve.lendingMarket,
      lendingMarketAuthority: marketAuthority(MAINNET_PROGRAMS.klend, reserve.lendingMarket).address,
      reserveLiquiditySupply: reserve.liquidity.supplyVault,
      reserveCollateralMint: reserve.collateral.mintPubkey,
    },
    { sharesAmount },
    remaining,
  );
}

function requestOf({ wallet, vault }: VaultSequence): VaultRequest {
  return { programs: MAINNET_PROGRAMS, wallet, vault, lookupTables: [] };
}

function build(subject: Subject): BuiltAction {
  const { given: each, accounts } = subject;
  const amount = isAll(subject) ? ('all' as const) : each.amount;
  return each.action === 'deposit'
    ? buildVaultDeposit(accounts, amount, { ...NOW, slot: each.slot })
    : buildVaultWithdraw(accounts, amount, { ...NOW, slot: each.slot });
}

const subjects = vaultSequences().map((each): readonly [string, Subject] => [
  each.name,
  { given: each, accounts: vaultAccounts(requestOf(each), each.read, each.slot) },
]);

describe('vault builders against the official SDK', () => {
  it.each(subjects)('%s: same instructions, accounts, roles and data', (_, subject) => {
    const expected = DIFFERENCES.reduce((all, { apply }) => apply(all, subject), [...subject.given.expected]);
    const built = build(subject).instructions;
    expect(built.map(line).sort()).toEqual(expected.map(line).sort());
  });

  it.each(subjects)('%s: the same order', (_, subject) => {
    const names = (all: readonly EncodedInstruction[]) => [...new Set(all.map(nameOf))];
    const built = names(build(subject).instructions);
    expect(built).toEqual(names(subject.given.expected).filter((name) => built.includes(name)));
  });

  it.each(subjects)('%s: reads only accounts of the two rounds', (_, { given: each }) => {
    const request = requestOf(each);
    const requested = new Set([...firstVaultReads(request), ...secondVaultReads(request, each.read)]);
    const missed: Address[] = [];
    vaultAccounts(
      request,
      (address) => {
        if (!requested.has(address)) missed.push(address);
        return each.read(address);
      },
      each.slot,
    );
    expect(missed).toEqual([]);
  });

  it('splits shares into parts that add up to the request, and sweeps only with the last', () => {
    for (const [, subject] of subjects) {
      const shares = withdrawals(build(subject).instructions).map(
        (each) => argsOf(each).sharesAmount as bigint,
      );
      if (shares.length < 2) continue;
      expect(shares.slice(0, -1)).not.toContain(U64_MAX);
      if (isAll(subject)) expect(shares.at(-1)).toBe(U64_MAX);
      else expect(shares.reduce((sum, each) => sum + each, 0n)).toBe(subject.given.amount);
    }
  });

  it('unstakes exactly the shares missing from the unstaked balance', () => {
    const subject = new Map(subjects).get('withdraw staked and unstaked');
    const step = subject && build(subject).instructions.find(({ name }) => name === 'unstake');
    expect(step && unstake.decode(step).args.stakeSharesScaled).toBe(500_000n * WAD);
  });

  it('needs every listed difference', () => {
    for (const { what, apply } of DIFFERENCES) {
      const used = subjects.some(([, subject]) => {
        const before = [...subject.given.expected];
        return (
          apply([...before], subject)
            .map(line)
            .join() !== before.map(line).join()
        );
      });
      expect(used, what).toBe(true);
    }
  });
});
