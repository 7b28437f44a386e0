import type { StoredAccount } from '@sluice/localnet/chain';
import { PROGRAMS } from '@sluice/localnet/runtime/programs';
import type { Reserve as ModelReserve } from '@sluice/localnet/world/model';
import { timeOf } from '@sluice/localnet/world/time';
import { createWorldChain } from '@sluice/localnet/world/world-chain';
import { farmUserState } from '@sluice/protocol/farms/addresses';
import { userState } from '@sluice/protocol/farms/user-state';
import { obligationAddress, VANILLA_OBLIGATION } from '@sluice/protocol/klend/addresses';
import { obligation } from '@sluice/protocol/klend/obligation';
import { type Reserve, reserve } from '@sluice/protocol/klend/reserve';
import { integer } from '@sluice/protocol/numeric/rational';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  MAINNET_PROGRAMS,
  NO_ADDRESS,
  SYSTEM_PROGRAM,
  WRAPPED_SOL_MINT,
} from '@sluice/protocol/program-ids';
import { associatedTokenAddress } from '@sluice/protocol/token/addresses';
import { createAssociatedTokenIdempotent } from '@sluice/protocol/token/instructions';
import { decodeMint } from '@sluice/protocol/token/mint';
import { decodeTokenAccount, encodeTokenAccount } from '@sluice/protocol/token/token-account';
import type { Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { ProgramBench } from '../../packages/localnet/test/support/runtime/program-bench.ts';
import { lendingAccounts } from '../../src/builders/lending/accounts.ts';
import { buildLending } from '../../src/builders/lending/action.ts';
import { lendingOutcome } from '../../src/builders/lending/preview.ts';
import type { LendingAction } from '../../src/builders/lending/request.ts';
import { addressNumber } from '../support/builders/lending-accounts.ts';

const { klend, farms } = MAINNET_PROGRAMS;
const localChain = createWorldChain({ now: () => Date.UTC(2026, 5, 15, 13, 20) });
const WALLET = addressNumber(1);
const RESERVES = localChain.world.markets.flatMap(({ reserves }) => reserves);
const OBSOLETE = 1;

/** A wallet that is new to the platform, with lamports and nothing else. */
class Newcomer extends ProgramBench {
  constructor() {
    const slot = localChain.slot + 1n;
    super(
      PROGRAMS.values(),
      { slot, unixTimestamp: BigInt(timeOf(slot)) },
      { get: (address) => localChain.account(address) },
    );
    this.set(WALLET, {
      owner: SYSTEM_PROGRAM,
      lamports: 10n ** 12n,
      data: new Uint8Array(),
      executable: false,
    });
  }

  account(address: Address): StoredAccount {
    const found = this.get(address);
    if (found === undefined) throw new RangeError(`No account ${address}`);
    return found;
  }

  /** Runs the whole list of instructions that the builders make. Returns the effect that they announce. */
  act(action: LendingAction, { address, market }: ModelReserve, amount: bigint | 'all') {
    const { slot, unixTimestamp } = this.clock;
    const moment = { slot, timestamp: unixTimestamp, slotDurationMs: integer(400) };
    const request = {
      action,
      programs: MAINNET_PROGRAMS,
      wallet: WALLET,
      market: market.address,
      reserve: address,
      obligation: { key: VANILLA_OBLIGATION },
      lookupTables: [],
      oracles: [],
    };
    const accounts = lendingAccounts(request, (each) => this.get(each) ?? null, slot);
    const input = amount === 'all' ? { all: true as const } : { baseUnits: amount };
    const { instructions } = buildLending(accounts, input, moment).action;
    const { effect } = lendingOutcome(accounts, amount, moment);
    const { failure, logs, unitsConsumed } = this.run(instructions);
    return { failure, logs, unitsConsumed, effect };
  }

  obligation({ market }: ModelReserve) {
    const { address } = obligationAddress(klend, WALLET, market.address, VANILLA_OBLIGATION);
    return { address, account: this.account(address) };
  }

  reserve({ address }: ModelReserve) {
    return reserve.decode(this.account(address), klend);
  }

  tokens({ token }: ModelReserve): bigint {
    const { address } = associatedTokenAddress(WALLET, token.mint.program, token.mint.address);
    return decodeTokenAccount(this.account(address)).amount;
  }

  /** Creates the wallet's token account and puts base units into it. */
  fund({ token }: ModelReserve, amount: bigint): void {
    const { address: mint, program: tokenProgram } = token.mint;
    const { address } = associatedTokenAddress(WALLET, tokenProgram, mint);
    const accounts = {
      payer: WALLET,
      associatedToken: address,
      owner: WALLET,
      mint,
      systemProgram: SYSTEM_PROGRAM,
      tokenProgram,
    };
    this.run([createAssociatedTokenIdempotent.encode(ASSOCIATED_TOKEN_PROGRAM, accounts, {})]);
    const created = this.account(address);
    const data = encodeTokenAccount({ ...decodeTokenAccount(created), amount });
    this.set(address, { ...created, data });
  }
}

const isSol = ({ token }: ModelReserve) => token.mint.address === WRAPPED_SOL_MINT;

const symbolOf = ({ market, spec, token }: ModelReserve) => `${market.name} ${spec.label ?? token.symbol}`;
const amountOf = ({ token }: ModelReserve) => 5n * 10n ** BigInt(token.mint.decimals);

/** Whether the supply, with another deposit, exceeds the limit of the reserve. */
function isFull(model: ModelReserve): boolean {
  const { liquidity, config } = new Newcomer().reserve(model);
  const fees = liquidity.accumulatedProtocolFeesSf + liquidity.pendingReferrerFeesSf;
  const lentSf = liquidity.borrowedAmountSf - fees - liquidity.accumulatedReferrerFeesSf;
  return liquidity.totalAvailableAmount + (lentSf >> 60n) + amountOf(model) > config.depositLimit;
}

/** Base units in the supply vault: the liquidity, and rewards that are still to be given. */
const vaultAmount = ({ liquidity }: Reserve) =>
  liquidity.totalAvailableAmount + liquidity.rewardsAmountAvailable;

/** Tickets of other wallets wait for its liquidity. */
const hasQueue = ({ queuedCtokens }: ModelReserve) => queuedCtokens > 0n;

describe('a newcomer deposits into every reserve of the world and leaves again', () => {
  const open = RESERVES.filter((each) => each.spec.status !== OBSOLETE && !isFull(each) && !hasQueue(each));

  it.each(open.map((each) => [symbolOf(each), each] as const))('%s', (_, model) => {
    const bench = new Newcomer();
    const amount = amountOf(model);
    if (!isSol(model)) bench.fund(model, amount);
    const before = bench.reserve(model);
    const { failure, logs, effect, unitsConsumed } = bench.act('deposit', model, amount);
    expect(failure, logs.slice(-8).join('\n')).toBe(null);
    expect(unitsConsumed > 80_000 && unitsConsumed < 300_000).toBe(true);
    const after = bench.reserve(model);
    const { deposits } = obligation.decode(bench.obligation(model).account, klend);
    const minted = after.collateral.mintTotalSupply - before.collateral.mintTotalSupply;
    expect(minted).toBe(effect.collateral);
    expect(deposits[0]).toMatchObject({ depositReserve: model.address, depositedAmount: minted });
    const taken = vaultAmount(after) - vaultAmount(before);
    expect(taken).toBe(effect.moved);
    if (!isSol(model)) expect(bench.tokens(model)).toBe(amount - taken);
    const { supply } = decodeMint(bench.account(after.collateral.mintPubkey));
    expect(supply).toBe(after.collateral.mintTotalSupply);
    const vault = decodeTokenAccount(bench.account(after.liquidity.supplyVault));
    expect(vault.amount).toBe(vaultAmount(after));
    if (after.farmCollateral !== NO_ADDRESS) {
      const stake = farmUserState(farms, after.farmCollateral, bench.obligation(model).address).address;
      expect(userState.decode(bench.account(stake), farms).activeStakeScaled).toBe(minted);
    }

    const left = bench.act('withdraw', model, 'all');
    expect(left.failure, left.logs.slice(-8).join('\n')).toBe(null);
    expect(bench.obligation(model).account).toMatchObject({ owner: SYSTEM_PROGRAM, lamports: 0n });
    expect(left.effect.collateral).toBe(minted);
    expect(bench.reserve(model).collateral.mintTotalSupply).toBe(before.collateral.mintTotalSupply);
    if (!isSol(model)) expect(bench.tokens(model)).toBe(amount - taken + left.effect.moved);
  });
});

it('a newcomer cannot leave a reserve whose withdraw queue waits for the liquidity (6008)', () => {
  const [model, ...others] = RESERVES.filter(hasQueue);
  expect(others).toEqual([]);
  if (model === undefined) throw new Error('no reserve has a queue');
  const bench = new Newcomer();
  bench.fund(model, amountOf(model));
  expect(bench.act('deposit', model, amountOf(model)).failure).toBe(null);
  expect(bench.act('withdraw', model, 'all').failure?.reason).toEqual({ Custom: 6008 });
});

it('obsolete reserves (6082) and full ones (6090) take no deposit', () => {
  const refusals = RESERVES.filter((each) => each.spec.status === OBSOLETE || isFull(each)).map((model) => {
    const bench = new Newcomer();
    if (!isSol(model)) bench.fund(model, amountOf(model));
    const { failure } = bench.act('deposit', model, amountOf(model));
    expect(failure?.reason).toEqual({ Custom: model.spec.status === OBSOLETE ? 6082 : 6090 });
    return model.spec.status === OBSOLETE ? 'obsolete' : 'full';
  });
  expect(new Set(refusals)).toEqual(new Set(['obsolete', 'full']));
});
