import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { Shape } from '../contract/field-shapes.ts';
import type { Text } from './graph-values.ts';
import type { OperationRow } from './operation-row.ts';
import { badRequest, wrong, wrongEnv } from './refusals.ts';

const PNL: Shape = {
  fields: { usd: 'decimal', sol: 'decimal', invested: { fields: { usd: 'decimal', sol: 'decimal' } } },
};

interface GraphPnl {
  readonly usd: Text;
  readonly sol: Text;
  readonly invested: { readonly usd: Text; readonly sol: Text };
}

const of = (market: string, obligation: string) => `/v2/svc-market/${market}/obligations/${obligation}/pnl`;

export const OBLIGATION_PNL_ROW: OperationRow = {
  method: 'get',
  path: of('{marketPubkey}', '{obligationPubkey}'),
  answer: PNL,
  requests: ({ obligations, addresses: { market, obligation } }) => [
    ...obligations.flatMap(({ address, market }) => [
      { url: of(market, address), variables: { address } },
      {
        url: `${of(market, address)}?positionMode=obligation_all_time&useStakeRate=true`,
        variables: { address, mode: 'OBLIGATION_ALL_TIME', useStakeRate: true },
      },
    ]),
    ...[
      '?positionMode=obligation_all_time',
      '?positionMode=current_obligation&useStakeRate=true',
      `?programId=${MAINNET_PROGRAMS.klend}&env=localnet`,
    ].map((query) => ({ url: `${of(market, obligation)}${query}` })),
  ],
  refusals: ({ addresses: { market, obligation, emptyWallet, vault } }) => [
    badRequest('no market', of('nonsense', obligation), 'marketPubkey'),
    badRequest('no obligation', of(market, 'nonsense'), 'obligationPubkey'),
    badRequest('no mode', `${of(market, obligation)}?positionMode=all`, 'positionMode'),
    { name: 'another program', ask: { url: `${of(market, obligation)}?programId=${vault}` }, ...wrong },
    { name: 'nothing there', ask: { url: of(market, emptyWallet) }, status: 400 },
    ...wrongEnv(of(market, obligation)),
  ],
  async twin(graph, variables, rule) {
    const { obligation } = await graph<{ obligation: { pnl: GraphPnl } }>(
      `query ($address: Address!, $mode: PnlMode, $useStakeRate: Boolean) {
          obligation(address: $address) { pnl(mode: $mode, useStakeRate: $useStakeRate) {
            usd sol invested { usd sol }
          } }
        }`,
      variables,
    );
    const { usd, sol, invested } = obligation.pnl;
    return {
      usd: rule.decimal(usd),
      sol: rule.decimal(sol),
      invested: { usd: rule.decimal(invested.usd), sol: rule.decimal(invested.sol) },
    };
  },
};
