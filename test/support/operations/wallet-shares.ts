import type { Shape } from '../contract/field-shapes.ts';
import type { OperationRow } from './operation-row.ts';
import { badRequest } from './refusals.ts';

const SHARE_POSITION: Shape = {
  fields: {
    vaultAddress: 'address',
    stakedShares: 'decimal',
    unstakedShares: 'decimal',
    totalShares: 'decimal',
  },
};

const SHARES = 'stakedShares unstakedShares totalShares vault { address }';

interface GraphPosition {
  readonly stakedShares: string;
  readonly unstakedShares: string;
  readonly totalShares: string;
  readonly vault: { readonly address: string };
}

const restPosition = ({ vault, ...shares }: GraphPosition) => ({ vaultAddress: vault.address, ...shares });

const ALL = '/kvaults/users/{pubkey}/positions';
const allOf = (wallet: string) => ALL.replace('{pubkey}', wallet);
const oneOf = (wallet: string, vault: string) => `/kvaults/users/${wallet}/positions/${vault}`;

export const WALLET_SHARE_ROWS: readonly OperationRow[] = [
  {
    method: 'get',
    path: ALL,
    answer: { list: SHARE_POSITION },
    requests: ({ wallets }) => wallets.map((wallet) => ({ url: allOf(wallet), variables: { wallet } })),
    refusals: () => [badRequest('no address', allOf('nobody'), 'pubkey')],
    sortBy: 'vaultAddress',
    async twin(graph, variables) {
      const { wallet } = await graph<{ wallet: { vaultPositions: { nodes: GraphPosition[] } } }>(
        `query ($wallet: Address!) { wallet(address: $wallet) { vaultPositions(first: 100) { nodes { ${SHARES} } } } }`,
        variables,
      );
      return wallet.vaultPositions.nodes.map(restPosition);
    },
  },
  {
    method: 'get',
    path: oneOf('{userPubkey}', '{vaultPubkey}'),
    answer: SHARE_POSITION,
    requests: ({ addresses: { wallet, vault } }) => [
      { url: oneOf(wallet, vault), variables: { wallet, vault } },
    ],
    refusals: ({ addresses: { wallet, vault, emptyWallet, market } }) => [
      badRequest('no user', oneOf('nobody', vault), 'userPubkey'),
      badRequest('no vault', oneOf(wallet, 'none'), 'vaultPubkey'),
      { name: 'nobody', ask: { url: oneOf(emptyWallet, vault) }, status: 404 },
      { name: 'an unknown vault', ask: { url: oneOf(wallet, emptyWallet) }, status: 404 },
      { name: 'a market', ask: { url: oneOf(wallet, market) }, status: 404 },
    ],
    async twin(graph, variables) {
      const { wallet } = await graph<{ wallet: { vaultPosition: GraphPosition } }>(
        `query ($wallet: Address!, $vault: Address!) {
          wallet(address: $wallet) { vaultPosition(vault: $vault) { ${SHARES} } }
        }`,
        variables,
      );
      return restPosition(wallet.vaultPosition);
    },
  },
];
