import type { EncodedInstruction } from '@sluice/protocol/layout/instruction';
import { FULL_BPS } from '@sluice/protocol/numeric/fraction';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  SYSTEM_PROGRAM,
} from '@sluice/protocol/program-ids';
import { isProtocolError } from '@sluice/protocol/protocol-error';
import { routeV2, sharedAccountsRouteV2 } from '@sluice/protocol/router/route-instructions';
import { associatedTokenAddress } from '@sluice/protocol/token/addresses';
import { createAssociatedTokenIdempotent } from '@sluice/protocol/token/instructions';
import { AccountRole, type Address } from '@solana/kit';
import { type CodedError, SluiceError } from '../errors/sluice-error.ts';
import type { AnsweredInstruction, SwapAnswer } from './answer.ts';
import type { Quote, QuoteRequest } from './quote-source.ts';

export function quoteRefused(reason: string): CodedError {
  return new SluiceError('QUOTE_REFUSED', { reason });
}

/**
 * Checks that an answer is what was asked for, by its swap instruction and not by what it says of itself: the router
 * spends the amount from the wallet's account, and pays at least the minimum into the wallet's account or fails.
 *
 * @param router the program that may swap
 * @throws SluiceError QUOTE_REFUSED
 */
export function checkedQuote(answer: SwapAnswer, request: QuoteRequest, router: Address): Quote {
  const { sold, bought, inAmount, slippageBps } = request;
  check(answer.inputMint === sold.mint, `it sells ${answer.inputMint} instead of ${sold.mint}`);
  check(answer.outputMint === bought.mint, `it buys ${answer.outputMint} instead of ${bought.mint}`);
  check(answer.inAmount === inAmount, `it spends ${answer.inAmount} base units instead of ${inAmount}`);
  check(
    answer.swapInstruction.programId === router,
    `its swap calls program ${answer.swapInstruction.programId}, not the router ${router}`,
  );
  const swap = encoded(answer.swapInstruction);
  const route = routeOf(swap, request);
  check(route.inAmount === inAmount, `its instruction spends ${route.inAmount} base units`);
  check(
    route.slippageBps <= slippageBps,
    `its instruction allows a slippage of ${route.slippageBps} basis points, more than ${slippageBps}`,
  );
  check(route.platformFeeBps === 0, `its instruction takes a fee of ${route.platformFeeBps} basis points`);
  check(
    route.quotedOutAmount === answer.outAmount,
    `it says that it pays ${answer.outAmount} base units, but its instruction says ${route.quotedOutAmount}`,
  );
  const kept = FULL_BPS - BigInt(route.slippageBps);
  const guaranteedOut = (route.quotedOutAmount * kept) / FULL_BPS;
  check(
    answer.otherAmountThreshold <= guaranteedOut + 1n,
    `it says that it guarantees ${answer.otherAmountThreshold} base units, but its instruction guarantees ${guaranteedOut}`,
  );
  check(guaranteedOut > 0n, 'it guarantees nothing');
  const setup = answer.setupInstructions.flatMap((each) => neededSetup(each, request));
  const instructions = [...setup, swap];
  for (const { accounts } of instructions) checkSigners(accounts, request);
  return {
    inAmount,
    expectedOut: route.quotedOutAmount,
    guaranteedOut,
    slippageBps: route.slippageBps,
    router,
    instructions,
    lookupTables: answer.addressesByLookupTableAddress,
  };
}

function check(isTrue: boolean, reason: string): void {
  if (!isTrue) throw quoteRefused(reason);
}

function checkSigners(accounts: EncodedInstruction['accounts'], { wallet }: QuoteRequest): void {
  for (const { address, role } of accounts) {
    const signs = role === AccountRole.READONLY_SIGNER || role === AccountRole.WRITABLE_SIGNER;
    check(!signs || address === wallet, `it needs the signature of ${address}`);
  }
}

interface Route {
  readonly inAmount: bigint;
  readonly quotedOutAmount: bigint;
  readonly slippageBps: number;
  readonly platformFeeBps: number;
}

