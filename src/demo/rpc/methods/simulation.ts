import type { Address } from '@solana/kit';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../../../programs/program-ids.ts';
import { checkMinContextSlot, type Methods, withContext } from '../call.ts';
import type { Json } from '../json.ts';
import { configParam, textParam } from '../params.ts';
import { invalidParams, RPC_CODES, RpcError } from '../rpc-error.ts';
import { type Message, transactionParam } from '../wire-transaction.ts';

const NO_SIMULATION =
  'the embedded chain runs no lending, vault or farm program; point SOLANA_RPC_URLS at a cluster to simulate';
const NO_SENDING = 'the embedded chain accepts no transactions; point SOLANA_RPC_URLS at a cluster to send';

/** Programs that every transaction uses besides its actual one. */
const ORDINARY_PROGRAMS: ReadonlySet<Address> = new Set([
  ASSOCIATED_TOKEN_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
]);

export const simulationMethods: Methods = {
  /** The chain has no runtime: even a well-formed transaction fails, and the error says why. */
  simulateTransaction(call, params) {
    const config = configParam(params, 1);
    const { message } = transactionParam(textParam(params, 0), config);
    checkMinContextSlot(call, config);
    const replace = config.replaceRecentBlockhash === true;
    if (replace && config.sigVerify === true) {
      throw invalidParams('sigVerify may not be used with replaceRecentBlockhash');
    }
    const replacement = replace ? call.ledger.blockhash() : null;
    const known = replace || call.ledger.isBlockhashValid(message.lifetimeToken);
    return withContext(call, {
      ...(known ? refused(unsupported(message), NO_SIMULATION) : refused('BlockhashNotFound')),
      replacementBlockhash: replacement && {
        blockhash: replacement.blockhash,
        lastValidBlockHeight: replacement.lastValidBlockHeight,
      },
    });
  },

  sendTransaction(_call, params) {
    const { message } = transactionParam(textParam(params, 0), configParam(params, 1));
    throw new RpcError(
      RPC_CODES.preflightFailure,
      `Transaction simulation failed: ${NO_SENDING}`,
      refused(unsupported(message), NO_SENDING),
    );
  },
};

function refused(err: Json, ...logs: readonly string[]): { readonly [key: string]: Json } {
  return {
    accounts: null,
    err,
    innerInstructions: null,
    loadedAccountsDataSize: 0,
    logs,
    replacementBlockhash: null,
    returnData: null,
    unitsConsumed: 0,
  };
}

/** Points at the first instruction that needs more than the ordinary programs. */
function unsupported(message: Message): Json {
  const index = message.instructions.findIndex(({ programAddressIndex }) => {
    const program = message.staticAccounts[programAddressIndex];
    return program === undefined || !ORDINARY_PROGRAMS.has(program);
  });
  return { InstructionError: [Math.max(index, 0), 'UnsupportedProgramId'] };
}
