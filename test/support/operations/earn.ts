import type { Shape } from '../contract/field-shapes.ts';
import type { OperationRow } from './operation-row.ts';
import { badRequest, wrongEnv } from './refusals.ts';
import { decimals } from './shapes.ts';

const EARNED: Shape = { fields: decimals('usd', 'sol') };

const SUMMARY: Shape = {
  fields: {
    earnings: { fields: { interest: EARNED, rewards: EARNED, reserveRewards: EARNED, total: EARNED } },
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

type Earned = Readonly<Record<'usd' | 'sol', string | null>>;

interface GraphReward {
  readonly vaultAddress: string;
  readonly token: { readonly mint: string };
  readonly calculatedAt: string;
  readonly apy: string | null;
  readonly tokensPerSecond: string;
}

/** Requests a campaign season: all, a current one, a past one, and an unknown one. */
export const seasons = (path: string) =>
  [undefined, 'Season1', 'Season0', 'nothing'].map((source) => ({
    url: source === undefined ? path : `${path}?source=${source}`,
    variables: { source },
  }));

function mintRow(
  path: string,
  answer: OperationRow['answer'],
  twin: Pick<OperationRow, 'twin'> = {},
): OperationRow {
  const url = (mint: string) => path.replace('{pubkey}', mint);
  return {
    method: 'get',
    path,
    answer,
    requests: ({ vaults }) => [
      ...vaults.map(({ address, sharesMint }) => ({ url: url(sharesMint), variables: { address } })),
      ...vaults.slice(0, 1).map(({ address, sharesMint }) => ({
        url: `${url(sharesMint)}?env=localnet`,
        variables: { address },
      })),
    ],
    refusals: ({ addresses }) => [
      badRequest('no address', url('nonsense'), 'pubkey'),
      { name: 'another mint', ask: { url: url(addresses.tokenMint) }, status: 404 },
      { name: 'the vault itself', ask: { url: url(addresses.vault) }, status: 404 },
      { name: 'nothing there', ask: { url: url(addresses.emptyWallet) }, status: 404 },
      ...wrongEnv(url(addresses.sharesMint)),
    ],
    ...twin,
  };
}

export const EARN_ROWS: readonly OperationRow[] = [
  {
    method: 'get',
    path: '/kvaults/summary',
    answer: SUMMARY,
    requests: () => [
      { url: '/kvaults/summary', variables: {} },
      { url: '/kvaults/summary?type=default', variables: { kind: 'DEFAULT' } },
      { url: '/kvaults/summary?type=private-credit', variables: { kind: 'PRIVATE_CREDIT' } },
    ],
    refusals: () =>
      ['other', 'DEFAULT', ''].map((type) =>
        badRequest(`type=${type}`, `/kvaults/summary?type=${type}`, 'type'),
      ),
    async twin(graph, variables, rule) {
      const { earnSummary } = await graph<{ earnSummary: Readonly<Record<string, Earned>> }>(
        `query ($kind: EarnKind) { earnSummary(kind: $kind) {
          interest { usd sol } rewards { usd sol } reserveRewards { usd sol } total { usd sol }
        } }`,
        variables,
      );
      const written = ({ usd, sol }: Earned) => ({ usd: rule.decimal(usd), sol: rule.decimal(sol) });
      return {
        earnings: Object.fromEntries(
          Object.entries(earnSummary).map(([name, value]) => [name, written(value)]),
        ),
      };
    },
  },
  {
    method: 'get',
    path: '/kvaults/rewards',
    answer: { list: VAULT_REWARD },
    requests: () => seasons('/kvaults/rewards'),
    refusals: () => [],
    async twin(graph, variables, rule) {
      const { vaultRewards } = await graph<{ vaultRewards: GraphReward[] }>(
        `query ($source: String) {
          vaultRewards(source: $source) { vaultAddress token { mint } calculatedAt apy tokensPerSecond }
        }`,
        variables,
      );
      return vaultRewards.map(({ vaultAddress, token, calculatedAt, apy, tokensPerSecond }) => ({
        kvault: vaultAddress,
        rewardToken: token.mint,
        lastCalculated: calculatedAt,
        apy: rule.decimal(apy),
        tokensPerSecond,
      }));
    },
  },
  mintRow('/kvaults/mints/{pubkey}/metadata', METADATA, {
    async twin(graph, variables) {
      const { vault } = await graph<{ vault: { shareMetadata: { imageUrl: string } } }>(
        `query ($address: Address!) {
          vault(address: $address) { shareMetadata { name symbol description imageUrl } }
        }`,
        variables,
      );
      const { imageUrl: image, ...texts } = vault.shareMetadata;
      return { ...texts, image };
    },
  }),
  mintRow('/kvaults/mints/{pubkey}/metadata/image.svg', 'image/svg+xml'),
];
