import type { Faucet } from '../../chain.ts';
import type { Call, Methods } from '../call.ts';
import { failureText } from '../failure-text.ts';
import { addressParam, integerParam, type Params } from '../params.ts';
import { invalidParams, methodNotFound, RPC_CODES, RpcError } from '../rpc-error.ts';
import { decodeTransaction } from '../wire-transaction.ts';
import { sendWire, takeSend } from './sending.ts';

const MAX_AIRDROP_SOL = 1_000n;
const LAMPORTS_PER_SOL = 1_000_000_000n;
/** A round number above what any test needs, and far below what would overflow a supply. */
const MAX_TOKEN_UNITS = 10n ** 15n;

export const faucetMethods: Methods = {
  requestAirdrop(call, params) {
    const faucet = faucetOf(call);
    const to = addressParam(params, 0);
    const lamports = BigInt(integerParam(params, 1));
    if (lamports > MAX_AIRDROP_SOL * LAMPORTS_PER_SOL) {
      throw invalidParams(`Invalid param: an airdrop is at most ${MAX_AIRDROP_SOL} SOL`);
    }
    return given(call, faucet.airdrop(to, lamports));
  },

  /**
   * `[owner, mint, amount]`: mints base units of a token of this world to the owner's associated account, which it creates
   * if needed. Answers with the signature.
   */
  localnet_requestTokens(call, params) {
    const faucet = faucetOf(call);
    const owner = addressParam(params, 0);
    const mint = addressParam(params, 1);
    const wire = faucet.tokens(owner, mint, tokenUnits(params));
    if (wire === null) throw invalidParams('Invalid param: not a token of this world');
    return given(call, wire);
  },
};

function faucetOf({ chain }: Call): Faucet {
  if (chain.faucet === null) throw methodNotFound();
  return chain.faucet;
}

/** The amount as an integer, or as text when it is too large for one. */
function tokenUnits(params: Params): bigint {
  const value = params[2];
  const isText = typeof value === 'string' && /^\d{1,16}$/.test(value);
  const amount = isText ? BigInt(value) : BigInt(integerParam(params, 2));
  if (amount <= MAX_TOKEN_UNITS) return amount;
  throw invalidParams(`Invalid param: the faucet gives at most ${MAX_TOKEN_UNITS} base units at a time`);
}

function given(call: Call, wire: Uint8Array): string {
  takeSend(call);
  const outcome = sendWire(call, wire);
  const [signature] = decodeTransaction(wire).signatures;
  if (outcome.failure === null && signature !== undefined) return signature;
  const reason = outcome.failure === null ? 'no signature' : failureText(outcome.failure);
  throw new RpcError(RPC_CODES.internal, `The faucet failed: ${reason}`);
}
