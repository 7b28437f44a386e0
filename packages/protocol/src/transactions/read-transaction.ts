import type { Address } from '@solana/kit';
import { EVENT_TAG } from '../layout/event.ts';
import type { ProgramIds } from '../program-ids.ts';
import { isProtocolError } from '../protocol-error.ts';
import type { Action, Changes } from './call-context.ts';
import { type Call, callsOf } from './calls.ts';
import type { ConfirmedInstruction, ConfirmedTransaction } from './confirmed-transaction.ts';
import { CURATOR_ACTIONS } from './curator-actions.ts';
import type {
  AllocationEvent,
  CausedLendingEvent,
  EventLookups,
  EventPosition,
  EventProblem,
  FarmEvent,
  TransactionEvents,
  VaultEvent,
} from './events.ts';
import { FARM_ACTIONS } from './farm-actions.ts';
import { ignoredInstructions } from './ignored-instructions.ts';
import { findReader } from './instruction-reader.ts';
import { LENDING_ACTIONS } from './lending-actions.ts';
import { shareTransfer } from './share-transfers.ts';
import { TokenAccounts } from './token-accounts.ts';
import { Flows, movementOf } from './token-movements.ts';
import { VAULT_ACTIONS } from './vault-actions.ts';

export type TransactionReader = (
  transaction: ConfirmedTransaction,
  lookups: EventLookups,
) => TransactionEvents;

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

    const visit = (call: Call): void => {
      const { instruction } = call;
      const { programAddress: program, data } = instruction;
      const action = actionOf(instruction);
      if (action !== undefined) {
        collected.read(program, action, () =>
          action.read(instruction, { flows: new Flows(call), recorded: recordedIn(call), accounts, lookups }),
        );
      } else if (actions.has(program)) {
        const discriminator = Buffer.from(data.subarray(0, 8)).toString('hex');
        if (!isIgnored(program, discriminator))
          collected.problem({ kind: 'unrecognised', program, discriminator });
      } else {
        const movement = movementOf(instruction);
        if (movement !== null) collected.transfer(shareTransfer(movement, accounts, lookups));
      }
      if (!movesShares(instruction)) call.children.forEach(visit);
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
  readonly #vaultEvents: VaultEvent[] = [];
  readonly #lendingEvents: CausedLendingEvent[] = [];
  readonly #farmEvents: FarmEvent[] = [];
  readonly #allocationEvents: AllocationEvent[] = [];
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
      problems: this.#problems,
    };
  }

  read(program: Address, { name: instruction }: Action, changesOf: () => Changes): void {
    try {
      const changes = changesOf();
      const { vault, lending, farm, allocation } = changes;
      if (Object.keys(changes).length === 0) this.problem({ kind: 'nothingMoved', program, instruction });
      for (const change of vault ?? []) this.#vaultEvents.push({ ...change, ...this.#nextPosition() });
      for (const change of lending ?? [])
        this.#lendingEvents.push({ ...change, instruction, ...this.#nextPosition() });
      for (const change of farm ?? [])
        this.#farmEvents.push({ ...change, ...this.#position(this.#farmEvents.length) });
      for (const change of allocation ?? [])
        this.#allocationEvents.push({ ...change, ...this.#position(this.#allocationEvents.length) });
    } catch (error) {
      if (!isProtocolError(error)) throw error;
      this.problem({ kind: 'malformed', program, instruction, reason: error.message });
    }
  }

  transfer({ changes, problems }: ReturnType<typeof shareTransfer>): void {
    for (const change of changes) this.#vaultEvents.push({ ...change, ...this.#nextPosition() });
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
