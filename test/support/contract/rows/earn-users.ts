import type { Shape } from '../field-shapes.ts';
import type { ContractRow, Refusal, Subjects } from './contract-row.ts';

const SHARE_POSITION: Shape = {
  fields: {
    vaultAddress: 'address',
    stakedShares: 'decimal',
    unstakedShares: 'decimal',
    totalShares: 'decimal',
  },
};

const METADATA: Shape = {
  fields: { name: 'label', symbol: 'label', description: 'string', image: 'uri' },
};

const VAULT_REWARD: Shape = {
  fields: {
    kvault: 'address',
    rewardToken: 'address',
    lastCalculated: 'date',
    apy: 'decimal',
    tokensPerSecond: 'decimal',
  },
};

/** Invalid `env` values of an operation that documents 400. */
export const wrongEnv = (url: string, status = 400): Refusal[] => [
  {
    name: 'another cluster',
    ask: { url: `${url}?env=mainnet-beta` },
    status,
    code: 'CLUSTER_NOT_SERVED',
  },
  {
    name: 'no cluster',
    ask: { url: `${url}?env=moon` },
    status,
    code: 'BAD_REQUEST',
    ...(status === 400 ? { at: 'env' } : {}),
  },
];

/** Requests a campaign season: a current one, a past one, and an unknown one. */
export const SOURCES = ['', '?source=Season1', '?source=Season0', '?source=nothing'];

function mintRow(path: string, answer: ContractRow['answer']): ContractRow {
  const url = (mint: string) => path.replace('{pubkey}', mint);
  return {
    method: 'get',
    path,
    answer,
    asks: ({ vaults }) => [
      ...vaults.map(({ sharesMint }) => ({ url: url(sharesMint) })),
      ...vaults.slice(0, 1).map(({ sharesMint }) => ({ url: `${url(sharesMint)}?env=localnet` })),
    ],
    refusals: ({ addresses }: Subjects) => [
      { name: 'no address', ask: { url: url('nonsense') }, status: 400, code: 'BAD_REQUEST', at: 'pubkey' },
      { name: 'another mint', ask: { url: url(addresses.tokenMint) }, status: 404 },
      { name: 'the vault itself', ask: { url: url(addresses.vault) }, status: 404 },
      { name: 'nothing there', ask: { url: url(addresses.emptyWallet) }, status: 404 },
      ...wrongEnv(url(addresses.sharesMint)),
    ],
  };
}

const position = (wallet: string, vault: string) => ({
  url: `/kvaults/users/${wallet}/positions/${vault}`,
});

export const EARN_USER_ROWS: readonly ContractRow[] = [
  {
    method: 'get',
    path: '/kvaults/users/{pubkey}/positions',
    answer: { list: SHARE_POSITION },
    asks: ({ wallets }) => wallets.map((wallet) => ({ url: `/kvaults/users/${wallet}/positions` })),
    refusals: () => [
      {
        name: 'no address',
        ask: { url: '/kvaults/users/nobody/positions' },
        status: 400,
        code: 'BAD_REQUEST',
        at: 'pubkey',
      },
    ],
  },
  {
    method: 'get',
    path: '/kvaults/users/{userPubkey}/positions/{vaultPubkey}',
    answer: SHARE_POSITION,
    asks: ({ addresses }) => [position(addresses.wallet, addresses.vault)],
    refusals: ({ addresses: { wallet, vault, emptyWallet, market } }) => [
      { name: 'no user', ask: position('nobody', vault), status: 400, code: 'BAD_REQUEST', at: 'userPubkey' },
      {
        name: 'no vault',
        ask: position(wallet, 'none'),
        status: 400,
        code: 'BAD_REQUEST',
        at: 'vaultPubkey',
      },
      { name: 'nobody', ask: position(emptyWallet, vault), status: 404 },
      { name: 'an unknown vault', ask: position(wallet, emptyWallet), status: 404 },
      { name: 'a market', ask: position(wallet, market), status: 404 },
    ],
  },
  {
    method: 'get',
    path: '/kvaults/rewards',
    answer: { list: VAULT_REWARD },
    asks: () => SOURCES.map((source) => ({ url: `/kvaults/rewards${source}` })),
    refusals: () => [],
  },
  mintRow('/kvaults/mints/{pubkey}/metadata', METADATA),
  mintRow('/kvaults/mints/{pubkey}/metadata/image.svg', 'image/svg+xml'),
];
