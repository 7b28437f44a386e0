import type { Address } from '@solana/kit';
import { type Build, buildLending } from '../../../src/builders/actions.ts';
import type { AmountInput } from '../../../src/builders/amount.ts';
import { type LendingAccounts, lendingAccounts } from '../../../src/builders/lending/accounts.ts';
import type { LendingAction } from '../../../src/builders/lending/request.ts';
import type { LedgerAccount } from '../../../src/demo/ledger.ts';
import { PROGRAMS } from '../../../src/demo/runtime/programs.ts';
import { createDemoLedger, type DemoLedger } from '../../../src/demo/world/demo-ledger.ts';
import type { Obligation as ModelObligation } from '../../../src/demo/world/model.ts';
import { timeOf } from '../../../src/demo/world/time.ts';
import type { Moment } from '../../../src/domain/moment.ts';
import { integer } from '../../../src/numeric/rational.ts';
import { type Obligation, obligation } from '../../../src/programs/klend/obligation.ts';
import { type Reserve, reserve } from '../../../src/programs/klend/reserve.ts';
import { type AccountLayout, viewOf } from '../../../src/programs/layout/account.ts';
import type { EncodedInstruction } from '../../../src/programs/layout/instruction.ts';
import type { Fields, StructInput } from '../../../src/programs/layout/struct.ts';
import { MAINNET_PROGRAMS } from '../../../src/programs/program-ids.ts';
import { decodeTokenAccount, encodeTokenAccount } from '../../../src/programs/token/token-account.ts';
import { failureOf } from './lending-bench.ts';
import { ProgramBench } from './program-bench.ts';
import { stakingFarms } from './stand-in-programs.ts';

const { klend } = MAINNET_PROGRAMS;
const START_MS = Date.UTC(2026, 5, 15, 13, 20);

let shared: DemoLedger | undefined;

/** The generated world, made once per test file; benches write to an overlay of it. */
function sharedWorld(): DemoLedger {
  shared ??= createDemoLedger({ now: () => START_MS });
  return shared;
}

/** The world's example wallet with its two obligations: one outside groups, one in an elevation group. */
export class LendingWorld extends ProgramBench {
  readonly #obligations: readonly ModelObligation[];
  readonly wallet: Address;

  constructor() {
    const ledger = sharedWorld();
    const slot = ledger.slot + 1n;
    super(
      new Map([stakingFarms, ...PROGRAMS.values()].map((each) => [each.address, each])).values(),
      { slot, unixTimestamp: BigInt(timeOf(slot)) },
      { get: (address) => ledger.account(address) },
    );
    this.wallet = ledger.addresses.wallet;
    const wallet = ledger.world.wallets.find(({ address }) => address === this.wallet);
    this.#obligations = wallet?.obligations ?? [];
  }

  get moment(): Moment {
    const { slot, unixTimestamp } = this.clock;
    return { slot, timestamp: unixTimestamp, slotDurationMs: integer(400) };
  }

  /** Moves the clock. Prices stay as they are. */
  wait(slots: bigint): void {
    const slot = this.clock.slot + slots;
    this.clock = { slot, unixTimestamp: BigInt(timeOf(slot)) };
  }

  model(index: number): ModelObligation {
    const found = this.#obligations[index];
    if (found === undefined) throw new RangeError(`The wallet has no obligation ${index}`);
    return found;
  }

  reserveAddress(symbol: string, index = 0): Address {
    const found = this.model(index).market.reserves.find(({ token }) => token.symbol === symbol);
    if (found === undefined) throw new RangeError(`The market has no reserve ${symbol}`);
    return found.address;
  }

  /** What the builders read for an action on one of the obligations. */
  accounts(action: LendingAction, symbol: string, index = 0): LendingAccounts {
    const { market, address } = this.model(index);
    const target = this.reserveAddress(symbol, index);
    return lendingAccounts(
      {
        action,
        programs: MAINNET_PROGRAMS,
        wallet: this.wallet,
        market: market.address,
        reserve: target,
        obligation: { address },
        lookupTables: [],
        oracles: [],
      },
      (each) => this.get(each) ?? null,
      this.clock.slot,
    );
  }

  build(action: LendingAction, symbol: string, input: AmountInput, index = 0): Build {
    return buildLending(this.accounts(action, symbol, index), input, this.moment);
  }

  /** The error number, the runtime's error, or null. Runs the instructions of the lending program only. */
  failureOf(instructions: readonly EncodedInstruction[]): number | string | null {
    return failureOf(this.run(lendingOnly(instructions)));
  }

  account(address: Address): LedgerAccount {
    const found = this.get(address);
    if (found === undefined) throw new RangeError(`No account ${address}`);
    return found;
  }

  /** Overwrites the given fields of an account. */
  change<F extends Fields>(layout: AccountLayout<F>, address: Address, fields: StructInput<F>): void {
    const account = this.account(address);
    const data = account.data.slice();
    layout.body.write(viewOf(data), layout.discriminator.length, fields);
    this.set(address, { ...account, data });
  }

  obligation(index = 0): Obligation {
    return obligation.decode(this.account(this.model(index).address), klend);
  }

  reserve(symbol: string, index = 0): Reserve {
    return reserve.decode(this.account(this.reserveAddress(symbol, index)), klend);
  }

  balance(address: Address): bigint {
    return decodeTokenAccount(this.account(address)).amount;
  }

  /** Gives the wallet a token account with this many base units. */
  fund(symbol: string, amount: bigint, index = 0): Address {
    const { token, tokenProgram, reserve: target } = this.accounts('repay', symbol, index);
    const data = encodeTokenAccount({
      mint: target.liquidity.mintPubkey,
      owner: this.wallet,
      amount,
      delegate: null,
      delegatedAmount: 0n,
      frozen: false,
      nativeRentLamports: null,
      closeAuthority: null,
      extensions: [],
    });
    this.set(token.address, { owner: tokenProgram, lamports: 2_039_280n, data, executable: false });
    return token.address;
  }
}

export function lendingOnly(instructions: readonly EncodedInstruction[]): EncodedInstruction[] {
  return instructions.filter(({ programAddress }) => programAddress === klend);
}
