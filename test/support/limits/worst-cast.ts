import type { Address } from '@solana/kit';
import { type WorstCast, worstDocuments } from '../../../bench/abuse/worst-documents.ts';
import type { ActingApp } from '../apps/acting-app.ts';
import { loansOf } from '../lending/liquidation-trial.ts';

/** Names of the worst documents, which are known before there is a localnet. */
export const WORST_NAMES: readonly string[] = worstDocuments({
  market: '' as Address,
  vault: '' as Address,
  loans: 0,
  mints: [],
  obligation: '' as Address,
  debts: [],
  deposits: [],
  health: 1,
}).map(({ name }) => name);

interface Listed {
  readonly token: { readonly mint: Address };
  readonly vaults: { readonly nodes: readonly { readonly address: Address }[] };
}

interface Positions {
  readonly address: Address;
  readonly healthFactor: string | null;
  readonly deposits: readonly { readonly reserveAddress: Address }[];
  readonly borrows: readonly { readonly reserveAddress: Address }[];
}

/** The accounts of a localnet that the worst documents name. */
export async function worstCast(acting: ActingApp): Promise<WorstCast> {
  const { market } = acting.localnet.addresses;
  const loans = loansOf(acting.localnet.chain, market);
  const { data } = await acting.gateway.query<{
    market: { reserves: readonly Listed[] };
    obligations: { nodes: readonly Positions[] };
  }>(
    `query ($market: Address!, $loans: [Address!]!) {
      market(address: $market) { reserves { token { mint } vaults(first: 1) { nodes { address } } } }
      obligations(scope: { addresses: $loans }, first: 100) {
        nodes { address healthFactor deposits { reserveAddress } borrows { reserveAddress } }
      }
    }`,
    { variables: { market, loans: loans.slice(0, 100) } },
  );
  const positions = ({ deposits, borrows }: Positions) => deposits.length * borrows.length;
  const [most] = data.obligations.nodes
    .filter(({ healthFactor }) => Number(healthFactor) > 1.1)
    .sort((a, b) => positions(b) - positions(a));
  if (most === undefined) throw new Error('the market has no loans');
  const [vault] = data.market.reserves.flatMap(({ vaults }) => vaults.nodes);
  if (vault === undefined) throw new Error('no vault uses the market');
  return {
    market,
    vault: vault.address,
    loans: loans.length,
    mints: data.market.reserves.map(({ token }) => token.mint),
    obligation: most.address,
    debts: most.borrows.map(({ reserveAddress }) => reserveAddress),
    deposits: most.deposits.map(({ reserveAddress }) => reserveAddress),
    health: Number(most.healthFactor),
  };
}
