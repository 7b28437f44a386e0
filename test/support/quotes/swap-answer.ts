import { ASSOCIATED_TOKEN_PROGRAM, SYSTEM_PROGRAM, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { associatedTokenAddress } from '@sluice/protocol/token/addresses';
import type { Address } from '@solana/kit';
import type { QuoteRequest } from '../../../src/quotes/quote-source.ts';
import { addressNumber } from '../builders/lending-accounts.ts';

/** Answers of `/swap/v2/build`, written by hand in the format of the API. */

export const ROUTER = 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4' as Address;
export const EVENT_AUTHORITY = 'D8cy77BBepLMngZx6ZukaTff5hCt1HrWyKk3Hnd9oitf' as Address;
export const TABLE = addressNumber(903);
const [WALLET, SOLD, BOUGHT] = [addressNumber(900), addressNumber(901), addressNumber(902)] as const;

const accountOf = (mint: Address) => associatedTokenAddress(WALLET, TOKEN_PROGRAM, mint).address;
const tokenOf = (mint: Address) => ({ mint, tokenProgram: TOKEN_PROGRAM, account: accountOf(mint) });

export const REQUEST: QuoteRequest = {
  caller: 'a',
  wallet: WALLET,
  sold: tokenOf(SOLD),
  bought: tokenOf(BOUGHT),
  inAmount: 1_000_000n,
  slippageBps: 50,
};

export interface AnswerAccount {
  readonly pubkey: Address;
  readonly isSigner: boolean;
  readonly isWritable: boolean;
}

const plain = (pubkey: Address): AnswerAccount => ({ pubkey, isSigner: false, isWritable: false });
const writable = (pubkey: Address): AnswerAccount => ({ pubkey, isSigner: false, isWritable: true });
const signer = (pubkey: Address): AnswerAccount => ({ pubkey, isSigner: true, isWritable: false });

export interface RouteNumbers {
  readonly inAmount?: bigint;
  readonly out?: bigint;
  readonly slippageBps?: number;
  readonly platformFeeBps?: number;
}

/** Arguments of a route and an empty list of steps. */
function routeData(head: string, numbers: RouteNumbers): string {
  const { inAmount = 1_000_000n, out = 16_198_753n, slippageBps = 50, platformFeeBps = 0 } = numbers;
  const body = Buffer.alloc(26);
  body.writeBigUInt64LE(inAmount, 0);
  body.writeBigUInt64LE(out, 8);
  body.writeUInt16LE(slippageBps, 16);
  body.writeUInt16LE(platformFeeBps, 18);
  return Buffer.concat([Buffer.from(head, 'hex'), body]).toString('base64');
}

export interface AnswerInstruction {
  readonly programId: Address;
  readonly accounts: readonly AnswerAccount[];
  readonly data: string;
}

/** `route_v2` through a pool of two accounts. */
export const route = (numbers: RouteNumbers = {}): AnswerInstruction => ({
  programId: ROUTER,
  accounts: [
    signer(WALLET),
    writable(accountOf(SOLD)),
    writable(accountOf(BOUGHT)),
    plain(SOLD),
    plain(BOUGHT),
    plain(TOKEN_PROGRAM),
    plain(TOKEN_PROGRAM),
    plain(ROUTER),
    plain(EVENT_AUTHORITY),
    plain(ROUTER),
    writable(addressNumber(904)),
    writable(addressNumber(905)),
  ],
  data: routeData('bb64facc31c4af14', numbers),
});

/** `shared_accounts_route_v2`. */
export const sharedRoute = (numbers: RouteNumbers = {}): AnswerInstruction => ({
  programId: ROUTER,
  accounts: [
    plain(addressNumber(906)),
    signer(WALLET),
    writable(accountOf(SOLD)),
    writable(addressNumber(907)),
    writable(addressNumber(908)),
    writable(accountOf(BOUGHT)),
    plain(SOLD),
    plain(BOUGHT),
    plain(TOKEN_PROGRAM),
    plain(TOKEN_PROGRAM),
    plain(EVENT_AUTHORITY),
    plain(ROUTER),
  ],
  data: routeData('d19853937cfed8e907', numbers),
});

/** Opens the owner's token account, paid by the wallet. */
export const opening = (mint: Address, owner: Address = WALLET): AnswerInstruction => ({
  programId: ASSOCIATED_TOKEN_PROGRAM,
  accounts: [
    { pubkey: WALLET, isSigner: true, isWritable: true },
    writable(associatedTokenAddress(owner, TOKEN_PROGRAM, mint).address),
    plain(owner),
    plain(mint),
    plain(SYSTEM_PROGRAM),
    plain(TOKEN_PROGRAM),
  ],
  data: 'AQ==',
});

/** The example of the API's documentation: 0.5 % off 16,198,753 is 16,117,759.2, of which the API states the next unit. */
export const ANSWER = {
  inputMint: SOLD as string,
  outputMint: BOUGHT as string,
  swapMode: 'ExactIn',
  inAmount: '1000000',
  outAmount: '16198753',
  otherAmountThreshold: '16117760',
  slippageBps: 50,
  priceImpactPct: '0.0001',
  routePlan: [],
  computeBudgetInstructions: [],
  setupInstructions: [opening(BOUGHT)],
  swapInstruction: route(),
  cleanupInstruction: null,
  otherInstructions: [],
  tipInstruction: null,
  addressesByLookupTableAddress: { [TABLE]: [addressNumber(904)] } as Record<string, string[]> | null,
  blockhashWithMetadata: { blockhash: [], lastValidBlockHeight: 1, fetchedAt: 1 },
};

export type Answer = typeof ANSWER;
