import { SYSTEM_PROGRAM } from '@sluice/protocol/program-ids';
import { ProtocolError } from '@sluice/protocol/protocol-error';
import { allocate, assign, createAccount } from '@sluice/protocol/system/account-instructions';
import { transferLamports } from '@sluice/protocol/system/instructions';
import { initializeAccount3, initializeImmutableOwner } from '@sluice/protocol/token/account-instructions';
import { associatedTokenAddress } from '@sluice/protocol/token/addresses';
import { EXTENSION_TYPE } from '@sluice/protocol/token/extension-types';
import { getAccountDataSize } from '@sluice/protocol/token/mint-instructions';
import { decodeTokenAccount, type TokenAccount } from '@sluice/protocol/token/token-account';
import { rentLamports } from '../account-store.ts';
import { ensure } from '../anchor.ts';
import type { InstructionAccount } from '../instruction-account.ts';
import { InstructionError } from '../instruction-error.ts';
import type { Invocation } from '../program.ts';
import { accountsOf } from './named-accounts.ts';

const INVALID_OWNER = 0;
/** Compute units of checking the address, and of creating the account without the called programs. */
const CHECK_UNITS = 4_338;
const CREATE_UNITS = 4_600;

interface NewAccount {
  readonly payer: InstructionAccount;
  readonly account: InstructionAccount;
  readonly wallet: InstructionAccount;
  readonly mint: InstructionAccount;
  readonly tokenProgram: InstructionAccount;
}

/** Opens the wallet's associated token account. An idempotent call succeeds when it is open already. */
export function createAssociatedAccount(invocation: Invocation, isIdempotent: boolean): void {
  invocation.consume(CHECK_UNITS);
  const [payer, account, wallet, mint, , tokenProgram] = accountsOf(invocation, 6);
  const { address } = associatedTokenAddress(wallet.address, tokenProgram.address, mint.address);
  if (account.address !== address) {
    invocation.log('Error: the associated address does not match its seeds');
    throw new InstructionError('InvalidSeeds');
  }
  const existing = isIdempotent && account.owner === tokenProgram.address ? openedAccount(account) : null;
  if (existing !== null) {
    ensure(existing.owner === wallet.address, INVALID_OWNER);
    if (existing.mint !== mint.address) throw new InstructionError('InvalidAccountData');
    return;
  }
  if (account.owner !== SYSTEM_PROGRAM) throw new InstructionError('IllegalOwner');
  open(invocation, { payer, account, wallet, mint, tokenProgram });
}

/** Null when the account holds something else. */
function openedAccount({ owner, data }: InstructionAccount): TokenAccount | null {
  try {
    return decodeTokenAccount({ owner, data });
  } catch (error) {
    if (error instanceof ProtocolError) return null;
    throw error;
  }
}

function open(invocation: Invocation, { payer, account, wallet, mint, tokenProgram }: NewAccount): void {
  invocation.consume(CREATE_UNITS);
  const program = tokenProgram.address;
  const accounts = { account: account.address, mint: mint.address };
  const query = getAccountDataSize.encode(program, accounts, {});
  const withImmutableOwner = Uint8Array.of(...query.data, EXTENSION_TYPE.immutableOwner, 0);
  const returned = invocation.invoke({ ...query, data: withImmutableOwner });
  if (returned?.length !== 8) throw new InstructionError('InvalidInstructionData');
  allot(invocation, payer, account, Buffer.from(returned).readBigUInt64LE(), program);
  invocation.log('Initialize the associated token account');
  invocation.invoke(initializeImmutableOwner.encode(program, accounts, {}));
  invocation.invoke(initializeAccount3.encode(program, accounts, { owner: wallet.address }));
}

/** An address that already has lamports cannot be created: it is topped up, sized and handed over instead. */
function allot(
  invocation: Invocation,
  payer: InstructionAccount,
  { address: account, lamports }: InstructionAccount,
  space: bigint,
  owner: NewAccount['tokenProgram']['address'],
): void {
  const rent = rentLamports(Number(space));
  if (lamports === 0n) {
    const accounts = { payer: payer.address, newAccount: account };
    const creation = createAccount.encode(SYSTEM_PROGRAM, accounts, { lamports: rent, space, owner });
    invocation.invoke(creation, [account]);
    return;
  }
  if (lamports < rent) {
    const accounts = { source: payer.address, destination: account };
    invocation.invoke(transferLamports.encode(SYSTEM_PROGRAM, accounts, { lamports: rent - lamports }));
  }
  invocation.invoke(allocate.encode(SYSTEM_PROGRAM, { account }, { space }), [account]);
  invocation.invoke(assign.encode(SYSTEM_PROGRAM, { account }, { owner }), [account]);
}
