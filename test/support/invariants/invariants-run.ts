import type { StoredAccount } from '@sluice/localnet/chain';
import type { ProcessedTransaction, TransactionOutcome } from '@sluice/localnet/runtime/outcome';
import { type KeyPair, labelledKeyPair } from '@sluice/localnet/world/key-pair';
import { Random } from '@sluice/localnet/world/prng';
import { slotAt, startOf } from '@sluice/localnet/world/time';
import { createWorldChain, type WorldChain } from '@sluice/localnet/world/world-chain';
import { obligation } from '@sluice/protocol/klend/obligation';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { type Address, isSolanaError } from '@solana/kit';
import type { BuiltInstruction } from '../../../src/builders/built-instruction.ts';
import { isCodedError } from '../../../src/errors/sluice-error.ts';
import { ChainBook, isA } from './chain-book.ts';
import { brokenLaws, type SupplyElsewhere, supplyElsewhere, wrappedSolLaws } from './chain-laws.ts';
import { hostile } from './hostile-changes.ts';
import { excessDebt } from './obligation-limit.ts';
import { RandomActions, type Wish } from './random-actions.ts';
import { signedPlan } from './signed-plan.ts';

const { klend } = MAINNET_PROGRAMS;
const START_MS = Date.UTC(2026, 5, 15, 13, 20);
const WALLETS = 6;
const SOL = 1_000_000_000n;
const UNIT_LIMIT = 1_000_000;
const HOSTILE_PERCENT = 45;
const REPLAY_PERCENT = 3;
/** All accounts are compared and counted again after so many transactions. */
const RECOUNT_EVERY = 500;
/** Actions after which the debt must be within its limit. */
const LIMITED = /^(borrow|withdrawObligation|requestElevation)/;

/** Number of attempts at something, and of those that succeeded. */
export interface Count {
  tried: number;
  accepted: number;
}

export interface InvariantsReport {
  readonly sent: number;
  /** By the name of the action; `hostile`: all that something was wrong with. */
  readonly counts: ReadonlyMap<string, Count>;
  /** Failures of well-formed actions and how often they came. */
  readonly refusals: ReadonlyMap<string, number>;
}

/** Sends random transactions to a chain on which nobody else acts, and throws where a law is broken. */
export class InvariantsRun {
  readonly localChain: WorldChain;
  readonly #seed: string;
  readonly #random: Random;
  readonly #keys: ReadonlyMap<Address, KeyPair>;
  readonly #wallets: ReadonlySet<Address>;
  readonly #actions: RandomActions;
  readonly #book: ChainBook;
  readonly #elsewhere: SupplyElsewhere;
  readonly #counts = new Map<string, Count>();
  readonly #refusals = new Map<string, number>();
  #changed: readonly Address[] = [];
  #nowMs = START_MS;
  #sent = 0;
  #last: Uint8Array | null = null;

