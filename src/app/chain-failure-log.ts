import { isCodedError } from '../errors/sluice-error.ts';
import { type DescribeFailure, failureLog, type Logger } from '../telemetry/logger.ts';
import type { ChainHooks } from './chain.ts';

const INTERVAL_MS = 30_000;

/** Logs failed reads of the View. Endpoints that do not answer are reported in one line without a stack trace. */
export function chainFailureLog(logger: Logger, embedded: boolean): (failure: unknown) => void {
  return failureLog(logger, embedded ? describeFault : describeRpcFailure, INTERVAL_MS);
}

/** Logs endpoints that are taken out of use because of a false answer, and Views that are discarded for it. */
export function endpointLog(logger: Logger): Required<Pick<ChainHooks, 'onDistrust' | 'onGivenUp'>> {
  const warn = failureLog(logger, describeDistrust, INTERVAL_MS);
  return {
    onDistrust: (endpoint, why) => warn({ endpoint, why }),
    onGivenUp: (slot) =>
      logger.warn({ slot: String(slot) }, 'Views of slots that the chain has not reached were dropped'),
  };
}

const describeDistrust: DescribeFailure = (distrusted) => ({
  fields: { ...(typeof distrusted === 'object' ? distrusted : {}) },
  message: 'an RPC endpoint is out of use until it answers truthfully',
});

const describeFault: DescribeFailure = (failure) => ({
  fields: { err: failure },
  message: 'reading the chain failed',
});

const describeRpcFailure: DescribeFailure = (failure) => {
  if (!isCodedError(failure) || !failure.code.startsWith('RPC_')) return describeFault(failure);
  // The cause lists the attempts and names endpoints by number (rpc-1), never by URL.
  const reason = failure.cause instanceof Error ? failure.cause.message : failure.message;
  return {
    fields: { code: failure.code },
    message: `cannot read the chain from SOLANA_RPC_URLS (${reason}), retrying; \`npm run doctor\` checks the endpoints`,
  };
};
