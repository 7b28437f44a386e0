import { CLUSTER_PROGRAMS, type Config } from '../../config/config.ts';
import type { ProgramIds } from '../../programs/program-ids.ts';
import { type Finding, fault, ok } from './finding.ts';
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
