import type { Address } from '@solana/kit';
import { SluiceError } from '../../errors/sluice-error.ts';
import type { ProgramIds } from '../../programs/program-ids.ts';
import { type Call, callsOf } from './calls.ts';
import type { ConfirmedInstruction, ConfirmedTransaction } from './confirmed-transaction.ts';
import type {
  EventLookups,
  EventPlace,
  EventProblem,
  LendingEvent,
  TransactionEvents,
  VaultEvent,
} from './events.ts';
import { FARM_ACTIONS } from './farm-actions.ts';
import { LENDING_ACTIONS } from './lending-actions.ts';
import { quietInstructions } from './quiet-instructions.ts';
import { findReading } from './readings.ts';
import type { Action, Changes } from './scene.ts';
import { shareTransfer } from './share-transfers.ts';
import { TokenAccounts } from './token-accounts.ts';
import { Flows, movementOf } from './token-movements.ts';
import { VAULT_ACTIONS } from './vault-actions.ts';

export type TransactionReader = (
  transaction: ConfirmedTransaction,
  lookups: EventLookups,
) => TransactionEvents;

/**
 * Reads the events of confirmed transactions, wherever in them the platform's programs were called. A failed transaction
 * has none. Nothing in a transaction makes reading fail: what cannot be read is told among the problems.
 */
export function createTransactionReader(programs: ProgramIds): TransactionReader {
  const isQuiet = quietInstructions(programs);
  const actions = new Map<Address, readonly Action[]>([
    [programs.klend, LENDING_ACTIONS],
    [programs.kvault, VAULT_ACTIONS],
    [programs.farms, FARM_ACTIONS],
  ]);
  const actionOf = ({ programAddress, data }: ConfirmedInstruction) =>
    findReading(actions.get(programAddress) ?? [], data);
  /** Shares that these programs move are told by their own actions. */
  const movesShares = ({ programAddress }: ConfirmedInstruction) =>
    programAddress === programs.kvault || programAddress === programs.farms;

  return (transaction, lookups) => {
    const book = new EventBook(transaction);
    if (transaction.failed) return book.events;
    const calls = callsOf(transaction, (instruction) => actionOf(instruction) !== undefined);
    const accounts = new TokenAccounts(transaction, calls);
    for (const account of accounts.handedOver) {
      const mint = accounts.mintOf(account);
      if (mint !== null && lookups.vaultOfShares(mint) !== null)
        book.problem({ kind: 'ownerChanged', account });
    }

    const visit = (call: Call): void => {
      const { instruction } = call;
      const { programAddress: program, data } = instruction;
      const action = actionOf(instruction);
      if (action !== undefined) {
        book.read(program, action, () =>
          action.read(instruction, { flows: new Flows(call), accounts, lookups }),
        );
      } else if (actions.has(program)) {
        const discriminator = Buffer.from(data.subarray(0, 8)).toString('hex');
        if (!isQuiet(program, discriminator)) book.problem({ kind: 'unrecognised', program, discriminator });
      } else {
        const movement = movementOf(instruction);
        if (movement !== null) book.transfer(shareTransfer(movement, accounts, lookups));
      }
      if (!movesShares(instruction)) call.children.forEach(visit);
    };
    calls.forEach(visit);
    return book.events;
  };
}

/** Numbers the events of one transaction as they are read. */
class EventBook {
  readonly #vaultEvents: VaultEvent[] = [];
  readonly #lendingEvents: LendingEvent[] = [];
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
      problems: this.#problems,
    };
  }

  read(program: Address, { name: instruction }: Action, changesOf: () => Changes): void {
    try {
      const { vault, lending } = changesOf();
      if (vault === undefined && lending === undefined)
        this.problem({ kind: 'nothingMoved', program, instruction });
      for (const change of vault ?? []) this.#vaultEvents.push({ ...change, ...this.#place() });
      for (const change of lending ?? []) this.#lendingEvents.push({ ...change, ...this.#place() });
    } catch (error) {
      if (!(error instanceof SluiceError)) throw error;
      this.problem({ kind: 'malformed', program, instruction, reason: error.message });
    }
  }

  transfer({ changes, problems }: ReturnType<typeof shareTransfer>): void {
    for (const change of changes) this.#vaultEvents.push({ ...change, ...this.#place() });
    for (const problem of problems) this.problem(problem);
  }

  problem(problem: EventProblem): void {
    this.#problems.push(problem);
  }

  #place(): EventPlace {
    const { signature, slot, blockTime: time } = this.#transaction;
    this.#next += 1;
    return { signature, slot, time, index: this.#next - 1 };
  }
}
