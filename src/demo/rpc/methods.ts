import type { Methods } from './call.ts';
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

/** Every method available over HTTP. */
export const METHODS: ReadonlyMap<string, Methods[string]> = new Map(
  Object.entries({
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
  }),
);
