import { refreshFarm } from '@sluice/protocol/farms/instructions';
import type { EncodedInstruction } from '@sluice/protocol/layout/instruction';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { PROGRAMS } from '../../../src/runtime/programs.ts';
import { runInstructions } from '../../../src/runtime/run-instructions.ts';
import type { StoredAccount } from '../../../src/runtime/stored-account.ts';
import { processTransaction } from '../../../src/runtime/transaction/process-transaction.ts';
import { refreshObligation, refreshReserve } from '../../../src/world/debts.ts';
import { issueRewards } from '../../../src/world/farm-engine.ts';
import { generateWorld } from '../../../src/world/generate-world.ts';
import type { Entry } from '../../../src/world/journal.ts';
import { refreshObligationOf, refreshReserveOf } from '../../../src/world/lending-instructions.ts';
import { reservesOf } from '../../../src/world/lending-setup.ts';
import { actionTransaction } from '../../../src/world/live/action-transaction.ts';
import type { Farm, MintModel, Obligation, Reserve, Token, Wallet } from '../../../src/world/model.ts';
import { timeOf } from '../../../src/world/time.ts';
import { isNative } from '../../../src/world/token-accounts.ts';
import { holdingOf } from '../../../src/world/wallets.ts';
import type { World } from '../../../src/world/world.ts';
import { type AccountDifference, differencesBetween } from './account-differences.ts';

/** Midnight, so that the world has nothing to catch up on. */
const START_MS = Date.UTC(2026, 5, 1);
/** The fee of a transaction without priority, in lamports. */
const BASE_FEE = 5_000n;

/** Accounts refreshed on both sides after an action, because every action leaves them stale. */
export interface Concerned {
  readonly reserves?: readonly Reserve[];
  readonly obligation?: Obligation;
  readonly farms?: readonly (Farm | null)[];
}

export type Comparison =
  /** The engine did nothing. */
  | { readonly kind: 'declined' }
  /** The engine acted and the program refused, with the error of this name. */
  | { readonly kind: 'refused'; readonly error: string }
  | { readonly kind: 'ran'; readonly differences: readonly AccountDifference[] };

type Accounts = Map<Address, StoredAccount>;

/** A generated world on which each action is done twice: by the engine, and by the runtime from the same accounts. */
export class EngineAndRuntime {
  readonly world: World;
  /** The newest slot. */
  slot: bigint;
  readonly #clock: { slot: bigint };
  /** All accounts of the engine. */
  readonly #accounts: Accounts = new Map();

  constructor(seed: string) {
    const { world, clock, stops } = generateWorld({ seed, now: () => START_MS });
    for (const _ of stops) throw new RangeError('Unexpected stop');
    this.world = world;
    this.slot = clock.slot;
    this.#clock = clock;
    for (const address of world.store.addresses()) this.#take(address);
    world.store.takeChanged();
  }

  /** Lets time pass and publishes every price. */
  advance(slots: bigint): void {
    this.slot += slots;
    this.#clock.slot = this.slot;
    for (const token of this.world.tokens) this.world.oracle.refresh(token, this.slot);
  }

  /** Changes a price for good. USD per whole token, scaled by 2^60. */
  setPrice(token: Token, priceSf: bigint): void {
    const { prices, oracle, tokens } = this.world;
    prices.fix(token, priceSf, this.slot);
    for (const each of tokens) oracle.publish(each, this.slot);
  }

  /** Gives a wallet tokens, out of nothing. */
  fund(wallet: Wallet, mint: MintModel, amount: bigint): void {
    const { store } = this.world;
    const [holding] = isNative(mint) ? [null] : holdingOf(store, wallet, mint);
    if (holding === null) wallet.lamports += amount;
    else holding.amount += amount;
    wallet.lamports += 1_000_000_000n;
    store.touch(holding?.address ?? wallet.address);
    store.touch(wallet.address);
  }

