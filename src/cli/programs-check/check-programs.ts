import { createEndpointPool } from '@sluice/rpc-pool';
import { generateKeyPairSigner, type Rpc, type SolanaRpcApi } from '@solana/kit';
import { loadConfigWith } from '../../config/config.ts';
import { actionsFor, NOT_WALKED } from './actions/actions.ts';
import type { CheckArguments } from './arguments.ts';
import { startGateway } from './gateway.ts';
import { refuseMainnet } from './send.ts';
import { subjectOf } from './subject.ts';
import { type Say, walk } from './walk.ts';

/**
 * Runs the actions as a client of a gateway over the given RPC; true when every step succeeded. Program
 * ids, timeouts and catalogue come from the settings. Only sending bypasses the gateway.
 */
export async function checkPrograms(args: CheckArguments, say: Say): Promise<boolean> {
  const config = loadConfigWith({ SOLANA_RPC_URLS: args.rpcUrl, SOLANA_WS_URLS: '' });
  const pool = createEndpointPool({
    urls: [args.rpcUrl],
    timeoutMs: config.RPC_TIMEOUT_MS,
    maxAttempts: config.RPC_MAX_ATTEMPTS,
    maxConcurrencyPerEndpoint: config.RPC_CONCURRENCY,
  });
  try {
    const rpc: Rpc<SolanaRpcApi> = pool.rpc;
    if (args.send) await refuseMainnet(rpc);
    const gateway = await startGateway(config);
    try {
      const subject = await subjectOf(gateway.ask, args);
      say(
        `wallet ${args.wallet}, vault ${subject.vault}, market ${subject.market}, reserves ${subject.reserve} and ${subject.borrowReserve}`,
      );
      const actions = actionsFor(subject, config.programs.klend, await generateKeyPairSigner());
      for (const [kind, reason] of Object.entries(NOT_WALKED)) say(`skip  ${kind}  ${reason}`);
      return await walk(actions, args.send ? args.signer : null, { gateway, rpc, say });
    } finally {
      await gateway.stop();
    }
  } finally {
    await pool.close();
  }
}
