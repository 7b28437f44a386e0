import type { Config } from '../../config/config.ts';
import { type Finding, fault, ok } from './finding.ts';
import { ask, type Target } from './probe.ts';

/** Checks that the three programs exist on the endpoint's chain. */
export async function checkPrograms(target: Target, config: Config): Promise<Finding[]> {
  const programs = [
    { name: 'lending', variable: 'KLEND_PROGRAM_ID', address: config.programs.klend },
    { name: 'vaults', variable: 'KVAULT_PROGRAM_ID', address: config.programs.kvault },
    { name: 'farms', variable: 'FARMS_PROGRAM_ID', address: config.programs.farms },
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