  /** Acts by the engine, then runs the transactions that it recorded on the accounts from before. */
  compare(act: (world: World, slot: bigint) => unknown, concerned: () => Concerned): Comparison {
    const { world, slot } = this;
    this.#sync();
    const first = world.journal.entries.length;
    if (act(world, slot) === false) {
      this.#sync();
      return { kind: 'declined' };
    }
    const entries = world.journal.entries.slice(first);
    const refreshed = concerned();
    this.#refreshByEngine(refreshed);
    const changed = new Set(world.store.takeChanged());
    try {
      const ran = this.#runtimeAfter(entries, refreshed);
      for (const address of ran.keys()) changed.add(address);
      const differences = [...changed].flatMap((address) =>
        differencesBetween(
          address,
          this.#engineAccount(address, entries),
          ran.get(address) ?? this.#accounts.get(address),
        ),
      );
      return { kind: 'ran', differences };
    } catch (error) {
      if (!(error instanceof RuntimeRefusal)) throw error;
      return { kind: 'refused', error: error.message };
    } finally {
      for (const address of changed) this.#take(address);
    }
  }

  #sync(): void {
    for (const address of this.world.store.takeChanged()) this.#take(address);
  }

  #take(address: Address): void {
    const account = this.world.store.get(address);
    if (account === undefined) this.#accounts.delete(address);
    else this.#accounts.set(address, account);
  }

  /** Engines let wallets pay for priority, which the transactions do not ask for. */
  #engineAccount(address: Address, entries: readonly Entry[]): StoredAccount | undefined {
    const account = this.world.store.get(address);
    if (account === undefined) return undefined;
    const priority = entries
      .filter(({ payer }) => payer.address === address)
      .reduce((sum, { feeLamports }) => sum + feeLamports - BASE_FEE, 0n);
    return priority === 0n ? account : { ...account, lamports: account.lamports + priority };
  }

  #refreshByEngine({ reserves = [], obligation, farms = [] }: Concerned): void {
    const { world, slot } = this;
    for (const reserve of reserves) refreshReserve(world, reserve, slot);
    if (obligation?.exists) refreshObligation(world, obligation, slot);
    for (const farm of farms) {
      if (farm === null) continue;
      issueRewards(farm, timeOf(slot));
      world.store.touch(farm.address);
    }
  }

  #runtimeAfter(entries: readonly Entry[], refreshed: Concerned): Accounts {
    const ran: Accounts = new Map();
    const accounts = {
      get: (address: Address) => {
        const account = ran.get(address) ?? this.#accounts.get(address);
        return account?.lamports === 0n ? undefined : account;
      },
    };
    const clock = { slot: this.slot, unixTimestamp: BigInt(timeOf(this.slot)) };
    const chain = {
      accounts,
      clock,
      programs: PROGRAMS,
      isRecentBlockhash: () => true,
      hasSignature: () => false,
    };
    for (const { payer, action } of entries) {
      const wire = actionTransaction(this.world, payer, action, this.world.blockhashOf(this.slot));
      const outcome = processTransaction(wire, chain, { verifySignatures: false });
      if (outcome.kind === 'refused') throw new RuntimeRefusal(JSON.stringify(outcome.failure));
      if (outcome.failure !== null) throw new RuntimeRefusal(errorIn(outcome.record.logs));
      for (const [address, account] of outcome.changes) ran.set(address, account);
    }
    for (const instruction of this.#refreshes(refreshed)) {
      const changes = runInstructions([instruction], accounts, clock, PROGRAMS);
      if (changes === null) throw new RangeError('A refresh failed');
      for (const [address, account] of changes) ran.set(address, account);
    }
    return ran;
  }

  #refreshes({ reserves = [], obligation, farms = [] }: Concerned): EncodedInstruction[] {
    const { oracle } = this.world;
    const all = new Set(reserves);
    const held = obligation?.exists ? reservesOf(obligation) : { deposits: [], borrows: [] };
    for (const reserve of [...held.deposits, ...held.borrows]) all.add(reserve);
    return [
      ...[...all].map((reserve) => refreshReserveOf(reserve, oracle.address)),
      ...(obligation?.exists ? [refreshObligationOf({ obligation, ...held })] : []),
      ...farms.flatMap((farm) =>
        farm === null
          ? []
          : refreshFarm.encode(MAINNET_PROGRAMS.farms, { farmState: farm.address, scopePrices: null }, {}),
      ),
    ];
  }
}

class RuntimeRefusal extends Error {}

/** The name of the program's error, or else the last line that tells of a failure. */
function errorIn(logs: readonly string[]): string {
  const names = logs.flatMap((line) => /Error Code: (\w+)/.exec(line)?.[1] ?? []);
  return names.at(-1) ?? logs.findLast((line) => line.includes(' failed: ')) ?? 'no log';
}
