import { SYSTEM_PROGRAM } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import type { AccountOverlay } from './account-overlay.ts';
import { InstructionError } from './instruction-error.ts';
import type { StoredAccount } from './stored-account.ts';

/**
 * An account as one instruction may use it. Reads see the newest state, also after a call to another program. Writes obey
 * the rules of the runtime: only the owner changes data or takes lamports, and nobody changes a read-only account.
 */
export class InstructionAccount {
  readonly address: Address;
  readonly isSigner: boolean;
  readonly isWritable: boolean;
  readonly #overlay: AccountOverlay;
  readonly #program: Address;

  constructor(
    overlay: AccountOverlay,
    program: Address,
    address: Address,
    isSigner: boolean,
    isWritable: boolean,
  ) {
    this.#overlay = overlay;
    this.#program = program;
    this.address = address;
    this.isSigner = isSigner;
    this.isWritable = isWritable;
  }

  get lamports(): bigint {
    return this.#state.lamports;
  }

  get owner(): Address {
    return this.#state.owner;
  }

  /** Never modified in place: `write` replaces it. */
  get data(): Uint8Array {
    return this.#state.data;
  }

  get executable(): boolean {
    return this.#state.executable;
  }

  /** Replaces the data. */
  write(data: Uint8Array): void {
    this.#mustBeWritable('ReadonlyDataModified');
    if (this.owner !== this.#program) throw new InstructionError('ExternalAccountDataModified');
    this.#overlay.set(this.address, { ...this.#state, data });
  }

  addLamports(lamports: bigint): void {
    this.#mustBeWritable('ReadonlyLamportChange');
    this.#overlay.set(this.address, { ...this.#state, lamports: this.lamports + lamports });
  }

  takeLamports(lamports: bigint): void {
    this.#mustBeWritable('ReadonlyLamportChange');
    if (this.owner !== this.#program) throw new InstructionError('ExternalAccountLamportSpend');
    if (lamports > this.lamports) throw new InstructionError('InsufficientFunds');
    this.#overlay.set(this.address, { ...this.#state, lamports: this.lamports - lamports });
  }

  /** Hands the account to another program; only its owner can, and only while its data is zero. */
  assign(owner: Address): void {
    this.#mustBeWritable('ModifiedProgramId');
    if (this.owner !== this.#program || this.data.some((byte) => byte !== 0)) {
      throw new InstructionError('ModifiedProgramId');
    }
    this.#overlay.set(this.address, { ...this.#state, owner });
  }

  /** Sends all lamports to another account and gives the address back to the system program. */
  close(receiver: InstructionAccount): void {
    const { lamports } = this;
    this.takeLamports(lamports);
    receiver.addLamports(lamports);
    this.write(new Uint8Array(0));
    this.assign(SYSTEM_PROGRAM);
  }

  get #state(): StoredAccount {
    return this.#overlay.get(this.address);
  }

  #mustBeWritable(failure: string): void {
    if (!this.isWritable) throw new InstructionError(failure);
    if (this.executable) throw new InstructionError('ExecutableDataModified');
  }
}
