import { addressBytes, addressFromBytes } from '@sluice/protocol/layout/base58';
import {
  COMPUTE_BUDGET_PROGRAM,
  RECENT_BLOCKHASHES_SYSVAR,
  RENT_SYSVAR,
  SYSTEM_PROGRAM,
} from '@sluice/protocol/program-ids';
import { createAccount } from '@sluice/protocol/system/account-instructions';
import { setComputeUnitPrice, transferLamports } from '@sluice/protocol/system/instructions';
import {
  type Address,
  appendTransactionMessageInstructions,
  type Base64EncodedWireTransaction,
  compileTransaction,
  createTransactionMessage,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  type Instruction,
  type KeyPairSigner,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransaction,
} from '@solana/kit';
import {
  rawInstruction,
  readonly,
  writable,
} from '../../../packages/localnet/test/support/runtime/signed-wire.ts';
import type { ActingApp } from './acting-app.ts';

/** 128 and 80 bytes at 6,960 lamports. */
const NONCE_RENT = 1_447_680n;
const NONCE_BYTES = 80n;

/** Sends a transaction that the first signer pays. */
export async function sendInstructions(
  { rpc }: ActingApp,
  instructions: readonly Instruction[],
  signers: readonly [KeyPairSigner, ...KeyPairSigner[]],
): Promise<void> {
  const { value: lifetime } = await rpc.getLatestBlockhash().send();
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (draft) => setTransactionMessageFeePayer(signers[0].address, draft),
    (draft) => setTransactionMessageLifetimeUsingBlockhash(lifetime, draft),
    (draft) => appendTransactionMessageInstructions(instructions, draft),
  );
  const keyPairs = signers.map(({ keyPair }) => keyPair);
  const signed = await signTransaction(keyPairs, compileTransaction(message));
  const wire: Base64EncodedWireTransaction = getBase64EncodedWireTransaction(signed);
  await rpc.sendTransaction(wire, { encoding: 'base64' }).send();
}

/** A nonce account of the authority, one slot old; without one it is left uninitialised. */
export async function createNonceAccount(
  world: ActingApp,
  payer: KeyPairSigner,
  authority: Address | null,
): Promise<Address> {
  const nonce = await generateKeyPairSigner();
  const create = createAccount.encode(
    SYSTEM_PROGRAM,
    { payer: payer.address, newAccount: nonce.address },
    { lamports: NONCE_RENT, space: NONCE_BYTES, owner: SYSTEM_PROGRAM },
  );
  const initialize = (by: Address) =>
    rawInstruction(SYSTEM_PROGRAM, `06000000${Buffer.from(addressBytes(by)).toString('hex')}`, [
      writable(nonce.address),
      readonly(RECENT_BLOCKHASHES_SYSVAR),
      readonly(RENT_SYSVAR),
    ]);
  await sendInstructions(
    world,
    [create, ...(authority === null ? [] : [initialize(authority)])],
    [payer, nonce],
  );
  return nonce.address;
}

/** The nonce that an account stores: bytes 40 to 72. */
export function nonceIn({ localnet }: ActingApp, account: Address): string {
  const data = localnet.chain.account(account)?.data ?? new Uint8Array(0);
  return addressFromBytes(data.slice(40, 72));
}

/** Sends the wallet lamports of its own, at a price per compute unit. Different amounts make different transactions. */
export async function payFor(
  world: ActingApp,
  wallet: KeyPairSigner,
  microLamports: bigint,
  lamports: bigint,
): Promise<void> {
  await sendInstructions(
    world,
    [
      setComputeUnitPrice.encode(COMPUTE_BUDGET_PROGRAM, {}, { microLamports }),
      transferLamports.encode(
        SYSTEM_PROGRAM,
        { source: wallet.address, destination: wallet.address },
        { lamports },
      ),
    ],
    [wallet],
  );
}
