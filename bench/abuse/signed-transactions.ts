import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { digest, Random } from '@sluice/localnet/world/prng';
import { MAINNET_PROGRAMS, RECENT_BLOCKHASHES_SYSVAR, SYSTEM_PROGRAM } from '@sluice/protocol/program-ids';
import {
  type Address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransactionMessage,
  createTransactionMessage,
  getAddressDecoder,
  getBase58Decoder,
  getCompiledTransactionMessageEncoder,
  type Instruction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';

/** Most bytes of data that leave room for the rest of a transaction with a nonce. */
const MAX_DATA = 800;
const FEE_PAYERS = 5;
/** PKCS #8 in front of the 32 bytes of an Ed25519 key. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const RAW_KEY_BYTES = 32;

interface Wallet {
  readonly key: KeyObject;
  readonly address: Address;
}

function walletOf(number: number): Wallet {
  const der = Buffer.concat([PKCS8, digest('abuse wallet', number)]);
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const spki = createPublicKey(key).export({ format: 'der', type: 'spki' });
  return { key, address: getAddressDecoder().decode(spki.subarray(-RAW_KEY_BYTES)) };
}

const WALLETS = Array.from({ length: FEE_PAYERS }, (_, number) => walletOf(number));

/**
 * A well-formed transaction that a wallet has signed. The draw decides its fee payer, its size, and whether it lives by the
 * blockhash, by one that no cluster knows, or by a durable nonce.
 */
export function signedBy(draw: number, number: number, blockhash: string): string {
  const random = new Random('transaction', draw);
  const { key, address } = random.pick(WALLETS);
  const lifetime = random.pick(['recent', 'unknown', 'nonce'] as const);
  const data = new Uint8Array(random.between(8, MAX_DATA));
  new DataView(data.buffer).setUint32(0, number);
  const instructions: Instruction[] = [
    ...(lifetime === 'nonce' ? [advanceNonce(address)] : []),
    { programAddress: MAINNET_PROGRAMS.klend, data },
  ];
  const used = lifetime === 'recent' ? blockhash : getBase58Decoder().decode(digest('blockhash', draw));
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (empty) => setTransactionMessageFeePayer(address, empty),
    (paid) =>
      setTransactionMessageLifetimeUsingBlockhash(
        { blockhash: used as Blockhash, lastValidBlockHeight: 0n },
        paid,
      ),
    (living) => appendTransactionMessageInstructions(instructions, living),
  );
  const bytes = getCompiledTransactionMessageEncoder().encode(compileTransactionMessage(message));
  const signature = sign(null, Buffer.from(bytes), key);
  return Buffer.concat([Uint8Array.of(1), signature, Buffer.from(bytes)]).toString('base64');
}

/** Makes the blockhash of a transaction the value of a nonce account. */
function advanceNonce(authority: Address): Instruction {
  return {
    programAddress: SYSTEM_PROGRAM,
    accounts: [authority, RECENT_BLOCKHASHES_SYSVAR, authority].map((address) => ({ address, role: 0 })),
    data: Uint8Array.of(4, 0, 0, 0),
  };
}

/** The latest blockhash of a cluster. */
export async function latestBlockhash(rpcUrl: string): Promise<string> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getLatestBlockhash', params: [] });
  const headers = { 'content-type': 'application/json' };
  const { result } = (await (await fetch(rpcUrl, { method: 'POST', headers, body })).json()) as {
    result: { value: { blockhash: string } };
  };
  return result.value.blockhash;
}
