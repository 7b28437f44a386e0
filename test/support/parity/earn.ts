import type { ParityRow } from './parity-row.ts';

const SHARES = 'stakedShares unstakedShares totalShares vault { address }';

interface GraphPosition {
  readonly stakedShares: string;
  readonly unstakedShares: string;
  readonly totalShares: string;
  readonly vault: { readonly address: string };
}

const restPosition = ({ vault, ...shares }: GraphPosition) => ({ vaultAddress: vault.address, ...shares });

type Earned = Readonly<Record<'usd' | 'sol', string | null>>;

interface GraphReward {
  readonly vaultAddress: string;
  readonly token: { readonly mint: string };
  readonly calculatedAt: string;
  readonly apy: string | null;
  readonly tokensPerSecond: string;
}

const SOURCES = [undefined, 'Season1', 'Season0', 'nothing'];

/** The same request for each season. */
export const seasons = (path: string) =>
  SOURCES.map((source) => ({
    url: source === undefined ? path : `${path}?source=${source}`,
    variables: { source },
  }));

export const EARN_PARITY: readonly ParityRow[] = [
  {
    path: '/kvaults/users/{pubkey}/positions',
    sortBy: 'vaultAddress',
    cases: ({ wallets }) =>
      wallets.map((wallet) => ({ url: `/kvaults/users/${wallet}/positions`, variables: { wallet } })),
    async twin(graph, variables) {
      const { wallet } = await graph<{ wallet: { vaultPositions: { nodes: GraphPosition[] } } }>(
        `query ($wallet: Address!) { wallet(address: $wallet) { vaultPositions(first: 100) { nodes { ${SHARES} } } } }`,
        variables,
      );
      return wallet.vaultPositions.nodes.map(restPosition);
    },
  },
  {
    path: '/kvaults/users/{userPubkey}/positions/{vaultPubkey}',
    cases: ({ addresses: { wallet, vault } }) => [
      { url: `/kvaults/users/${wallet}/positions/${vault}`, variables: { wallet, vault } },
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
  {
    path: '/kvaults/rewards',
    cases: () => seasons('/kvaults/rewards'),
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
  {
    path: '/kvaults/summary',
    cases: () => [
      { url: '/kvaults/summary', variables: {} },
      { url: '/kvaults/summary?type=default', variables: { kind: 'DEFAULT' } },
      { url: '/kvaults/summary?type=private-credit', variables: { kind: 'PRIVATE_CREDIT' } },
    ],
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
    path: '/kvaults/mints/{pubkey}/metadata',
    cases: ({ vaults }) =>
      vaults.map(({ address, sharesMint }) => ({
        url: `/kvaults/mints/${sharesMint}/metadata`,
        variables: { address },
      })),
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
  },
];
