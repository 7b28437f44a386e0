import type { Shape } from '../contract/field-shapes.ts';
import { EXPOSURE_KIND } from './curators.ts';
import { present, type Text } from './graph-values.ts';
import type { OperationRow } from './operation-row.ts';
import { wrong } from './refusals.ts';

const SCENARIO: Shape = {
  fields: {
    'label?': 'label',
    badDebtUsd: 'decimal',
    'badDebtShare?': 'decimal',
    reserves: {
      list: {
        fields: {
          reserve: 'address',
          liquidatableDebtUsd: 'decimal',
          badDebtUsd: 'decimal',
          vaultBadDebtUsd: 'decimal',
        },
      },
    },
  },
};

const RISK: Shape = {
  fields: {
    exposures: { list: { fields: { kind: EXPOSURE_KIND, 'mint?': 'address', share: 'decimal' } } },
    reserves: {
      list: {
        fields: {
          reserve: 'address',
          market: 'address',
          share: 'decimal',
          shareOfReserve: 'decimal',
          utilization: 'decimal',
          debtUsd: 'decimal',
          unsecuredUsd: 'decimal',
          backing: { list: { fields: { reserve: 'address', debtUsd: 'decimal', share: 'decimal' } } },
          unvaluedLoans: 'integer',
          loansAsOf: 'date',
          loansSlot: 'integerString',
        },
      },
    },
    now: SCENARIO,
    shocks: { list: SCENARIO },
    outflows: {
      list: {
        fields: {
          within: { oneOf: ['HOUR', 'DAY', 'WEEK'] },
          'amount?': 'decimal',
          'leastRecorded?': 'decimal',
        },
      },
      length: 3,
    },
  },
};

interface Scenario {
  readonly label: Text;
  readonly badDebtUsd: string;
  readonly badDebtShare: Text;
  readonly reserves: readonly { readonly reserveAddress: string }[];
}

interface GraphRisk {
  readonly exposures: readonly { readonly kind: string; readonly mint: Text; readonly share: string }[];
  readonly reserves: readonly {
    readonly reserveAddress: string;
    readonly market: { readonly address: string };
    readonly backing: readonly { readonly reserveAddress: string }[];
    readonly index: { readonly indexedAt: string; readonly slot: string };
  }[];
  readonly now: Scenario;
  readonly shocks: readonly Scenario[];
  readonly outflows: readonly {
    readonly within: string;
    readonly amount: { readonly amount: string } | null;
    readonly leastRecorded: { readonly amount: string } | null;
  }[];
}

const SCENARIO_FIELDS = `{ label badDebtUsd badDebtShare
  reserves { reserveAddress liquidatableDebtUsd badDebtUsd vaultBadDebtUsd } }`;
const QUERY = `query ($address: Address!, $shocks: [MarketShock!]!) { vault(address: $address) { risk(shocks: $shocks) {
  exposures { kind mint share }
  reserves { reserveAddress market { address } share shareOfReserve utilization debtUsd unsecuredUsd
    backing { reserveAddress debtUsd share } unvaluedLoans index { indexedAt slot } }
  now ${SCENARIO_FIELDS} shocks ${SCENARIO_FIELDS}
  outflows { within amount { amount } leastRecorded { amount } }
} } }`;

const named = ({ reserveAddress, ...rest }: { readonly reserveAddress: string }) => ({
  reserve: reserveAddress,
  ...rest,
});

const restScenario = ({ label, badDebtUsd, badDebtShare, reserves }: Scenario) => ({
  ...present({ label, badDebtShare }),
  badDebtUsd,
  reserves: reserves.map(named),
});

const of = (vault: string) => `/kvaults/vaults/${vault}/risk`;

export const VAULT_RISK_ROW: OperationRow = {
  method: 'post',
  path: of('{pubkey}'),
  answer: RISK,
  requests: ({ addresses: { vault, tokenMint, stakedMint } }) => {
    const shocks = [
      { label: 'fall', prices: [{ mint: stakedMint, changePct: '-60' }] },
      {
        label: 'depeg',
        prices: [
          { mint: tokenMint, usd: '0.9' },
          { mint: stakedMint, changePct: '-10.5' },
        ],
      },
    ];
    return [
      { url: of(vault), body: {}, variables: { address: vault, shocks: [] } },
      { url: of(vault), body: { shocks }, variables: { address: vault, shocks } },
    ];
  },
  refusals: ({ addresses: { vault, emptyWallet, market, tokenMint } }) => {
    const shocks = (prices: unknown) => ({ shocks: [{ label: 'a', prices }] });
    return [
      { name: 'no address', ask: { url: of('nonsense'), body: {} }, ...wrong, at: 'pubkey' },
      { name: 'nothing there', ask: { url: of(emptyWallet), body: {} }, status: 404 },
      { name: 'a market', ask: { url: of(market), body: {} }, status: 404 },
      ...[{ shocks: 'a fall' }, { shocks: [{ prices: [] }] }, shocks('all'), shocks([{ mint: 'SOL' }])].map(
        (body) => ({
          name: JSON.stringify(body),
          ask: { url: of(vault), body },
          ...wrong,
          at: 'shocks',
        }),
      ),
      {
        name: 'no number',
        ask: { url: of(vault), body: shocks([{ mint: tokenMint, changePct: 'a lot' }]) },
        ...wrong,
        at: 'shocks',
      },
      {
        name: 'a fall of more than everything',
        ask: { url: of(vault), body: shocks([{ mint: tokenMint, changePct: '-101' }]) },
        status: 400,
        code: 'SHOCK_INVALID',
      },
      {
        name: 'a mint without a reserve',
        ask: { url: of(vault), body: shocks([{ mint: emptyWallet, usd: '1' }]) },
        status: 400,
        code: 'SHOCK_MINT_UNKNOWN',
      },
    ];
  },
  async twin(graph, variables) {
    const { vault } = await graph<{ vault: { risk: GraphRisk } }>(QUERY, variables);
    const { exposures, reserves, now, shocks, outflows } = vault.risk;
    return {
      exposures: exposures.map(({ kind, mint, share }) => ({ kind, ...present({ mint }), share })),
      reserves: reserves.map(({ reserveAddress, market, backing, index, ...rest }) => ({
        reserve: reserveAddress,
        market: market.address,
        backing: backing.map(named),
        loansAsOf: index.indexedAt,
        loansSlot: index.slot,
        ...rest,
      })),
      now: restScenario(now),
      shocks: shocks.map(restScenario),
      outflows: outflows.map(({ within, amount, leastRecorded }) => ({
        within,
        ...present({ amount: amount?.amount, leastRecorded: leastRecorded?.amount }),
      })),
    };
  },
};
