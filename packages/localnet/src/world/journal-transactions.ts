import { createHash } from 'node:crypto';
import { base58Of } from '@sluice/protocol/layout/base58-text';
import { MAINNET_PROGRAMS, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { LRUCache } from 'lru-cache';
import type { ChainTransaction } from '../chain.ts';
import type { Entry } from './journal.ts';
import { LazyTransaction } from './lazy-transaction.ts';
import type { MintModel, Vault } from './model.ts';
import { type TransactionBody, transactionBody } from './transaction-body.ts';
import type { World } from './world.ts';
import type { WorldAction } from './world-actions.ts';

/** Bodies beyond this number are built again on request. */
const CACHED_BODIES = 400;

/**
 * The transactions of a generated past. Signature, slot and time are immediate; the rest is built when it is read. All chains
 * that start from the past share them.
 */
export class JournalTransactions {
  readonly #world: World;
  readonly #transactions = new WeakMap<Entry, ChainTransaction>();
  readonly #bodies = new LRUCache<Entry, TransactionBody>({ max: CACHED_BODIES });
  readonly #bySlot = new Map<bigint, Entry[]>();
  #bySignature: Map<string, Entry> | undefined;

  /** @param world whose past is complete */
  constructor(world: World) {
    this.#world = world;
    for (const entry of world.journal.entries) {
      const inSlot = this.#bySlot.get(entry.slot);
      if (inSlot === undefined) this.#bySlot.set(entry.slot, [entry]);
      else inSlot.push(entry);
    }
  }

  /** Oldest first. */
  of(address: Address): readonly ChainTransaction[] {
    return this.#inOrder(this.#scanned(address) ?? this.#indexed(address));
  }

  bySignature(signature: string): ChainTransaction | undefined {
    this.#bySignature ??= new Map(
      this.#world.journal.entries.map((entry) => [this.#signatureOf(entry), entry]),
    );
    const entry = this.#bySignature.get(signature);
    return entry === undefined ? undefined : this.#transaction(entry);
  }

  /** In execution order. */
  inSlot(slot: bigint): readonly ChainTransaction[] {
    return this.#inOrder(this.#bySlot.get(slot) ?? []);
  }

  #inOrder(entries: Iterable<Entry>): ChainTransaction[] {
    return [...entries].sort((a, b) => a.sequence - b.sequence).map((entry) => this.#transaction(entry));
  }

  /**
   * Entries indexed under the address, and those of vaults whose transactions name it because they invest
   * there.
   */
  #indexed(address: Address): Set<Entry> {
    const { journal, reserves, markets } = this.#world;
    const entries = new Set(journal.of(address));
    const named = reserves.filter((reserve) => reserve.address === address);
    named.push(
      ...markets.filter((market) => market.address === address).flatMap((market) => market.reserves),
    );
    const vaults = new Set<Vault>(named.flatMap((reserve) => reserve.vaults));
    for (const vault of vaults) for (const entry of journal.of(vault.address)) entries.add(entry);
    return entries;
  }

  /** Programs and mints are not indexed, so they need a scan of all entries. Null for other addresses. */
  #scanned(address: Address): Entry[] | null {
    const test = testFor(address, this.#world);
    return test === null ? null : this.#world.journal.entries.filter(({ action }) => test(action));
  }

  #transaction(entry: Entry): ChainTransaction {
    const known = this.#transactions.get(entry);
    if (known !== undefined) return known;
    const head = { signature: this.#signatureOf(entry), slot: entry.slot, error: null };
    const transaction = new LazyTransaction(head, () => this.#bodyOf(entry));
    this.#transactions.set(entry, transaction);
    return transaction;
  }

  #bodyOf(entry: Entry): TransactionBody {
    const known = this.#bodies.get(entry);
    if (known !== undefined) return known;
    const recent = this.#world.blockhashOf(entry.slot - 12n);
    const body = transactionBody(this.#world, entry, this.#signatureBytes(entry), recent);
    this.#bodies.set(entry, body);
    return body;
  }

  #signatureOf(entry: Entry): string {
    return base58Of(this.#signatureBytes(entry));
  }

  #signatureBytes({ sequence, slot }: Entry): Uint8Array {
    const label = `${this.#world.seed}/signature/${sequence}/${slot}`;
    return Uint8Array.from(createHash('sha512').update(label).digest());
  }
}

/** A test for the actions that name a program or a mint; null when the address is neither. */
function testFor(address: Address, world: World): ((action: WorldAction) => boolean) | null {
  const { klend, kvault, farms } = MAINNET_PROGRAMS;
  const isVaultAction = ({ kind }: WorldAction) =>
    kind === 'vaultDeposit' || kind === 'vaultWithdraw' || kind === 'invest';
  const isLending = ({ kind }: WorldAction) => kind === 'lend' || kind === 'init' || kind === 'liquidation';
  if (address === kvault) return isVaultAction;
  if (address === klend) return (action) => isVaultAction(action) || isLending(action);
  if (address === farms)
    return (action) => action.kind === 'lend' || action.kind === 'liquidation' || isStaking(action);
  if (address === TOKEN_PROGRAM) return namesTokenProgram;
  const token = world.tokens.find(({ mint }) => mint.address === address);
  if (token === undefined)
    return address === TOKEN_2022_PROGRAM
      ? (action) => mintsOf(action).some(({ program }) => program === address)
      : null;
  return (action) => mintsOf(action).includes(token.mint);
}

/** Debt in a Token-2022 reserve moves neither cTokens nor shares, nor does a reward. */
function namesTokenProgram(action: WorldAction): boolean {
  if (action.kind === 'claim') return action.reward.token.mint.program === TOKEN_PROGRAM;
  if (action.kind !== 'lend') return action.kind !== 'init';
  return action.ctokens > 0n || action.reserve.token.mint.program === TOKEN_PROGRAM;
}

function isStaking(action: WorldAction): boolean {
  if (action.kind === 'vaultDeposit') return action.stake !== null;
  if (action.kind === 'vaultWithdraw') return action.unstaked > 0n;
  return action.kind === 'stake' || action.kind === 'unstake' || action.kind === 'claim';
}

/** The token mints that a transaction names, without share and collateral mints. */
function mintsOf(action: WorldAction): MintModel[] {
  switch (action.kind) {
    case 'vaultDeposit':
    case 'vaultWithdraw':
    case 'invest':
      return [action.vault.token.mint];
    case 'lend':
      return [action.reserve.token.mint];
    case 'liquidation':
      return [action.debt.token.mint, action.collateral.token.mint];
    case 'claim':
      return [action.reward.token.mint];
    default:
      return [];
  }
}
