import { MAINNET_PROGRAMS, RECENT_BLOCKHASHES_SYSVAR, SYSTEM_PROGRAM } from '@sluice/protocol/program-ids';
import {
  type Address,
  appendTransactionMessageInstruction,
  type Blockhash,
  createKeyPairSignerFromPrivateKeyBytes,
  createTransactionMessage,
  getBase58Decoder,
  getBase64EncodedWireTransaction,
  type Instruction,
  type KeyPairSigner,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit';

/** Of transactions that name no other. */
export const BLOCKHASH = 'EkSnNWid2cvwEVnVx9aBqawnmiCNiDgp3gUdkDPTKN1N' as Blockhash;
const FIRST_SIGNATURE = 1;
const SIGNATURE_BYTES = 64;

/** The signature of a transaction with one signer, straight from its bytes. */
export const signatureOf = (base64: string): string =>
  getBase58Decoder().decode(
    Buffer.from(base64, 'base64').subarray(FIRST_SIGNATURE, FIRST_SIGNATURE + SIGNATURE_BYTES),
  );

/** The same transaction with another byte in place of one. */
export function withByte(base64: string, at: number, change: (byte: number) => number): string {
  const bytes = Buffer.from(base64, 'base64');
  bytes[at] = change(bytes[at] ?? 0);
  return bytes.toString('base64');
}

/** The same transaction with zeros in place of its signature. */
export function unsigned(base64: string): string {
  const bytes = Buffer.from(base64, 'base64');
  return bytes.fill(0, FIRST_SIGNATURE, FIRST_SIGNATURE + SIGNATURE_BYTES).toString('base64');
}

/** Signs distinct transactions with one key. */
export class Wallet {
  readonly signer: KeyPairSigner;
  #made = 0;

  private constructor(signer: KeyPairSigner) {
    this.signer = signer;
  }

  /** @param seed wallets of different seeds have different keys */
  static async create(seed = 9): Promise<Wallet> {
    return new Wallet(await createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(32).fill(seed)));
  }

  /** A transaction unlike any before. @param bytes length of its data */
  async sign(
    bytes = 8,
    instructions: readonly Instruction[] = [],
    blockhash: Blockhash = BLOCKHASH,
  ): Promise<string> {
    this.#made += 1;
    const data = new Uint8Array(bytes);
    new DataView(data.buffer).setUint32(0, this.#made);
    const lending: Instruction = { programAddress: MAINNET_PROGRAMS.klend, accounts: [], data };
    const base = pipe(
      createTransactionMessage({ version: 0 }),
      (message) => setTransactionMessageFeePayerSigner(this.signer, message),
      (message) =>
        setTransactionMessageLifetimeUsingBlockhash({ blockhash, lastValidBlockHeight: 0n }, message),
    );
    const whole = [...instructions, lending].reduce(
      (message, instruction) =>
        appendTransactionMessageInstruction(instruction, message) as unknown as typeof base,
      base,
    );
    return getBase64EncodedWireTransaction(await signTransactionMessageWithSigners(whole));
  }

  /** An instruction that makes the blockhash a durable nonce. @param authority by default the wallet, which signs */
  advanceNonce(nonce: Address = this.signer.address, authority: Address = this.signer.address): Instruction {
    const account = (address: Address) => ({ address, role: 0 });
    return {
      programAddress: SYSTEM_PROGRAM,
      accounts: [account(nonce), account(RECENT_BLOCKHASHES_SYSVAR), account(authority)],
      data: Uint8Array.of(4, 0, 0, 0),
    };
  }
}
