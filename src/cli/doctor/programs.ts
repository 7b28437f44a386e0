import type { ProgramIds } from '@sluice/protocol/program-ids';
import type { ProgramDeployment } from '../../chain/cluster/deployment.ts';
import { readDeployments } from '../../chain/cluster/read-deployments.ts';
import { CLUSTER_PROGRAMS, type Config } from '../../config/config.ts';
import { deadlineSignal } from '../../node/deadline.ts';
import { type Finding, fault, ok, warning } from './finding.ts';
import { ask, type Target } from './probe.ts';

const VARIABLES = {
  klend: 'KLEND_PROGRAM_ID',
  kvault: 'KVAULT_PROGRAM_ID',
  farms: 'FARMS_PROGRAM_ID',
} as const;
const KEYS = ['klend', 'kvault', 'farms'] as const;
const PUBLIC_CLUSTERS = ['mainnet-beta', 'devnet'] as const;

/** Whether the programs are those of the cluster that an endpoint serves. Null for other chains, which have their own. */
export function programsFinding(programs: ProgramIds, served: string | null): Finding | null {
  const cluster = PUBLIC_CLUSTERS.find((each) => each === served);
  if (cluster === undefined) return null;
  const here = CLUSTER_PROGRAMS[cluster];
  for (const key of KEYS) {
    const other = PUBLIC_CLUSTERS.find((each) => CLUSTER_PROGRAMS[each][key] === programs[key]);
    if (programs[key] === here[key] || other === undefined) continue;
    const says = `${VARIABLES[key]} is ${programs[key]}, the program of ${other}, but the endpoints serve ${cluster}, where it is ${here[key]}. Set SOLANA_CLUSTER=${cluster} and leave ${VARIABLES[key]} unset.`;
    return fault('programs', 'cluster', says);
  }
  const own = KEYS.filter((key) => programs[key] !== here[key]).map((key) => VARIABLES[key]);
  return own.length === 0
    ? ok('programs', 'cluster', `They are those of ${cluster}.`)
    : ok(
        'programs',
        'cluster',
        `They are those of ${cluster}, except ${own.join(' and ')}, which you have set.`,
      );
}

/** Checks that the three programs exist on the endpoint's chain. */
export async function checkPrograms(target: Target, config: Config): Promise<Finding[]> {
  const programs = [
    { name: 'lending', variable: VARIABLES.klend, address: config.programs.klend },
    { name: 'vaults', variable: VARIABLES.kvault, address: config.programs.kvault },
    { name: 'farms', variable: VARIABLES.farms, address: config.programs.farms },
  ];
  const addresses = programs.map(({ address }) => address);
  const answer = await ask(target, config, async (rpc) => {
    const dataSlice = { offset: 0, length: 0 };
    return (await rpc.getMultipleAccounts(addresses, { encoding: 'base64', dataSlice }).send()).value;
  });
  if (!answer.answered) return [];
  return programs.map(({ name, variable, address }, i) => {
    const account = answer.value[i];
    if (!account) {
      const says = `There is no program at ${address} on this chain. Correct ${variable} or SOLANA_CLUSTER.`;
      return fault('programs', name, says);
    }
    return account.executable
      ? ok('programs', name, `The program ${address} is deployed.`)
      : fault('programs', name, `The account ${address} is not a program. Correct ${variable}.`);
  });
}

/** Compares what is deployed with what this release was checked against. */
export async function checkDeployments(target: Target, config: Config): Promise<Finding[]> {
  const { programs, SOLANA_CLUSTER: cluster, SOLANA_COMMITMENT: commitment } = config;
  using deadline = deadlineSignal(config.RPC_TIMEOUT_MS, 'Reading the deployed programs');
  const answer = await ask(target, config, (rpc) =>
    readDeployments({ rpc, programs, cluster, commitment }, deadline.signal),
  );
  if (answer.answered) return answer.value.map(deploymentFinding);
  const says = `The slots of their deployments cannot be read (${answer.reason}), so it is unknown whether this release is up to date.`;
  return [warning('programs', 'deployments', says)];
}

function deploymentFinding(deployment: ProgramDeployment): Finding {
  const { program, state, deployedSlot, version, implementedVersion } = deployment;
  const check = `${program} version`;
  if (deployment.warning !== null) return warning('programs', check, deployment.warning);
  const implemented = `this release implements ${program} ${implementedVersion}`;
  if (deployedSlot === null) return ok('programs', check, `Its deployment cannot be read; ${implemented}.`);
  const deployed = `${version === null ? 'It' : `Version ${version}`} was deployed at slot ${deployedSlot}`;
  return state === 'CHECKED'
    ? ok('programs', check, `${deployed}, the newest deployment that was checked; ${implemented}.`)
    : ok('programs', check, `${deployed}, a deployment that was not checked; ${implemented}.`);
}
