import {
  IMPLEMENTED_VERSIONS,
  isKnownDeployment,
  newestCheckedSlot,
  type ProgramName,
  programVersion,
} from '@sluice/protocol/deployments';
import type { Address } from '@solana/kit';

/**
 * - `CHECKED`: the newest deployment that this release was checked against.
 * - `NEWER`: deployed after that one, so this release may compute and build by outdated rules.
 * - `OLDER`: a known deployment before that one, so this release may compute and build by rules that it does not have yet.
 * - `UNKNOWN`: not read yet, or this release was not checked against the program on this cluster.
 */
export type DeploymentState = 'CHECKED' | 'NEWER' | 'OLDER' | 'UNKNOWN';

/** The program deployed at an address. */
export interface ProgramDeployment {
  readonly program: ProgramName;
  readonly address: Address;
  readonly state: DeploymentState;
  /** Null when it could not be read, or the program cannot be upgraded. */
  readonly deployedSlot: bigint | null;
  /** Block time of `deployedSlot`; null when it is not known. */
  readonly deployedAt: Date | null;
  /** Null when this release was not checked against the program on this cluster. */
  readonly checkedSlot: bigint | null;
  /** Version of the deployed code; null when it is not known. */
  readonly version: string | null;
  readonly implementedVersion: string;
  /** One sentence about a newer or older deployment; null when there is nothing to warn of. */
  readonly warning: string | null;
}

/** Answer of the chain about one program. */
export interface ReadDeployment {
  readonly program: ProgramName;
  readonly address: Address;
  readonly deployedSlot: bigint | null;
  readonly deployedAt: Date | null;
}

/**
 * Compares a deployment with those that this release knows.
 *
 * @param isReached whether the chain has reached the slot of the deployment
 */
export function judgeDeployment(
  read: ReadDeployment,
  cluster: string,
  isReached: boolean = true,
): ProgramDeployment {
  const { program, address, deployedSlot } = read;
  const checkedSlot = newestCheckedSlot(address, cluster);
  const version = deployedSlot === null ? null : programVersion(address, deployedSlot, cluster);
  const state = stateOf(read, checkedSlot, cluster);
  return {
    ...read,
    state,
    checkedSlot,
    version,
    implementedVersion: IMPLEMENTED_VERSIONS[program],
    warning: warningOf(read, state, version, isReached),
  };
}

/** A deployment before the checked one that is not known is not mainnet's, but one of a test validator. */
function stateOf(
  { address, deployedSlot }: ReadDeployment,
  checkedSlot: bigint | null,
  cluster: string,
): DeploymentState {
  if (deployedSlot === null || checkedSlot === null) return 'UNKNOWN';
  if (deployedSlot > checkedSlot) return 'NEWER';
  if (deployedSlot === checkedSlot) return 'CHECKED';
  return isKnownDeployment(address, deployedSlot, cluster) ? 'OLDER' : 'UNKNOWN';
}

function warningOf(
  read: ReadDeployment,
  state: DeploymentState,
  version: string | null,
  isReached: boolean,
): string | null {
  const { program, deployedSlot } = read;
  const implemented = `this release implements ${program} ${IMPLEMENTED_VERSIONS[program]}`;
  if (state === 'OLDER') {
    const deployed = version === null ? '' : `, version ${version},`;
    return `The ${program} program deployed at slot ${deployedSlot}${deployed} is older than the one that this release was checked against: numbers and builds may follow rules that it does not have; ${implemented}.`;
  }
  if (state !== 'NEWER') return null;
  const effect = `numbers and builds may be off until Sluice is updated; ${implemented}.`;
  return isReached
    ? `${redeployed(read)}, after the deployment that this release was checked against: ${effect}`
    : `The ${program} program names slot ${deployedSlot} as its deployment, which the chain has not reached, so it is not the deployment that this release was checked against: ${effect}`;
}

/** The warning about a program that changed while the gateway was running, whether or not its deployments are known. */
export function redeployedWarning(deployment: ProgramDeployment): string {
  const { warning, program, implementedVersion } = deployment;
  const unknown = `${redeployed(deployment)}; this release was not checked against it and implements ${program} ${implementedVersion}.`;
  return warning ?? unknown;
}

function redeployed({ program, deployedSlot, deployedAt }: ReadDeployment): string {
  const time = deployedAt === null ? '' : ` (${deployedAt.toISOString().replace('.000Z', 'Z')})`;
  return `The ${program} program was redeployed at slot ${deployedSlot}${time}`;
}
