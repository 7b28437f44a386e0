import type { EncodedInstruction } from '@sluice/protocol/layout/instruction';
import { type ProgramIds, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { approve, approveChecked, setAuthority } from '@sluice/protocol/token/account-instructions';
import { closeAccount } from '@sluice/protocol/token/instructions';
import { type Address, isWritableRole } from '@solana/kit';
import { type ReadAccounts, walletTokenMint } from '../read-accounts.ts';
import { type SwapLeg, signersOf, swapRefused } from './swap-leg.ts';

/** State that a swap must not change, so that the loan around it works as previewed. */
export interface SwapGuard {
  readonly programs: ProgramIds;
  readonly wallet: Address;
  /** Accounts that may sign: wallet, fee payer and the signers that the caller names. */
  readonly signers: ReadonlySet<Address>;
  /** Accounts of the loan and of the obligation that the swap must not write, with what they are. */
  readonly untouchable: ReadonlyMap<Address, string>;
  /** Accounts of the wallet that the tokens of the loan pass through. */
  readonly tokenAccounts: ReadonlySet<Address>;
  /** Whether a mint is that of a vault's shares. */
  readonly isShareMint: (mint: Address) => boolean;
  readonly read: ReadAccounts;
}

/** Refuses a swap that could break the loan or a position. What programs do inside their calls cannot be seen here. */
export function checkSwapAccounts({ instructions }: SwapLeg, guard: SwapGuard): void {
  instructions.forEach((each, index) => {
    for (const signer of signersOf(each)) {
      if (guard.signers.has(signer)) continue;
      throw swapRefused(`it needs the signature of ${signer}; name it in \`signers\` if it co-signs`, index);
    }
    for (const { address, role } of each.accounts) {
      if (!isWritableRole(role)) continue;
      const what = forbiddenWrite(address, guard);
      if (what !== null) throw swapRefused(`it writes ${what} (${address})`, index);
    }
    const done = authorityChange(each, guard);
    if (done !== null) {
      const advice = 'omit set-up and clean-up instructions of the router';
      throw swapRefused(`it ${done} the token account that the loan uses; ${advice}`, index);
    }
  });
}

function forbiddenWrite(address: Address, guard: SwapGuard): string | null {
  const known = guard.untouchable.get(address);
  if (known !== undefined) return known;
  const account = guard.read(address);
  if (account === null) return null;
  const { klend, kvault, farms } = guard.programs;
  if (account.owner === klend) return 'an account of the lending program';
  if (account.owner === kvault) return 'an account of the vault program';
  if (account.owner === farms) return 'an account of the farms program';
  const mint = walletTokenMint(account, guard.wallet);
  return mint !== null && guard.isShareMint(mint) ? 'the vault shares of the wallet' : null;
}

const BATCH = 0xff;
const CHANGES: ReadonlyMap<number | undefined, string> = new Map([
  [closeAccount.discriminator[0], 'closes'],
  [setAuthority.discriminator[0], 'changes the authority of'],
  [approve.discriminator[0], 'lets another signer spend from'],
  [approveChecked.discriminator[0], 'lets another signer spend from'],
  [BATCH, 'runs a batch on'],
]);

/** Change of authority over an account of the loan by a token instruction; null for anything else. */
function authorityChange(
  { programAddress, accounts, data }: EncodedInstruction,
  { tokenAccounts }: SwapGuard,
): string | null {
  if (programAddress !== TOKEN_PROGRAM && programAddress !== TOKEN_2022_PROGRAM) return null;
  const done = CHANGES.get(data[0]);
  if (done === undefined) return null;
  const concerned = data[0] === BATCH ? accounts : accounts.slice(0, 1);
  return concerned.some(({ address }) => tokenAccounts.has(address)) ? done : null;
}
