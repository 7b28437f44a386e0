import { ProtocolError } from '@sluice/protocol/protocol-error';
import { associatedTokenAddress } from '@sluice/protocol/token/addresses';
import { closeAccount, transferChecked } from '@sluice/protocol/token/instructions';
import { decodeMint } from '@sluice/protocol/token/mint';
import { decodeTokenAccount } from '@sluice/protocol/token/token-account';
import type { Address } from '@solana/kit';
import { ensure } from '../anchor.ts';
import type { InstructionAccount } from '../instruction-account.ts';
import { InstructionError } from '../instruction-error.ts';
import type { Invocation } from '../program.ts';
import { accountsOf } from './named-accounts.ts';

const INVALID_OWNER = 0;
const UNITS = 9_400;

/** Empties and closes an associated account whose owner is an associated account of the wallet. */
export function recoverNested(invocation: Invocation): void {
  invocation.consume(UNITS);
  const [nested, nestedMint, destination, holder, holderMint, wallet, tokenProgram] = accountsOf(
    invocation,
    7,
  );
  const program = tokenProgram.address;
  checkAddress(holder, wallet.address, holderMint, program);
  checkAddress(nested, holder.address, nestedMint, program);
  checkAddress(destination, wallet.address, nestedMint, program);
  if (!wallet.isSigner) throw new InstructionError('MissingRequiredSignature');
  for (const account of [holderMint, holder, nested, nestedMint]) {
    if (account.owner !== program) throw new InstructionError('IllegalOwner');
  }
  ensure(read(() => decodeTokenAccount(holder)).owner === wallet.address, INVALID_OWNER);
  const held = read(() => decodeTokenAccount(nested));
  ensure(held.owner === holder.address, INVALID_OWNER);
  const { decimals } = read(() => decodeMint(nestedMint));

  const move = {
    source: nested.address,
    mint: nestedMint.address,
    destination: destination.address,
    owner: holder.address,
  };
  invocation.invoke(transferChecked.encode(program, move, { amount: held.amount, decimals }), [
    holder.address,
  ]);
  const close = { account: nested.address, destination: wallet.address, owner: holder.address };
  invocation.invoke(closeAccount.encode(program, close, {}), [holder.address]);
}

function checkAddress(
  account: InstructionAccount,
  owner: Address,
  mint: InstructionAccount,
  tokenProgram: Address,
): void {
  const { address } = associatedTokenAddress(owner, tokenProgram, mint.address);
  if (account.address !== address) throw new InstructionError('InvalidSeeds');
}

function read<T>(decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    throw error instanceof ProtocolError ? new InstructionError('InvalidAccountData') : error;
  }
}
