import { Rational } from '@sluice/protocol/numeric/rational';
import type { ProgramIds } from '@sluice/protocol/program-ids';
import type {
  Address,
  Commitment,
  GetProgramAccountsApi,
  GetRecentPerformanceSamplesApi,
  Rpc,
} from '@solana/kit';
import { median } from '../../domain/arithmetic.ts';
import { isCodedError } from '../../errors/sluice-error.ts';
import { memcmp } from '../accounts/memcmp.ts';
import { type MinSlotOptions, minContextSlotConfig, readAtMinSlot } from '../accounts/min-slot.ts';
import { discoverable, type Kind } from './kinds.ts';

export type DiscoveryRpc = Rpc<GetProgramAccountsApi & GetRecentPerformanceSamplesApi>;

/** The protocol's target. Assumed until the cluster has given performance samples. */
export const DEFAULT_SLOT_MS = Rational.of(400n);
const PERFORMANCE_SAMPLES = 30;

/**
 * Addresses of all markets, reserves and vaults, found by discriminator; no account data is transferred. The list of a node
 * that is behind is rejected, because it lacks the newest accounts.
 */
export async function discoverAddresses(
  rpc: DiscoveryRpc,
  programs: ProgramIds,
  commitment: Commitment,
  from: MinSlotOptions,
): Promise<ReadonlyMap<Kind, ReadonlySet<Address>>> {
  const found = await Promise.all(
    discoverable(programs).map(async ({ kind, program, discriminator }) => {
      const config = {
        encoding: 'base64',
        commitment,
        ...minContextSlotConfig(from.minSlot),
        withContext: true,
        dataSlice: { offset: 0, length: 0 },
        filters: [memcmp(0, discriminator)],
      } as const;
      const { value } = await readAtMinSlot(
        from,
        ({ context }) => context.slot,
        () => rpc.getProgramAccounts(program, config).send({ abortSignal: from.signal }),
      );
      return [kind, new Set(value.map(({ pubkey }) => pubkey))] as const;
    }),
  );
  return new Map(found);
}

/**
 * Median length of recent slots in milliseconds, over the samples of a minute each: the number that the official SDK takes.
 * Null when the RPC has no samples.
 */
export async function measureSlotDuration(rpc: DiscoveryRpc, signal: AbortSignal): Promise<Rational | null> {
  const samples = await recentSamples(rpc, signal);
  const usable = samples.filter(({ numSlots, samplePeriodSecs }) => numSlots > 0n && samplePeriodSecs > 0);
  return median(
    usable.map(({ numSlots, samplePeriodSecs }) => Rational.of(BigInt(samplePeriodSecs) * 1000n, numSlots)),
  );
}

async function recentSamples(rpc: DiscoveryRpc, signal: AbortSignal) {
  try {
    const samples = await rpc.getRecentPerformanceSamples(PERFORMANCE_SAMPLES).send({ abortSignal: signal });
    return Array.isArray(samples) ? samples : [];
  } catch (error) {
    if (isCodedError(error, 'RPC_REFUSED')) return [];
    throw error;
  }
}
