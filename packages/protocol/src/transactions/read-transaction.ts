import type { Address } from '@solana/kit';
import { EVENT_TAG } from '../layout/event.ts';
import type { ProgramIds } from '../program-ids.ts';
import { isProtocolError } from '../protocol-error.ts';
import type { Action, Changes, CollateralRelease } from './call-context.ts';
import { allOf, type Call, callsOf } from './calls.ts';
import type { ConfirmedInstruction, ConfirmedTransaction } from './confirmed-transaction.ts';
import { CURATOR_ACTIONS } from './curator-actions.ts';
import type {
  AllocationEvent,
  CausedLendingEvent,
  CausedVaultEvent,
  EventLookups,
  EventPosition,
  EventProblem,
  FarmEvent,
  QueueEvent,
  TransactionEvents,
} from './events.ts';
import { FARM_ACTIONS } from './farm-actions.ts';
import { ignoredInstructions } from './ignored-instructions.ts';
import { findReader } from './instruction-reader.ts';
import { LENDING_ACTIONS } from './lending-actions.ts';
import { QUEUE_ACTIONS } from './queue-actions.ts';
import { shareTransfer } from './share-transfers.ts';
import { TokenAccounts } from './token-accounts.ts';
import { Flows, movementOf } from './token-movements.ts';
import { VAULT_ACTIONS } from './vault-actions.ts';

export type TransactionReader = (
  transaction: ConfirmedTransaction,
  lookups: EventLookups,
) => TransactionEvents;

/** Names of the instructions of the lending and vault programs that cause events of obligations, of tickets and of vaults. */
export const EVENT_INSTRUCTIONS: Readonly<Record<'lending' | 'queue' | 'vault', readonly string[]>> = {
  lending: LENDING_ACTIONS.filter((action) => !QUEUE_ACTIONS.includes(action)).map(({ name }) => name),
  queue: QUEUE_ACTIONS.map(({ name }) => name),
  vault: VAULT_ACTIONS.map(({ name }) => name),
};

/**
 * Extracts the events of confirmed transactions, at any depth of invocation. A failed transaction has none. Never throws
 * for malformed content: it is reported as a problem.
 *
 * @example
 * const read = createTransactionReader(MAINNET_PROGRAMS);
 * const { vaultEvents, problems } = read(transaction, lookups);
 */
export function createTransactionReader(programs: ProgramIds): TransactionReader {
  const isIgnored = ignoredInstructions(programs);
  const actions = new Map<Address, readonly Action[]>([
    [programs.klend, LENDING_ACTIONS],
    [programs.kvault, [...VAULT_ACTIONS, ...CURATOR_ACTIONS]],
    [programs.farms, FARM_ACTIONS],
  ]);
  const actionOf = ({ programAddress, data }: ConfirmedInstruction) =>
    findReader(actions.get(programAddress) ?? [], data);
  /** Share movements inside these programs are already covered by their actions. */
  const movesShares = ({ programAddress }: ConfirmedInstruction) =>
    programAddress === programs.kvault || programAddress === programs.farms;

  return (transaction, lookups) => {
    const collected = new EventCollector(transaction);
    if (transaction.failed) return collected.events;
    const calls = callsOf(transaction, (instruction) => actionOf(instruction) !== undefined);
    const accounts = new TokenAccounts(transaction, calls);
    for (const account of accounts.ownerChanged) {
      const mint = accounts.mintOf(account);
      if (mint !== null && lookups.vaultOfShares(mint) !== null)
        collected.problem({ kind: 'ownerChanged', account });
    }

    const read = ({ instruction }: Call, action: Action, moving: Call, within: Changes | null) =>
      collected.read(instruction.programAddress, action, () =>
        action.read(instruction, {
          flows: new Flows(moving),
          recorded: recordedIn(moving),
          accounts,
          lookups,
          releaseTo: (account) => collected.releaseTo(account) ?? within?.release ?? null,
        }),
      );
    /** A vault may enter a withdraw queue itself. Its other calls of the lending program belong to its own action. */
    const visitQueues = (vaultCall: Call, changes: Changes | null): void => {
      for (const call of allOf(vaultCall)) {
        const { programAddress, data } = call.instruction;
        const action = programAddress === programs.klend ? findReader(QUEUE_ACTIONS, data) : undefined;
        // Without heights from the node, the movements of the call are among those of the vault's.
        if (action !== undefined) read(call, action, call.children.length > 0 ? call : vaultCall, changes);
      }
    };

    const visit = (call: Call): void => {
      const { instruction } = call;
      const { programAddress: program, data } = instruction;
      const action = actionOf(instruction);
      let changes: Changes | null = null;
      if (action !== undefined) {
        changes = read(call, action, call, null);
      } else if (actions.has(program)) {
        const discriminator = Buffer.from(data.subarray(0, 8)).toString('hex');
        if (!isIgnored(program, discriminator))
          collected.problem({ kind: 'unrecognised', program, discriminator });
      } else {
        const movement = movementOf(instruction);
        if (movement !== null) collected.transfer(shareTransfer(movement, accounts, lookups));
      }
      if (movesShares(instruction)) visitQueues(call, changes);
      else call.children.forEach(visit);
    };
    calls.forEach(visit);
    return collected.events;
  };
}

