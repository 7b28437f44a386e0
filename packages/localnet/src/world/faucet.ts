import type { EncodedInstruction } from '@sluice/protocol/layout/instruction';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  SYSTEM_PROGRAM,
  WRAPPED_SOL_MINT,
} from '@sluice/protocol/program-ids';
import { setComputeUnitLimit, transferLamports } from '@sluice/protocol/system/instructions';
import { associatedTokenAddress } from '@sluice/protocol/token/addresses';
import { createAssociatedTokenIdempotent, syncNative } from '@sluice/protocol/token/instructions';
import { mintTo } from '@sluice/protocol/token/supply-instructions';
import {
  type Address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  createTransactionMessage,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import type { Faucet } from '../chain.ts';
import type { AccountStore } from '../runtime/account-store.ts';
import { type KeyPair, labelledKeyPair } from './key-pair.ts';
import type { Token } from './model.ts';

/** Four hundred million SOL. */
const FAUCET_LAMPORTS = 400_000_000n * 1_000_000_000n;
const UNIT_LIMIT = 200_000;

/** Gives SOL away, and may mint every token of the world but wrapped SOL. */
export function faucetKeyPair(seed: string): KeyPair {
  return labelledKeyPair(seed, 'faucet');
}

export function addFaucet(store: AccountStore, seed: string): void {
  store.add({
    address: faucetKeyPair(seed).address,
    owner: SYSTEM_PROGRAM,
    encode: () => new Uint8Array(0),
    lamports: () => FAUCET_LAMPORTS,
  });
}

/** Makes the transactions that give SOL and tokens to wallets. */
export class WorldFaucet implements Faucet {
  readonly #keyPair: KeyPair;
  readonly #tokens: readonly Token[];
  readonly #blockhash: () => string;
  #count = 0;

  constructor(seed: string, tokens: readonly Token[], blockhash: () => string) {
    this.#keyPair = faucetKeyPair(seed);
    this.#tokens = tokens;
    this.#blockhash = blockhash;
  }

  airdrop(to: Address, lamports: bigint): Uint8Array {
    return this.#signed([this.#transfer(to, lamports)]);
  }

  tokens(owner: Address, mint: Address, amount: bigint): Uint8Array | null {
    const program = this.#tokens.find((token) => token.mint.address === mint)?.mint.program;
    if (program === undefined) return null;
    const payer = this.#keyPair.address;
    const account = associatedTokenAddress(owner, program, mint).address;
    const create = createAssociatedTokenIdempotent.encode(
      ASSOCIATED_TOKEN_PROGRAM,
      { payer, associatedToken: account, owner, mint, systemProgram: SYSTEM_PROGRAM, tokenProgram: program },
      {},
    );
    if (mint === WRAPPED_SOL_MINT) {
      return this.#signed([
        create,
        this.#transfer(account, amount),
        syncNative.encode(program, { account }, {}),
      ]);
    }
    return this.#signed([create, mintTo.encode(program, { mint, account, authority: payer }, { amount })]);
  }

  #transfer(destination: Address, lamports: bigint): EncodedInstruction {
    return transferLamports.encode(
      SYSTEM_PROGRAM,
      { source: this.#keyPair.address, destination },
      { lamports },
    );
  }

  #signed(instructions: readonly EncodedInstruction[]): Uint8Array {
    const { address, sign } = this.#keyPair;
    // A limit of its own makes each transaction unique: the same one could not run twice within a minute.
    const units = UNIT_LIMIT + this.#count;
    this.#count = (this.#count + 1) % UNIT_LIMIT;
    const lifetime = { blockhash: this.#blockhash() as Blockhash, lastValidBlockHeight: 0n };
    const message = pipe(
      createTransactionMessage({ version: 0 }),
      (draft) => setTransactionMessageFeePayer(address, draft),
      (draft) => setTransactionMessageLifetimeUsingBlockhash(lifetime, draft),
      (draft) =>
        appendTransactionMessageInstructions(
          [setComputeUnitLimit.encode(COMPUTE_BUDGET_PROGRAM, {}, { units }), ...instructions],
          draft,
        ),
    );
    const { messageBytes } = compileTransaction(message);
    const signature = sign(Uint8Array.from(messageBytes));
    return Uint8Array.from(Buffer.concat([Buffer.of(1), signature, Buffer.from(messageBytes)]));
  }
}
