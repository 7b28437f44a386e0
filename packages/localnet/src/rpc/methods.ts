import type { Method, Methods } from './call.ts';
import { accountMethods } from './methods/accounts.ts';
import { blockMethods } from './methods/blocks.ts';
import { clusterMethods } from './methods/cluster.ts';
import { controlMethods } from './methods/control.ts';
import { faucetMethods } from './methods/faucet.ts';
import { getBlockMethods } from './methods/get-block.ts';
import { priorityFeeMethods } from './methods/priority-fees.ts';
import { sendingMethods } from './methods/sending.ts';
import { simulationMethods } from './methods/simulation.ts';
import { tokenMethods } from './methods/tokens.ts';
import { transactionMethods } from './methods/transactions.ts';

const CURRENT: Methods = {
  ...accountMethods,
  ...tokenMethods,
  ...blockMethods,
  ...getBlockMethods,
  ...priorityFeeMethods,
  ...clusterMethods,
  ...transactionMethods,
  ...simulationMethods,
  ...sendingMethods,
  ...faucetMethods,
  ...controlMethods,
};

const METHODS: ReadonlyMap<string, Method> = new Map(Object.entries(CURRENT));

/** Names of version 0.4, accepted in the release after it. */
const FORMER_NAMES: ReadonlyMap<string, string> = new Map([
  ['demo_setPrice', 'localnet_setPrice'],
  ['demo_setEmergencyMode', 'localnet_setEmergencyMode'],
  ['demo_advanceTime', 'localnet_advanceTime'],
  ['demo_reset', 'localnet_reset'],
  ['demo_requestTokens', 'localnet_requestTokens'],
]);

/** The method of a name, available over HTTP. */
export function methodOf(name: string): Method | undefined {
  return METHODS.get(FORMER_NAMES.get(name) ?? name);
}