/** The arguments of the swap, after a check of the accounts that they are about. */
function routeOf(swap: EncodedInstruction, request: QuoteRequest): Route {
  const { wallet, sold, bought } = request;
  const isShared = startsWith(swap.data, sharedAccountsRouteV2.discriminator);
  check(
    isShared || startsWith(swap.data, routeV2.discriminator),
    'its instruction is not a route of an exact amount in the current format',
  );
  try {
    if (isShared) {
      const { accounts, args } = sharedAccountsRouteV2.decode(swap);
      checkAccounts(accounts, [accounts.sourceTokenAccount, accounts.destinationTokenAccount], request);
      return args;
    }
    const { accounts, args } = routeV2.decode(swap);
    const { userSourceTokenAccount, userDestinationTokenAccount, destinationTokenAccount } = accounts;
    checkAccounts(accounts, [userSourceTokenAccount, userDestinationTokenAccount], request);
    check(
      destinationTokenAccount === null || destinationTokenAccount === bought.account,
      `its instruction pays into ${destinationTokenAccount}, not into the account of the wallet`,
    );
    return args;
  } catch (error) {
    if (!isProtocolError(error)) throw error;
    throw quoteRefused(`its instruction for ${sold.mint} of ${wallet} cannot be decoded`);
  }
}

interface RouteAccounts {
  readonly userTransferAuthority: Address;
  readonly sourceMint: Address;
  readonly destinationMint: Address;
  readonly sourceTokenProgram: Address;
  readonly destinationTokenProgram: Address;
}

function checkAccounts(
  accounts: RouteAccounts,
  [source, destination]: readonly [Address, Address],
  { wallet, sold, bought }: QuoteRequest,
): void {
  const { userTransferAuthority: authority } = accounts;
  check(authority === wallet, `its instruction spends tokens of ${authority}`);
  check(source === sold.account, `its instruction spends from ${source}, not from the account of the wallet`);
  check(
    destination === bought.account,
    `its instruction pays into ${destination}, not into the account of the wallet`,
  );
  check(
    accounts.sourceMint === sold.mint && accounts.destinationMint === bought.mint,
    'its instruction is about other tokens',
  );
  check(
    accounts.sourceTokenProgram === sold.tokenProgram &&
      accounts.destinationTokenProgram === bought.tokenProgram,
    'its instruction names the wrong token program',
  );
}

/**
 * Of the set-up only the token accounts of the wallet for tokens on the way are needed. The action opens those of both
 * tokens, and the compute budget is an option of the build.
 */
function neededSetup(
  answered: AnsweredInstruction,
  { wallet, sold, bought }: QuoteRequest,
): EncodedInstruction[] {
  if (answered.programId === COMPUTE_BUDGET_PROGRAM) return [];
  const instruction = encoded(answered);
  const [given] = instruction.data;
  const isCreation =
    answered.programId === ASSOCIATED_TOKEN_PROGRAM &&
    given === createAssociatedTokenIdempotent.discriminator[0] &&
    answered.accounts.length === createAssociatedTokenIdempotent.accountNames.length;
  check(isCreation, `its set-up calls program ${answered.programId} for something else than a token account`);
  const { accounts } = createAssociatedTokenIdempotent.decode(instruction);
  const { owner, mint, tokenProgram, associatedToken } = accounts;
  const isOfWallet =
    owner === wallet &&
    associatedToken === associatedTokenAddress(wallet, tokenProgram, mint).address &&
    accounts.systemProgram === SYSTEM_PROGRAM;
  check(isOfWallet, `its set-up opens a token account of ${owner}`);
  return mint === sold.mint || mint === bought.mint ? [] : [instruction];
}

function encoded({ programId, accounts, data }: AnsweredInstruction): EncodedInstruction {
  return {
    programAddress: programId,
    accounts: accounts.map(({ pubkey, isSigner, isWritable }) => ({
      address: pubkey,
      role: isSigner
        ? isWritable
          ? AccountRole.WRITABLE_SIGNER
          : AccountRole.READONLY_SIGNER
        : isWritable
          ? AccountRole.WRITABLE
          : AccountRole.READONLY,
    })),
    data: Uint8Array.from(Buffer.from(data, 'base64')),
  };
}

const startsWith = (data: Uint8Array, prefix: Uint8Array) => prefix.every((byte, i) => data[i] === byte);
