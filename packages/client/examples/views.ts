import { graphql, hasCode, type SluiceClient } from '@sluice/client';

const VAULTS = graphql('query { vaults(first: 20) { nodes { address totalValue { usd } } } }');
const RESERVES = graphql('query { reserves(first: 20) { nodes { address supplied { usd } } } }');

/** Two answers from one state of the chain. */
export async function bothLists(client: SluiceClient) {
  const vaults = await client.query(VAULTS, {});
  try {
    const sameView = vaults.chain === null ? client : client.at(vaults.chain.view);
    return { vaults: vaults.data, reserves: (await sameView.query(RESERVES, {})).data };
  } catch (error) {
    // More than 16 seconds have passed, or another gateway answered.
    if (hasCode(error, 'VIEW_GONE')) return await bothLists(client);
    throw error;
  }
}

/** The vaults in a state that includes a transaction. `slot` is from `runAction`. */
export async function vaultsAfter(client: SluiceClient, slot: string) {
  return (await client.after(slot).query(VAULTS, {})).data;
}
