import {
  getBase64EncodedWireTransaction,
  getBase64Encoder,
  getTransactionDecoder,
  type KeyPairSigner,
  type Rpc,
  type SolanaRpcApi,
  signTransaction,
} from '@solana/kit';
import { SluiceError } from '../../errors/sluice-error.ts';
import type { UnsignedTransaction } from './build.ts';

const POLL_MS = 500;
const MAINNET_GENESIS = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';

/** Throws on mainnet, whatever the endpoint is called. */
export async function refuseMainnet(rpc: Rpc<SolanaRpcApi>): Promise<void> {
  if ((await rpc.getGenesisHash().send()) !== MAINNET_GENESIS) return;
  const reason =
    'This is mainnet, where --send is refused because it would move real funds. Omit --send to build and simulate only.';
  throw new SluiceError('BAD_REQUEST', { reason });
}

/** Signs with every signer and sends; resolves to the slot in which the transaction was confirmed. */
export async function sendAndConfirm(
  rpc: Rpc<SolanaRpcApi>,
  { base64, lastValidBlockHeight }: UnsignedTransaction,
  signers: readonly KeyPairSigner[],
): Promise<{ readonly signature: string; readonly slot: bigint }> {
  const unsigned = getTransactionDecoder().decode(getBase64Encoder().encode(base64));
  const wire = getBase64EncodedWireTransaction(
    await signTransaction(
      signers.map(({ keyPair }) => keyPair),
      unsigned,
    ),
  );
  const signature = await rpc
    .sendTransaction(wire, { encoding: 'base64', preflightCommitment: 'confirmed' })
    .send();
  for (;;) {
    const [status] = (await rpc.getSignatureStatuses([signature]).send()).value;
    if (status?.err) throw failed(`${signature} failed: ${JSON.stringify(status.err, numbersAsText)}`);
    if (status?.confirmationStatus === 'confirmed' || status?.confirmationStatus === 'finalized') {
      return { signature, slot: status.slot };
    }
    if ((await rpc.getBlockHeight({ commitment: 'confirmed' }).send()) > lastValidBlockHeight) {
      throw failed(`${signature} was not included before its blockhash expired`);
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

const failed = (reason: string) => new SluiceError('BUILD_REFUSED', { reason });
const numbersAsText = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);
