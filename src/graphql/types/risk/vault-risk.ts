import type { Exposure } from '../../../domain/risk/vault-exposure.ts';
import { type Horizon, type VaultOutflow, vaultOutflows } from '../../../services/risk/vault-outflow.ts';
import {
  type BackingShare,
  type VaultReserveLoss,
  type VaultReserveRisk,
  type VaultRisk,
  type VaultScenario,
  vaultRisk,
} from '../../../services/risk/vault-risk.ts';
import { builder } from '../../builder.ts';
import { MarketRef, marketLink, TokenRef, tokenLink, VaultRef } from '../../node-refs.ts';
import { ExposureKindRef } from '../curator/curator-parts.ts';
import { presentReserveFields } from '../reserve/reserve-fields.ts';
import { TokenAmountRef } from '../values/amounts.ts';
import { LoanIndexRef, MarketShockInput } from './market-risk.ts';

const VaultExposureRef = builder.objectRef<Exposure>('VaultRiskExposure').implement({
  description: 'A part of the tokens of a vault, by what stands behind it.',
  fields: (t) => ({
    kind: t.expose('kind', { type: ExposureKindRef, description: 'Where the tokens are.' }),
    mint: t.expose('mint', {
      type: 'Address',
      nullable: true,
      description: 'Mint of the collateral, or of tokens that are not lent. Null for UNSECURED and UNKNOWN.',
    }),
    token: t.field({
      type: TokenRef,
      nullable: true,
      description: 'That token. Null for UNSECURED and UNKNOWN; null with an error when it cannot be read.',
      resolve: ({ mint }, _args, { session }) => (mint === null ? null : tokenLink(session, mint)),
    }),
    share: t.expose('share', {
      type: 'Decimal',
      description: 'Part of the tokens of the vault, as a fraction. The shares add up to 1.',
    }),
  }),
});

const BackingShareRef = builder.objectRef<BackingShare>('VaultBacking').implement({
  description: 'Debt to a reserve of a vault that collateral in one reserve backs.',
  fields: (t) => ({
    ...presentReserveFields(t),
    debtUsd: t.expose('debtUsd', {
      type: 'Decimal',
      description:
        'The debt, in USD. The debt of a loan with several deposits is divided among them by value.',
    }),
    share: t.expose('share', {
      type: 'Decimal',
      description: 'Part of all valued debt to the reserve of the vault, as a fraction.',
    }),
  }),
});

const VaultReserveRiskRef = builder.objectRef<VaultReserveRisk>('VaultReserveRisk').implement({
  description: 'A reserve in which a vault has invested, with the loans that owe to it.',
  fields: (t) => ({
    ...presentReserveFields(t),
    market: t.field({
      type: MarketRef,
      nullable: true,
      description: 'Its market. Null, with an error, when it cannot be read.',
      resolve: ({ market }, _args, { session }) => marketLink(session, market),
    }),
    share: t.expose('share', {
      type: 'Decimal',
      description: 'Part of the tokens of the vault that is invested in it, as a fraction.',
    }),
    shareOfReserve: t.expose('shareOfReserve', {
      type: 'Decimal',
      description:
        'Part of the reserve that belongs to the vault, as a fraction: its collateral tokens of all that exist. The vault bears this part of a loss.',
    }),
    utilization: t.expose('utilization', {
      type: 'Decimal',
      description: 'Part of the reserve that is lent, as a fraction.',
    }),
    debtUsd: t.expose('debtUsd', {
      type: 'Decimal',
      description: 'Debt of all valued loans to the reserve, in USD.',
    }),
    unsecuredUsd: t.expose('unsecuredUsd', {
      type: 'Decimal',
      description: 'Debt of loans that have no collateral left, in USD.',
    }),
    backing: t.field({
      type: [BackingShareRef],
      description: 'The rest of the debt by the reserve of its collateral, largest first.',
      resolve: ({ backing }) => [...backing],
    }),
    unvaluedLoans: t.exposeInt('unvaluedLoans', {
      description:
        'Number of loans of the market that cannot be read or valued. They are in no number but the exposure UNKNOWN.',
    }),
    index: t.expose('index', {
      type: LoanIndexRef,
      description: 'State of the loans of the market. Prices and reserves are those of the View.',
    }),
  }),
});

const VaultReserveLossRef = builder.objectRef<VaultReserveLoss>('VaultReserveLoss').implement({
  description: 'The part of a vault in the loans of one of its reserves, in one scenario.',
  fields: (t) => ({
    ...presentReserveFields(t),
    liquidatableDebtUsd: t.expose('liquidatableDebtUsd', {
      type: 'Decimal',
      description: 'Debt to the reserve of loans that can be liquidated, in USD.',
    }),
    badDebtUsd: t.expose('badDebtUsd', {
      type: 'Decimal',
      description:
        'Debt to the reserve beyond the collateral of its loan, in USD. That of a loan with several debts is divided among them by value.',
    }),
    vaultBadDebtUsd: t.expose('vaultBadDebtUsd', {
      type: 'Decimal',
      description: 'The vault\u2019s share of the bad debt, by its share of the reserve, in USD.',
    }),
  }),
});

