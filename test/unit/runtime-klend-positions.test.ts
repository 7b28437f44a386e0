import type { Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { buildLending } from '../../src/builders/actions.ts';
import { lendingAccounts } from '../../src/builders/lending/accounts.ts';
import { lendingOutcome } from '../../src/builders/lending/preview.ts';
import type { LendingAction } from '../../src/builders/lending/request.ts';
import type { LedgerAccount } from '../../src/demo/ledger.ts';
import { PROGRAMS } from '../../src/demo/runtime/programs.ts';
import { createDemoLedger } from '../../src/demo/world/demo-ledger.ts';
import type { Reserve as ModelReserve } from '../../src/demo/world/model.ts';
import { timeOf } from '../../src/demo/world/time.ts';
import { integer } from '../../src/numeric/rational.ts';
import { farmUserState } from '../../src/programs/farms/addresses.ts';
import { userState } from '../../src/programs/farms/user-state.ts';
import { obligationAddress, VANILLA_OBLIGATION } from '../../src/programs/klend/addresses.ts';
import { obligation } from '../../src/programs/klend/obligation.ts';
import { reserve } from '../../src/programs/klend/reserve.ts';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  MAINNET_PROGRAMS,
  NO_ADDRESS,
  SYSTEM_PROGRAM,
  WRAPPED_SOL_MINT,
} from '../../src/programs/program-ids.ts';
import { associatedTokenAddress } from '../../src/programs/token/addresses.ts';
import { createAssociatedTokenIdempotent } from '../../src/programs/token/instructions.ts';
import { decodeMint } from '../../src/programs/token/mint.ts';
import { decodeTokenAccount, encodeTokenAccount } from '../../src/programs/token/token-account.ts';
import { addressNumber } from '../support/builders/lending-accounts.ts';
import { ProgramBench } from '../support/runtime/program-bench.ts';

const { klend, farms } = MAINNET_PROGRAMS;
const ledger = createDemoLedger({ now: () => Date.UTC(2026, 5, 15, 13, 20) });
const WALLET = addressNumber(1);
const RESERVES = ledger.world.markets.flatMap(({ reserves }) => reserves);
const OBSOLETE = 1;

/** A wallet that is new to the platform, with lamports and nothing else. */
class Newcomer extends ProgramBench {
  constructor() {
    const slot = ledger.slot + 1n;
    super(
      PROGRAMS.values(),
      { slot, unixTimestamp: BigInt(timeOf(slot)) },
      { get: (address) => ledger.account(address) },
    );
    this.set(WALLET, {
      owner: SYSTEM_PROGRAM,
      lamports: 10n ** 12n,
      data: new Uint8Array(),
      executable: false,
    });
  }

  account(address: Address): LedgerAccount {
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

describe('a newcomer deposits into every reserve of the world and leaves again', () => {
  const open = RESERVES.filter((each) => each.spec.status !== OBSOLETE && !isFull(each));

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
    const taken = after.liquidity.totalAvailableAmount - before.liquidity.totalAvailableAmount;
    expect(taken).toBe(effect.moved);
    if (!isSol(model)) expect(bench.tokens(model)).toBe(amount - taken);
    const { supply } = decodeMint(bench.account(after.collateral.mintPubkey));
    expect(supply).toBe(after.collateral.mintTotalSupply);
    const vault = decodeTokenAccount(bench.account(after.liquidity.supplyVault));
    expect(vault.amount).toBe(after.liquidity.totalAvailableAmount);
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
