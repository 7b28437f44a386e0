import type { StoredAccount } from '@sluice/localnet/chain';
import { PROGRAMS } from '@sluice/localnet/runtime/programs';
import type { Obligation as ModelObligation } from '@sluice/localnet/world/model';
import { timeOf } from '@sluice/localnet/world/time';
import { type Obligation, obligation } from '@sluice/protocol/klend/obligation';
import { type Reserve, reserve } from '@sluice/protocol/klend/reserve';
import { type AccountLayout, viewOf } from '@sluice/protocol/layout/account';
import type { EncodedInstruction } from '@sluice/protocol/layout/instruction';
import type { Fields, StructInput } from '@sluice/protocol/layout/struct';
import { integer } from '@sluice/protocol/numeric/rational';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { decodeTokenAccount, encodeTokenAccount } from '@sluice/protocol/token/token-account';
import type { Address } from '@solana/kit';
import { ProgramBench } from '../../../packages/localnet/test/support/runtime/program-bench.ts';
import type { Build } from '../../../src/builders/action.ts';
import type { AmountInput } from '../../../src/builders/amount.ts';
import { type LendingAccounts, lendingAccounts } from '../../../src/builders/lending/accounts.ts';
import { buildLending } from '../../../src/builders/lending/action.ts';
import type { LendingAction } from '../../../src/builders/lending/request.ts';
import type { Moment } from '../../../src/domain/moment.ts';
import { failureOf } from './lending-bench.ts';
import { sharedWorld } from './shared-world.ts';
import { stakingFarms } from './stand-in-programs.ts';

const { klend } = MAINNET_PROGRAMS;

/** The world's example wallet with its two obligations: one outside groups, one in an elevation group. */
export class LendingWorld extends ProgramBench {
  readonly #obligations: readonly ModelObligation[];
  readonly wallet: Address;

  constructor() {
    const localChain = sharedWorld();
    const slot = localChain.slot + 1n;
    super(
      new Map([stakingFarms, ...PROGRAMS.values()].map((each) => [each.address, each])).values(),
      { slot, unixTimestamp: BigInt(timeOf(slot)) },
      { get: (address) => localChain.account(address) },
    );
    this.wallet = localChain.addresses.wallet;
    const wallet = localChain.world.wallets.find(({ address }) => address === this.wallet);
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

  /** Accounts that the builders read for an action on one of the obligations. */
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

  account(address: Address): StoredAccount {
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
