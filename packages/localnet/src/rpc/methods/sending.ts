import { ChainStoppedError } from '../../chain.ts';
import type { TransactionOutcome } from '../../runtime/outcome.ts';
import { type Call, checkMinContextSlot, type Methods } from '../call.ts';
import { failureText } from '../failure-text.ts';
import { configParam, textParam } from '../params.ts';
import { invalidParams, RPC_CODES, RpcError } from '../rpc-error.ts';
import { encodeOutcome, rejectInvalid, simulated } from '../run-transaction.ts';
import { transactionParam } from '../wire-transaction.ts';

export const sendingMethods: Methods = {
  /**
   * Like a node, answers with the signature as soon as the transaction is accepted. Without preflight that says nothing
   * about its success: one that is refused simply never appears.
   */
  sendTransaction(call, params) {
    // First, because decoding costs more than the answer to a flood should.
    takeSend(call);
    const config = configParam(params, 1);
    const { bytes, signatures } = transactionParam(textParam(params, 0), config);
    checkMinContextSlot(call, config);
    const [signature] = signatures;
    if (signature === undefined) throw invalidParams('invalid transaction: it has no signature');
    if (config.skipPreflight !== true) preflight(call, bytes);
    const outcome = sendWire(call, bytes);
    if (outcome.failure !== 'SignatureFailure') rejectInvalid(outcome);
    return signature;
  },
};

/** Counts a transaction against the limit. Throws when there are too many. */
export function takeSend({ sends }: Call): void {
  if (!sends.take()) {
    throw new RpcError(RPC_CODES.tooManyRequests, 'Too many requests for a specific RPC call');
  }
}

/** Throws what a node does that is about to stop. */
export function sendWire({ chain }: Call, wire: Uint8Array): TransactionOutcome {
  try {
    return chain.send(wire);
  } catch (error) {
    if (!(error instanceof ChainStoppedError)) throw error;
    throw new RpcError(RPC_CODES.nodeUnhealthy, 'Node is unhealthy', { numSlotsBehind: null });
  }
}

function preflight(call: Call, wire: Uint8Array): void {
  const outcome = simulated(call, wire, { verifySignatures: true, replaceBlockhash: false });
  if (outcome.failure === null) return;
  throw new RpcError(
    RPC_CODES.preflightFailure,
    `Transaction simulation failed: ${failureText(outcome.failure)}`,
    encodeOutcome(outcome),
  );
}
