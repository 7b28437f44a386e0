import { TOKEN_ERRORS } from '@sluice/protocol/error-names';
import { viewOf } from '@sluice/protocol/layout/account';
import type { AccountUses, InstructionLayout } from '@sluice/protocol/layout/instruction';
import type { Fields, StructOf } from '@sluice/protocol/layout/struct';
import type { Address } from '@solana/kit';
import { ensure } from '../anchor.ts';
import type { InstructionAccount } from '../instruction-account.ts';
import { InstructionError } from '../instruction-error.ts';
import type { Invocation, Program } from '../program.ts';
import { TOKEN_ERROR } from './token-errors.ts';

export interface TokenCall<A extends AccountUses = AccountUses, F extends Fields = Fields> {
  readonly invocation: Invocation;
  readonly accounts: { readonly [K in keyof A]: InstructionAccount };
  readonly args: StructOf<F>;
  /** The accounts after the named ones: those who sign for a multisig authority. */
  readonly signers: readonly InstructionAccount[];
}

/** One instruction of a token program. */
export interface TokenInstruction {
  readonly layout: Pick<InstructionLayout, 'name' | 'discriminator'>;
  run(invocation: Invocation): void;
}

/** Decodes arguments and accounts, then runs the handler. Signers are checked by the handler: an authority may be a multisig. */
export function tokenInstruction<A extends AccountUses, F extends Fields>(
  layout: InstructionLayout<A, F>,
  /** Typical compute units. */
  units: number,
  handler: (call: TokenCall<A, F>) => void,
  /** Bytes at the end of the arguments that may be missing. */
  optionalBytes = 0,
): TokenInstruction {
  return {
    layout,
    run(invocation) {
      invocation.consume(units);
      handler({
        invocation,
        args: argumentsOf(layout, invocation, optionalBytes),
        accounts: accountsOf(layout, invocation),
        signers: invocation.accounts.slice(layout.accountNames.length),
      });
    },
  };
}

export function tokenProgram(address: Address, instructions: readonly TokenInstruction[]): Program {
  return {
    address,
    run(invocation) {
      const { data } = invocation;
      const instruction = instructions.find(({ layout: { discriminator } }) =>
        discriminator.every((byte, i) => data[i] === byte),
      );
      try {
        ensure(instruction !== undefined, TOKEN_ERROR.invalidInstruction);
        const { name, discriminator } = instruction.layout;
        // The second byte selects an instruction of the transfer fee extension.
        const kind = discriminator.length === 1 ? 'Instruction' : 'TransferFeeInstruction';
        invocation.log(`${kind}: ${name.charAt(0).toUpperCase()}${name.slice(1)}`);
        instruction.run(invocation);
      } catch (error) {
        logFailure(invocation, error);
        throw error;
      }
    },
  };
}

function argumentsOf<A extends AccountUses, F extends Fields>(
  { args, discriminator }: InstructionLayout<A, F>,
  { data }: Invocation,
  optionalBytes: number,
): StructOf<F> {
  const size = discriminator.length + args.size;
  ensure(data.length >= size - optionalBytes, TOKEN_ERROR.invalidInstruction);
  const padded = new Uint8Array(Math.max(size, data.length));
  padded.set(data);
  return args.read(viewOf(padded), discriminator.length);
}

function accountsOf<A extends AccountUses, F extends Fields>(
  { accountNames }: InstructionLayout<A, F>,
  { accounts }: Invocation,
): TokenCall<A, F>['accounts'] {
  const named: Record<string, InstructionAccount> = {};
  accountNames.forEach((name, i) => {
    const account = accounts[i];
    if (account === undefined) throw new InstructionError('NotEnoughAccountKeys');
    named[name] = account;
  });
  return named as TokenCall<A, F>['accounts'];
}

function logFailure({ log }: Invocation, error: unknown): void {
  if (!(error instanceof InstructionError) || typeof error.failure === 'string') return;
  const name = TOKEN_ERRORS.names[error.failure.Custom];
  if (name !== undefined) log(`Error: ${name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase()}`);
}