/** The events for which the program has called itself. */
const recordedIn = ({ instruction, children }: Call): ConfirmedInstruction[] =>
  children
    .map((child) => child.instruction)
    .filter(
      ({ programAddress, data }) =>
        programAddress === instruction.programAddress &&
        Buffer.from(data.subarray(0, 8)).toString('hex') === EVENT_TAG,
    );

/** Collects and numbers the events of one transaction. */
class EventCollector {
  readonly #vaultEvents: CausedVaultEvent[] = [];
  readonly #lendingEvents: CausedLendingEvent[] = [];
  readonly #farmEvents: FarmEvent[] = [];
  readonly #allocationEvents: AllocationEvent[] = [];
  readonly #queueEvents: QueueEvent[] = [];
  readonly #releases = new Map<Address, CollateralRelease>();
  readonly #problems: EventProblem[] = [];
  readonly #transaction: ConfirmedTransaction;
  #next = 0;

  constructor(transaction: ConfirmedTransaction) {
    this.#transaction = transaction;
  }

  get events(): TransactionEvents {
    return {
      vaultEvents: this.#vaultEvents,
      lendingEvents: this.#lendingEvents,
      farmEvents: this.#farmEvents,
      allocationEvents: this.#allocationEvents,
      queueEvents: this.#queueEvents,
      problems: this.#problems,
    };
  }

  /** Returns what was read; null for a malformed instruction. */
  read(program: Address, { name: instruction }: Action, changesOf: () => Changes): Changes | null {
    try {
      const changes = changesOf();
      const { vault, lending, farm, allocation, queue, release } = changes;
      if ([vault, lending, farm, allocation, queue].every((each) => each === undefined))
        this.problem({ kind: 'nothingMoved', program, instruction });
      for (const change of vault ?? [])
        this.#vaultEvents.push({ ...change, instruction, ...this.#nextPosition() });
      for (const change of lending ?? [])
        this.#lendingEvents.push({ ...change, instruction, ...this.#nextPosition() });
      for (const change of farm ?? [])
        this.#farmEvents.push({ ...change, ...this.#position(this.#farmEvents.length) });
      for (const change of allocation ?? [])
        this.#allocationEvents.push({ ...change, ...this.#position(this.#allocationEvents.length) });
      for (const change of queue ?? [])
        this.#queueEvents.push({ ...change, ...this.#position(this.#queueEvents.length) });
      if (release !== undefined) this.#releases.set(release.account, release);
      return changes;
    } catch (error) {
      if (!isProtocolError(error)) throw error;
      this.problem({ kind: 'malformed', program, instruction, reason: error.message });
      return null;
    }
  }

  releaseTo(account: Address): CollateralRelease | undefined {
    return this.#releases.get(account);
  }

  transfer({ changes, problems }: ReturnType<typeof shareTransfer>): void {
    for (const change of changes)
      this.#vaultEvents.push({ ...change, instruction: 'transfer', ...this.#nextPosition() });
    for (const problem of problems) this.problem(problem);
  }

  problem(problem: EventProblem): void {
    this.#problems.push(problem);
  }

  #nextPosition(): EventPosition {
    this.#next += 1;
    return this.#position(this.#next - 1);
  }

  #position(index: number): EventPosition {
    const { signature, slot, blockTime: time } = this.#transaction;
    return { signature, slot, time, index };
  }
}