  constructor(seed: string) {
    this.#seed = seed;
    this.#random = new Random('invariants', seed);
    this.localChain = createWorldChain({ scale: 1, now: () => this.#nowMs, quiet: true });
    const { world } = this.localChain;
    const pairs = [
      labelledKeyPair(world.seed, 'wallet-key', 'localnet'),
      ...Array.from({ length: WALLETS }, (_, i) => labelledKeyPair('invariants', seed, i)),
    ];
    this.#keys = new Map(pairs.map((pair) => [pair.address, pair]));
    this.#wallets = new Set(this.#keys.keys());
    this.#actions = new RandomActions(this.localChain, this.#random, [...this.#keys.keys()]);
    this.#book = new ChainBook(this.#allAccounts());
    this.#elsewhere = supplyElsewhere(
      this.#book,
      world.tokens.map(({ mint }) => mint.address),
    );
    this.localChain.onSlot((_, changed) => {
      for (const address of changed) this.#book.set(address, this.localChain.account(address));
    });
    this.localChain.onTransaction((_, changed) => {
      this.#changed = changed;
    });
  }

  run(count: number): InvariantsReport {
    this.#check(brokenLaws(this.#book, this.#elsewhere), 'the world as generated');
    this.#fund();
    while (this.#sent < count) {
      this.#act();
      if (this.#random.chance(30)) this.#moveTime();
      if (this.#random.chance(3)) this.#movePrice();
    }
    this.#recount();
    return { sent: this.#sent, counts: this.#counts, refusals: this.#refusals };
  }

  #fund(): void {
    const { faucet, world } = this.localChain;
    for (const wallet of this.#keys.keys()) {
      this.#send(faucet.airdrop(wallet, 100_000n * SOL), 'airdrop', []);
      for (const { mint } of world.tokens) {
        const wire = faucet.tokens(wallet, mint.address, (1_000_000n * 10n ** BigInt(mint.decimals)) / 100n);
        if (wire !== null) this.#send(wire, `tokens ${mint.address}`, []);
      }
    }
  }

  #act(): void {
    const wish = this.#actions.next();
    const other = this.#random.chance(HOSTILE_PERCENT) ? this.#actions.next() : null;
    if (this.#last !== null && this.#random.chance(REPLAY_PERCENT)) this.#replay(this.#last);
    const intended = other === null ? wish : hostile(wish, other, this.#random);
    for (const wire of this.#wires(intended)) {
      const outcome = this.#send(wire, intended.name, intended.instructions);
      this.#count(other === null ? wish.name : 'hostile', outcome);
      this.#last = wire;
      if (outcome.failure !== null) return;
    }
  }

  #wires({ wallet, instructions, tables }: Wish): Uint8Array[] {
    const { blockhash } = this.localChain.blockhash();
    const computeUnitLimit = UNIT_LIMIT + (this.#sent % 100_000);
    try {
      return signedPlan({ feePayer: wallet, instructions, tables, blockhash, computeUnitLimit }, this.#keys);
    } catch (error) {
      // Too large, or a program's address is writable: the compiler refuses what a runtime test covers.
      if (isCodedError(error) || isSolanaError(error)) return [];
      throw error;
    }
  }

  #replay(wire: Uint8Array): void {
    const outcome = this.#send(wire, 'replay', []);
    this.#check(outcome.kind === 'refused' ? [] : ['it ran twice'], 'replay');
  }

  /** @param instructions for the failure message and to know which laws apply */
  #send(wire: Uint8Array, name: string, instructions: readonly BuiltInstruction[]): TransactionOutcome {
    this.#sent += 1;
    this.#changed = [];
    const lamports = this.#book.lamports;
    const outcome = this.localChain.send(wire);
    const what = `${name}: ${instructions.map((each) => each.name).join(', ')}: ${text(outcome.failure)}`;
    const before = new Map(this.#changed.map((address) => [address, this.#book.get(address)]));
    for (const address of this.#changed) this.#book.set(address, this.localChain.account(address));
    if (outcome.kind === 'refused') {
      this.#check(before.size === 0 ? [] : ['a refused transaction changed accounts'], what);
      return outcome;
    }
    const { feeLamports } = outcome.record;
    if (this.#book.lamports !== lamports - feeLamports) {
      this.#check([`lamports: ${lamports} became ${this.#book.lamports}, the fee is ${feeLamports}`], what);
    }
    if (outcome.failure !== null) this.#check(this.#traces(outcome, before), what);
    else {
      this.#check(wrappedSolLaws(this.#book, before.keys(), this.#wallets), what);
      this.#check(brokenLaws(this.#book, this.#elsewhere), what);
      if (instructions.some((each) => LIMITED.test(each.name))) this.#check(this.#debts(before.keys()), what);
    }
    if (this.#sent % RECOUNT_EVERY === 0) this.#recount();
    return outcome;
  }

  /** Changes of a failed transaction besides the balance of its payer. */
  #traces(
    { record }: ProcessedTransaction,
    before: ReadonlyMap<Address, StoredAccount | undefined>,
  ): string[] {
    return [...before].flatMap(([address, account]) => {
      const after = this.#book.get(address);
      const isPayer = address === record.addresses[0];
      const isPaid =
        isPayer && account !== undefined && after?.lamports === account.lamports - record.feeLamports;
      return isPaid && same({ ...account, lamports: after.lamports }, after)
        ? []
        : [`it left a trace in ${address}`];
    });
  }

  /** The changed obligations that owe more than they may. */
  #debts(changed: Iterable<Address>): string[] {
    return [...changed].flatMap((address) => {
      const account = this.#book.get(address);
      return account !== undefined && isA(obligation, account, klend)
        ? (excessDebt(this.#book, address) ?? [])
        : [];
    });
  }

  #moveTime(): void {
    const slots = this.#random.pick([1, 1, 2, 10, 60, 200, 10_000, 100_000]);
    this.#advance(slots);
    this.#check(brokenLaws(this.#book, this.#elsewhere), `after ${slots} slots`);
  }

  #movePrice(): void {
    const { reserves } = this.localChain.world;
    const { token, priceSf } = this.#random.pick(reserves);
    this.localChain.setPrice(token.symbol, this.#random.share(priceSf, 850, 1_180));
    this.#advance(1);
  }

  #advance(slots: number): void {
    this.#nowMs = startOf(slotAt(this.#nowMs) + BigInt(slots));
    this.localChain.tick();
  }

  #count(name: string, { failure }: TransactionOutcome): void {
    const count = this.#counts.get(name) ?? { tried: 0, accepted: 0 };
    count.tried += 1;
    if (failure === null) count.accepted += 1;
    else if (name !== 'hostile') {
      // Whatever the position of the instruction.
      const key = `${name}: ${text(failure).replace(/\[\d+,/, '[')}`;
      this.#refusals.set(key, (this.#refusals.get(key) ?? 0) + 1);
    }
    this.#counts.set(name, count);
  }

  /** Compares what the book followed with what the chain now holds. */
  #recount(): void {
    const fresh = new ChainBook(this.#allAccounts());
    const problems = [...this.#allAccounts()].flatMap(([address, account]) => {
      const known = this.#book.get(address);
      return known !== undefined && same(known, account) ? [] : [`${address} changed unannounced`];
    });
    if (fresh.size !== this.#book.size) problems.push('an account disappeared unannounced');
    const wrapped = wrappedSolLaws(fresh, this.localChain.world.store.addresses(), this.#wallets);
    this.#check([...problems, ...brokenLaws(fresh, this.#elsewhere), ...wrapped], 'recount');
  }

  *#allAccounts(): Iterable<readonly [Address, StoredAccount]> {
    for (const address of this.localChain.world.store.addresses()) {
      const account = this.localChain.account(address);
      if (account !== undefined) yield [address, account];
    }
  }

  #check(problems: readonly string[], what: string): void {
    if (problems.length === 0) return;
    const head = `INVARIANTS_SEED=${this.#seed}, transaction ${this.#sent}, ${what}`;
    throw new Error([head, ...problems.slice(0, 20)].join('\n  '));
  }
}

const text = (failure: unknown) => (failure === null ? 'accepted' : JSON.stringify(failure));

function same(left: StoredAccount, right: StoredAccount): boolean {
  return (
    left.owner === right.owner &&
    left.lamports === right.lamports &&
    left.executable === right.executable &&
    Buffer.compare(left.data, right.data) === 0
  );
}
