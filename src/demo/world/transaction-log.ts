import { createHash } from 'node:crypto';
import type { Address } from '@solana/kit';
import { LRUCache } from 'lru-cache';
import { base58Of } from '../../programs/layout/base58-text.ts';
import { MAINNET_PROGRAMS, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../programs/program-ids.ts';
import type { LedgerTransaction } from '../ledger.ts';
import type { Act } from './acts.ts';
import type { Entry } from './journal.ts';
import type { MintModel, Vault } from './model.ts';
import { timeOf } from './time.ts';
import { type TransactionBody, tellTransaction } from './transactions.ts';
import type { World } from './world.ts';

/** Told transactions that are kept; the others are told again when somebody asks. */
const KEPT_BODIES = 400;

/** The journal as transactions. Signature, slot and time are at hand; the rest is worked out when it is looked at. */
export class TransactionLog {
  readonly #world: World;
  readonly #blockhashOf: (slot: bigint) => string;
  readonly #told = new WeakMap<Entry, LedgerTransaction>();
  readonly #bodies = new LRUCache<Entry, TransactionBody>({ max: KEPT_BODIES });
  readonly #bySignature = new Map<string, Entry>();
  readonly #bySlot = new Map<bigint, Entry[]>();
  #indexed = 0;

  constructor(world: World, blockhashOf: (slot: bigint) => string) {
    this.#world = world;
    this.#blockhashOf = blockhashOf;
  }

  /** Newest first. */
  of(address: Address): readonly LedgerTransaction[] {
    const entries = this.#everywhere(address) ?? this.#filed(address);
    return [...entries].sort((a, b) => b.sequence - a.sequence).map((entry) => this.#transaction(entry));
  }

  bySignature(signature: string): LedgerTransaction | undefined {
    this.#index();
    const entry = this.#bySignature.get(signature);
    return entry === undefined ? undefined : this.#transaction(entry);
  }

  /** In the order in which they ran. */
  inSlot(slot: bigint): readonly LedgerTransaction[] {
    this.#index();
    return (this.#bySlot.get(slot) ?? []).map((entry) => this.#transaction(entry));
  }

  #index(): void {
    const { entries } = this.#world.journal;
    for (const entry of entries.slice(this.#indexed)) {
      this.#bySignature.set(this.#signatureOf(entry), entry);
      const inSlot = this.#bySlot.get(entry.slot);
      if (inSlot === undefined) this.#bySlot.set(entry.slot, [entry]);
      else inSlot.push(entry);
    }
    this.#indexed = entries.length;
  }

  /** Entries under the address, and those of vaults that name it because they invest there. */
  #filed(address: Address): Set<Entry> {
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

  /** For programs and mints, which are in no index: a walk over everything. */
  #everywhere(address: Address): Entry[] | null {
    const test = testFor(address, this.#world);
    return test === null ? null : this.#world.journal.entries.filter(({ act }) => test(act));
  }

  #transaction(entry: Entry): LedgerTransaction {
    const known = this.#told.get(entry);
    if (known !== undefined) return known;
    const transaction = new LazyTransaction(entry, this.#signatureOf(entry), () => this.#bodyOf(entry));
    this.#told.set(entry, transaction);
    return transaction;
  }

  #bodyOf(entry: Entry): TransactionBody {
    const known = this.#bodies.get(entry);
    if (known !== undefined) return known;
    const recent = this.#blockhashOf(entry.slot - 12n);
    const body = tellTransaction(this.#world, entry, this.#signatureBytes(entry), recent);
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

class LazyTransaction implements LedgerTransaction {
  readonly signature: string;
  readonly slot: bigint;
  readonly blockTime: number;
  readonly error = null;
  readonly #body: () => TransactionBody;

  constructor(entry: Entry, signature: string, body: () => TransactionBody) {
    this.signature = signature;
    this.slot = entry.slot;
    this.blockTime = timeOf(entry.slot);
    this.#body = body;
  }

  get wire() {
    return this.#body().wire;
  }
  get addresses() {
    return this.#body().addresses;
  }
  get loadedWritable() {
    return this.#body().loadedWritable;
  }
  get loadedReadonly() {
    return this.#body().loadedReadonly;
  }
  get feeLamports() {
    return this.#body().feeLamports;
  }
  get computeUnits() {
    return this.#body().computeUnits;
  }
  get preBalances() {
    return this.#body().preBalances;
  }
  get postBalances() {
    return this.#body().postBalances;
  }
  get preTokenBalances() {
    return this.#body().preTokenBalances;
  }
  get postTokenBalances() {
    return this.#body().postTokenBalances;
  }
  get inner() {
    return this.#body().inner;
  }
  get logs() {
    return this.#body().logs;
  }
}

/** Which acts name a program or a mint; null when the address is neither. */
function testFor(address: Address, world: World): ((act: Act) => boolean) | null {
  const { klend, kvault, farms } = MAINNET_PROGRAMS;
  const isVaultAct = ({ kind }: Act) =>
    kind === 'vaultDeposit' || kind === 'vaultWithdraw' || kind === 'invest';
  const isLending = ({ kind }: Act) => kind === 'lend' || kind === 'init' || kind === 'liquidation';
  if (address === kvault) return isVaultAct;
  if (address === klend) return (act) => isVaultAct(act) || isLending(act);
  if (address === farms) return (act) => act.kind === 'lend' || act.kind === 'liquidation' || isStaking(act);
  if (address === TOKEN_PROGRAM) return namesTokenProgram;
  const token = world.tokens.find(({ mint }) => mint.address === address);
  if (token === undefined)
    return address === TOKEN_2022_PROGRAM
      ? (act) => mintsOf(act).some(({ program }) => program === address)
      : null;
  return (act) => mintsOf(act).includes(token.mint);
}

/** A debt in a Token-2022 reserve moves neither cTokens nor shares, nor does a reward. */
function namesTokenProgram(act: Act): boolean {
  if (act.kind === 'claim') return act.reward.token.mint.program === TOKEN_PROGRAM;
  if (act.kind !== 'lend') return act.kind !== 'init';
  return act.ctokens > 0n || act.reserve.token.mint.program === TOKEN_PROGRAM;
}

function isStaking(act: Act): boolean {
  if (act.kind === 'vaultDeposit') return act.stake !== null;
  if (act.kind === 'vaultWithdraw') return act.unstaked > 0n;
  return act.kind === 'stake' || act.kind === 'unstake' || act.kind === 'claim';
}

/** The mints of the catalogue that a transaction names; shares and collateral tokens are in no catalogue. */
function mintsOf(act: Act): MintModel[] {
  switch (act.kind) {
    case 'vaultDeposit':
    case 'vaultWithdraw':
    case 'invest':
      return [act.vault.token.mint];
    case 'lend':
      return [act.reserve.token.mint];
    case 'liquidation':
      return [act.debt.token.mint, act.collateral.token.mint];
    case 'claim':
      return [act.reward.token.mint];
    default:
      return [];
  }
}
