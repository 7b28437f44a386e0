import type { Address } from '@solana/kit';
import { DEVNET_PROGRAMS, MAINNET_PROGRAMS, type ProgramIds } from './program-ids.ts';

export type ProgramName = keyof ProgramIds;

export const PROGRAM_NAMES = ['klend', 'kvault', 'farms'] as const satisfies readonly ProgramName[];

/** Versions whose layouts, formulas and instructions this release implements, as their sources name them. */
export const IMPLEMENTED_VERSIONS: { readonly [P in ProgramName]: string } = {
  klend: '1.25.0',
  kvault: '2.3.0',
  farms: '1.6.5',
};

interface KnownDeployment {
  readonly program: Address;
  /** Slot in the program's data account; null when it was not recorded, and any slot is taken for this version. */
  readonly slot: bigint | null;
  /** Null when the version of the deployed code is not published. */
  readonly version: string | null;
}

/** Deployments that are known, oldest first. The last one of a mainnet program is the newest that was checked. */
const KNOWN: readonly KnownDeployment[] = [
  { program: MAINNET_PROGRAMS.klend, slot: 440_486_775n, version: '1.25.0' },
  { program: MAINNET_PROGRAMS.kvault, slot: 432_874_668n, version: '2.2.2' },
  { program: MAINNET_PROGRAMS.kvault, slot: 452_240_450n, version: '2.3.0' },
  { program: MAINNET_PROGRAMS.farms, slot: 444_035_168n, version: null },
  { program: DEVNET_PROGRAMS.kvault, slot: null, version: '2.0.1' },
];

/** Clusters whose slots are those of mainnet, or of a copy of it. Elsewhere the same address has other deployments. */
const CHECKED_CLUSTERS: readonly string[] = ['mainnet-beta', 'localnet'];
/** Where a slot also tells which deployments came later. A test validator deploys any version at any slot. */
const IN_ORDER_CLUSTER = 'mainnet-beta';

/** The version that a program has run since the slot of its deployment; null when it is unknown. */
export function programVersion(program: Address, slot: bigint, cluster: string): string | null {
  return knownOn(program, cluster).find(deployedAt(slot))?.version ?? null;
}

/**
 * Whether a program runs a version or a later one; null when that is unknown. Programs do not go back to an older version, so
 * one that was deployed after a known version runs at least that. On mainnet, one that was deployed before the first
 * deployment of the version does not run it.
 */
export function runsAtLeast(
  program: Address,
  slot: bigint,
  version: string,
  cluster: string,
): boolean | null {
  const known = knownOn(program, cluster);
  const exact = known.find(deployedAt(slot))?.version ?? null;
  if (exact !== null) return compareVersions(exact, version) >= 0;
  const first = known.find((each) => each.version === version)?.slot ?? null;
  if (cluster === IN_ORDER_CLUSTER && first !== null && slot < first) return false;
  const isEarlier = (each: KnownDeployment) =>
    each.slot !== null && each.slot < slot && each.version !== null;
  const earlier = known.findLast(isEarlier)?.version ?? null;
  return earlier !== null && compareVersions(earlier, version) >= 0 ? true : null;
}

/** Slot of the newest deployment that this release was checked against; null for a program or cluster without one. */
export function newestCheckedSlot(program: Address, cluster: string): bigint | null {
  if (!CHECKED_CLUSTERS.includes(cluster)) return null;
  return KNOWN.findLast((known) => known.program === program)?.slot ?? null;
}

/** Whether this slot is the one of a known deployment. */
export function isKnownDeployment(program: Address, slot: bigint, cluster: string): boolean {
  return knownOn(program, cluster).some((known) => known.slot === slot);
}

/** Deployments without a slot are known on every cluster: their address exists on one only. */
function knownOn(program: Address, cluster: string): readonly KnownDeployment[] {
  const hasItsSlots = CHECKED_CLUSTERS.includes(cluster);
  return KNOWN.filter((known) => known.program === program && (hasItsSlots || known.slot === null));
}

const deployedAt = (slot: bigint) => (known: KnownDeployment) => known.slot === null || known.slot === slot;

/** Negative when `a` is older than `b`, by numbers: 1.10.0 is newer than 1.9.9. */
function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split('.').map(Number));
  for (const [i, part] of (left ?? []).entries()) {
    const difference = part - (right?.[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
