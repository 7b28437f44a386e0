import { SYSTEM_PROGRAM } from '@sluice/protocol/program-ids';
import { decodeMultisig, MULTISIG_BYTES } from '@sluice/protocol/token/multisig';
import type { TokenAccount } from '@sluice/protocol/token/token-account';
import type { Address } from '@solana/kit';
import { ensure } from '../anchor.ts';
import type { InstructionAccount } from '../instruction-account.ts';
import { InstructionError } from '../instruction-error.ts';
import type { Invocation } from '../program.ts';
import { TOKEN_ERROR } from './token-errors.ts';

const INCINERATOR = '1nc1nerator11111111111111111111111111111111' as Address;

/** The authority that an instruction names, and the signers of a multisig. */
export interface Signing {
  readonly authority: InstructionAccount;
  /** The signers of the authority if it is a multisig. */
  readonly signers: readonly InstructionAccount[];
}

/** Fails unless the expected authority, or enough signers of it, signed. */
export function checkAuthority(expected: Address, { authority, signers }: Signing, program: Address): void {
  ensure(authority.address === expected, TOKEN_ERROR.ownerMismatch);
  if (authority.owner !== program || authority.data.length !== MULTISIG_BYTES) {
    if (!authority.isSigner) throw new InstructionError('MissingRequiredSignature');
    return;
  }
  const multisig = decodeMultisig(authority.data);
  if (!multisig.isInitialized) throw new InstructionError('UninitializedAccount');
  const named = signers.filter(({ address }) => multisig.signers.includes(address));
  const signed = new Set(named.map(({ address }) => address)).size;
  if (named.some(({ isSigner }) => !isSigner) || signed < multisig.required) {
    throw new InstructionError('MissingRequiredSignature');
  }
}

/** Checks who spends tokens of the account: its owner, its delegate or the mint's. Returns the delegation that remains. */
export function checkSpender(
  account: TokenAccount,
  amount: bigint,
  signing: Signing,
  permanentDelegate: Address | null,
  { program }: Invocation,
): Pick<TokenAccount, 'delegate' | 'delegatedAmount'> {
  const { delegate, delegatedAmount, owner } = account;
  const { address } = signing.authority;
  if (address === permanentDelegate || address !== delegate) {
    checkAuthority(address === permanentDelegate ? address : owner, signing, program);
    return { delegate, delegatedAmount };
  }
  checkAuthority(delegate, signing, program);
  ensure(delegatedAmount >= amount, TOKEN_ERROR.insufficientFunds);
  const left = delegatedAmount - amount;
  return { delegate: left === 0n ? null : delegate, delegatedAmount: left };
}

/** Anyone may burn the tokens of such an account, and close it in favour of the incinerator. */
export function isOwnedByNobody({ owner }: TokenAccount): boolean {
  return owner === SYSTEM_PROGRAM || owner === INCINERATOR;
}

export const isIncinerator = ({ address }: InstructionAccount) => address === INCINERATOR;
