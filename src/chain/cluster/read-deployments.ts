import { PROGRAM_NAMES } from '@sluice/protocol/deployments';
import {
  deployedSlot,
  PROGRAM_DATA_HEADER_BYTES,
  programDataAddress,
} from '@sluice/protocol/loader/program-data';
import type { ProgramIds } from '@sluice/protocol/program-ids';
import { bytesOf } from '@sluice/rpc-pool';
import type { Commitment, GetBlockTimeApi, GetMultipleAccountsApi, Rpc } from '@solana/kit';
import { isCodedError } from '../../errors/sluice-error.ts';
import { judgeDeployment, type ProgramDeployment } from './deployment.ts';

export interface DeploymentSources {
  readonly rpc: Rpc<GetMultipleAccountsApi & GetBlockTimeApi>;
  readonly programs: ProgramIds;
  readonly cluster: string;
  readonly commitment: Commitment;
}

/** Reads 45 bytes of each program's data account, and the time of a deployment that is newer than those checked. */
export async function readDeployments(
  { rpc, programs, cluster, commitment }: DeploymentSources,
  signal: AbortSignal,
): Promise<readonly ProgramDeployment[]> {
  const { context, value } = await rpc
    .getMultipleAccounts(
      PROGRAM_NAMES.map((program) => programDataAddress(programs[program])),
      { encoding: 'base64', commitment, dataSlice: { offset: 0, length: PROGRAM_DATA_HEADER_BYTES } },
    )
    .send({ abortSignal: signal });
  return await Promise.all(
    PROGRAM_NAMES.map(async (program, i) => {
      const account = value[i] ?? null;
      const slot = account && deployedSlot(account.owner, bytesOf(account.data));
      const read = { program, address: programs[program], deployedSlot: slot, deployedAt: null };
      // A slot that the chain has not reached has no time. Whatever wrote it, it is not the checked deployment.
      const isReached = slot === null || slot <= context.slot;
      const judged = judgeDeployment(read, cluster, isReached);
      if (slot === null || judged.state !== 'NEWER' || !isReached) return judged;
      return judgeDeployment({ ...read, deployedAt: await blockTime(rpc, slot, signal) }, cluster);
    }),
  );
}

/** Null when no endpoint knows the time: the warning matters more than its date. */
async function blockTime(rpc: Rpc<GetBlockTimeApi>, slot: bigint, signal: AbortSignal): Promise<Date | null> {
  try {
    const time = await rpc.getBlockTime(slot).send({ abortSignal: signal });
    return typeof time === 'bigint' ? new Date(Number(time) * 1_000) : null;
  } catch (error) {
    if (isCodedError(error)) return null;
    throw error;
  }
}
