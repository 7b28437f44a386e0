import { ProtocolError } from '@sluice/protocol/protocol-error';
import { type Extension, readExtensions, startsFrozen } from '@sluice/protocol/token/extensions';
import { encodeMint } from '@sluice/protocol/token/mint';
import { initializeMint, initializeMint2 } from '@sluice/protocol/token/mint-instructions';
import type { Address } from '@solana/kit';
import { rentLamports } from '../account-store.ts';
import { ensure } from '../anchor.ts';
import type { InstructionAccount } from '../instruction-account.ts';
import { InstructionError } from '../instruction-error.ts';
import type { Invocation } from '../program.ts';
import { TOKEN_ERROR } from './token-errors.ts';
import { type TokenCall, tokenInstruction } from './token-instruction.ts';
import { checkLength, MINT_BYTES, MINT_INITIALIZED_OFFSET } from './token-state.ts';
import { UNINITIALIZED_TYPE } from './uninitialized-account.ts';

const ADDRESS_BYTES = 32;
const COMPLETE_BYTES = 1 + initializeMint.args.size;

export const initializeMintInstruction = tokenInstruction(
  initializeMint,
  2_967,
  ({ invocation, accounts, args }) => openMint(invocation, accounts.mint, args),
  ADDRESS_BYTES,
);

export const initializeMint2Instruction = tokenInstruction(
  initializeMint2,
  2_827,
  ({ invocation, accounts, args }) => openMint(invocation, accounts.mint, args),
  ADDRESS_BYTES,
);

type MintArguments = TokenCall<typeof initializeMint2.accounts, typeof initializeMint2.args.fields>['args'];

function openMint({ program, data: given }: Invocation, mint: InstructionAccount, args: MintArguments): void {
  const isComplete = args.freezeAuthorityTag === 0 || given.length >= COMPLETE_BYTES;
  ensure(args.freezeAuthorityTag <= 1 && isComplete, TOKEN_ERROR.invalidInstruction);
  checkLength(mint, program, MINT_BYTES);
  ensure(mint.data[MINT_INITIALIZED_OFFSET] === 0, TOKEN_ERROR.alreadyInUse);
  ensure(mint.lamports >= rentLamports(mint.data.length), TOKEN_ERROR.notRentExempt);
  const extensions = presentExtensions(mint, program);
  const freezeAuthority = args.freezeAuthorityTag === 1 ? args.freezeAuthority : null;
  ensure(freezeAuthority !== null || !startsFrozen({ extensions }), TOKEN_ERROR.mintCannotFreeze);
  const data = encodeMint({
    mintAuthority: args.mintAuthority,
    supply: 0n,
    decimals: args.decimals,
    freezeAuthority,
    extensions,
  });
  // A mint has room for its extensions and no more.
  if (data.length !== mint.data.length) throw new InstructionError('InvalidAccountData');
  mint.write(data);
}

function presentExtensions({ data }: InstructionAccount, program: Address): Extension[] {
  try {
    return readExtensions('Mint', { owner: program, data }, MINT_BYTES, UNINITIALIZED_TYPE);
  } catch (error) {
    throw error instanceof ProtocolError ? new InstructionError('InvalidAccountData') : error;
  }
}