const VaultScenarioRef = builder.objectRef<VaultScenario>('VaultScenario').implement({
  description: 'A vault in one scenario: at present prices, or under a shock.',
  fields: (t) => ({
    label: t.exposeString('label', {
      nullable: true,
      description: 'Name of the shock. Null for the present.',
    }),
    reserves: t.field({
      type: [VaultReserveLossRef],
      description: 'The reserves in which the vault has invested.',
      resolve: ({ reserves }) => [...reserves],
    }),
    badDebtUsd: t.expose('badDebtUsd', {
      type: 'Decimal',
      description:
        'The vault\u2019s share of the bad debt of its reserves, in USD. It becomes a loss when the market writes it off.',
    }),
    badDebtShare: t.expose('badDebtShare', {
      type: 'Decimal',
      nullable: true,
      description:
        'That as a fraction of the vault\u2019s tokens at the prices of the scenario. Null when the vault is empty or its token has no price.',
    }),
  }),
});

const HorizonRef = builder.enumType('Horizon', {
  description: 'A time from now.',
  values: {
    HOUR: { description: 'One hour.' },
    DAY: { description: '24 hours.' },
    WEEK: { description: '7 days.' },
  } as const satisfies Record<Horizon, unknown>,
});

const NOT_RECORDED =
  'Null when the liquidity of a reserve is not recorded for as long, also in a deployment without history';

const VaultOutflowRef = builder.objectRef<VaultOutflow>('VaultOutflow').implement({
  description: 'Tokens of a vault that can leave it within some time, by recorded liquidity.',
  fields: (t) => ({
    within: t.expose('within', { type: HorizonRef, description: 'The time.' }),
    amount: t.expose('amount', {
      type: TokenAmountRef,
      nullable: true,
      description: `Idle tokens, and from each reserve what is free now and what came in over the last recorded hours of the same number, up to what the vault has invested and to the outflow cap of the reserve. Inflow is the sum of hourly rises of the free liquidity, a lower bound. It is assumed that nobody else withdraws and that as much comes in again. Nothing from a reserve or market in emergency mode. ${NOT_RECORDED}.`,
    }),
    leastRecorded: t.expose('leastRecorded', {
      type: TokenAmountRef,
      nullable: true,
      description: `Idle tokens, and from each reserve the least that was free in an hour of that period, under the same limits: what was certain to be there at any time of it. ${NOT_RECORDED}.`,
    }),
  }),
});

const VaultRiskRef = builder.objectRef<VaultRisk>('VaultRisk').implement({
  description:
    'The parts from which the risk of a vault can be judged. None of them is an opinion, and there is no grade.',
  fields: (t) => ({
    exposures: t.field({
      type: [VaultExposureRef],
      description:
        'What stands behind the tokens of the vault, by token, largest first. Tokens in a reserve are divided by its utilization and by the collateral of the loans that owe to it.',
      resolve: ({ exposures }) => [...exposures],
    }),
    reserves: t.field({
      type: [VaultReserveRiskRef],
      description: 'The reserves in which the vault has invested, with the loans that owe to them.',
      resolve: ({ reserves }) => [...reserves],
    }),
    now: t.expose('now', { type: VaultScenarioRef, description: 'The vault at present prices.' }),
    shocks: t.field({
      type: [VaultScenarioRef],
      description: 'The vault under each shock, in the order of the argument.',
      resolve: ({ shocks }) => [...shocks],
    }),
    outflows: t.field({
      type: [VaultOutflowRef],
      nullable: true,
      description: 'Tokens that can leave in an hour, a day and a week. Null when a reserve cannot be read.',
      resolve: ({ vault }, _args, { platform, session }) => vaultOutflows(platform, session, vault),
    }),
  }),
});

builder.objectField(VaultRef, 'risk', (t) =>
  t.field({
    type: VaultRiskRef,
    nullable: true,
    description:
      'The collateral behind what the vault lends to, its share of losses now and under shocks, and how much can leave. Null when a reserve or market of the vault cannot be read; null with an error while the loans cannot be read from the RPC endpoints.',
    args: {
      shocks: t.arg({
        type: [MarketShockInput],
        required: true,
        defaultValue: [],
        description: 'Shocks, at most 100. Defaults to none: current prices only.',
      }),
    },
    resolve: (vault, { shocks }, { platform, session }) => vaultRisk(platform, session, vault, shocks),
  }),
);
