import type { Address } from '@solana/kit';
import { type ReadAccounts, readTokenAccount } from '../read-accounts.ts';
import { shortened } from '../shortened.ts';
import { type NamedInstruction, namedInstructions } from '../signing/named-instructions.ts';
import { programNames } from '../signing/program-names.ts';
import {
  type AccountOwnership,
  type OwnershipByAddress,
  ownerOf,
  type Signers,
} from '../signing/signing-warning.ts';
import { signingWarnings } from '../signing/signing-warnings.ts';
import { type BuildWarning, warning } from '../warnings.ts';
import { inTokens, type LoanAccounts } from './accounts.ts';
import type { LoanBuild } from './build.ts';
import type { Trade } from './wallet.ts';

/**
 * Warnings for a signer of the caller's swap, as in explanations. Two kinds belong to every swap and are left out: what its
 * co-signers do with their own accounts, and transfers of the sold tokens, if the swap pays its minimum for them by
 * transfers, too. That is how a market maker settles.
 */
export function swapWarnings({ accounts, trade }: LoanBuild, read: ReadAccounts): BuildWarning[] {
  const { programs, wallet, swap } = accounts.request;
  const signers: Signers = {
    wallet,
    feePayer: accounts.at.payer,
    all: new Set([wallet, accounts.at.payer, ...swap.signers]),
  };
  const instructions = instructionsOf(accounts, signers);
  const facts = ownerships(accounts, signers, read);
  const names = programNames(programs);
  const found = signingWarnings(instructions, facts, signers, (program) => names.has(program), []);
  const parties = new Set(swap.signers.filter((signer) => signer !== wallet));
  const exchange = exchangeOf(instructions, facts, accounts, trade);
  return found.flatMap(({ code, message, instructionIndex, affects }): BuildWarning[] => {
    // The tables of a swap are read with those of the build, which leaves out what is unreadable.
    if (code === 'LOOKUP_TABLE_UNREADABLE') return [];
    // The instruction of the router was checked against its quote.
    if (code === 'UNKNOWN_PROGRAM_WRITES' && swap.quote !== null) return [];
    if (affects.every((each) => each !== null && parties.has(each))) return [];
    const isPayment = code === 'TOKENS_TO_OTHER' && exchange.payments.has(instructionIndex ?? -1);
    if (isPayment && exchange.isPaid) return [];
    const why = isPayment ? ` ${exchange.shortfall}` : '';
    return [warning(code, `Instruction ${instructionIndex} of the swap: ${message}${why}`)];
  });
}

/** The whole transaction decides which accounts are signers and writable, whatever an instruction says. */
function instructionsOf({ request }: LoanAccounts, { all }: Signers): NamedInstruction[] {
  const { swap, programs } = request;
  return namedInstructions(
    programs,
    swap.instructions.map(({ programAddress, accounts, data }) => ({
      programAddress,
      data,
      accounts: accounts.map(({ address }) => ({
        address,
        isSigner: all.has(address),
        isWritable: true,
        lookupTable: null,
      })),
    })),
  );
}

/** The signers, the wallet's accounts for both tokens, which may not exist yet, and the token accounts that were read. */
function ownerships(
  { request, sides }: LoanAccounts,
  { wallet, feePayer, all }: Signers,
  read: ReadAccounts,
): OwnershipByAddress {
  const tokens = (mint: Address, owner: Address): AccountOwnership => {
    const symbol = sides.find((side) => side.mint === mint)?.symbol ?? shortened(mint);
    const name = owner === wallet ? `your ${symbol} account` : `${symbol} account of ${shortened(owner)}`;
    return { name, owner, isKnown: all.has(owner) };
  };
  const facts = new Map<Address, AccountOwnership>();
  for (const address of request.swap.instructions.flatMap(({ accounts }) =>
    accounts.map((each) => each.address),
  )) {
    const account = read(address);
    const token = account && readTokenAccount(account);
    if (token) facts.set(address, tokens(token.mint, token.owner));
  }
  for (const { token, mint } of sides) facts.set(token.address, tokens(mint, wallet));
  for (const signer of all) {
    const other = signer === feePayer ? 'fee payer' : `signer ${shortened(signer)}`;
    facts.set(signer, { name: signer === wallet ? 'your wallet' : other, owner: signer, isKnown: true });
  }
  return facts;
}

interface Exchange {
  /** Instructions that transfer the sold tokens, by index. */
  readonly payments: ReadonlySet<number>;
  /** Whether they transfer no more than the swap spends, and it pays its minimum by transfers. */
  readonly isPaid: boolean;
  /** Why it is not paid. */
  readonly shortfall: string;
}

function exchangeOf(
  instructions: readonly NamedInstruction[],
  facts: OwnershipByAddress,
  { request: { wallet } }: LoanAccounts,
  { sold, bought, spent, minOut }: Trade,
): Exchange {
  const payments = new Set<number>();
  let [given, received] = [0n, 0n];
  for (const [index, each] of instructions.entries()) {
    const amount = transferred(each);
    if (amount === null) continue;
    const [source, destination] = [each.role('source'), each.role('destination')];
    const payer = ownerOf(facts, source);
    if (source === sold.token.address) {
      payments.add(index);
      given += amount.sent;
    }
    if (destination === bought.token.address && payer !== null && payer !== wallet)
      received += amount.arrives;
  }
  return {
    payments,
    isPaid: given <= spent && received >= minOut,
    shortfall: `The swap transfers ${inTokens(sold, given)} of ${inTokens(sold, spent)} and pays ${inTokens(bought, received)} by transfers; its minOut is ${inTokens(bought, minOut)}.`,
  };
}

/** Base units; null for an instruction that transfers no tokens. */
function transferred({
  name,
  args,
}: NamedInstruction): { readonly sent: bigint; readonly arrives: bigint } | null {
  if (name === null || !name.startsWith('transfer') || typeof args?.amount !== 'bigint') return null;
  const fee = typeof args.fee === 'bigint' ? args.fee : 0n;
  return { sent: args.amount, arrives: args.amount - fee };
}
