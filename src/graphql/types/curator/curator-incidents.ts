import {
  type Incident,
  type IncidentEvidence,
  type IncidentKind,
  incidentsOf,
} from '../../../services/curators/incidents.ts';
import { builder } from '../../builder.ts';
import { CuratorRef, MarketRef, marketLink, ReserveRef, reserveLink, VaultRef } from '../../node-refs.ts';

const IncidentKindRef = builder.enumType('IncidentKind', {
  description: 'Kind of an incident.',
  values: {
    BAD_DEBT: { description: 'Loans owe the reserve more than their collateral is worth.' },
    MARKET_EMERGENCY: {
      description: 'The market of the reserve is in emergency mode: it accepts no action.',
    },
    RESERVE_EMERGENCY: { description: 'The reserve is in emergency mode: it accepts no action.' },
    RESERVE_DEPOSIT_LIMIT: { description: 'Deposits in the reserve have reached its limit.' },
    RESERVE_BORROW_LIMIT: { description: 'Debts to the reserve have reached its limit.' },
    ALLOCATION_CAP: { description: 'The vault has invested in the reserve as much as its cap lets it.' },
    DEPOSIT_CAP: { description: 'The vault takes no deposit, because it has reached its deposit cap.' },
    SHARE_VALUE_FELL: {
      description:
        'A share of the vault was worth fewer tokens than in the record before, by more than the fees: the vault lost tokens.',
    },
  } as const satisfies Record<IncidentKind, unknown>,
});

const IncidentEvidenceRef = builder.enumType('IncidentEvidence', {
  description: 'Where an incident was seen.',
  values: {
    ACCOUNT: { description: 'In an account of the View.' },
    LOANS: { description: 'In the loans of the market, at the prices of the View.' },
    HISTORY: { description: 'In recorded points of the vault, one per day.' },
  } as const satisfies Record<IncidentEvidence, unknown>,
});

const IncidentRef = builder.objectRef<Incident>('CuratorIncident').implement({
  description: 'Something that happened to a vault or to a reserve that it lends through.',
  fields: (t) => ({
    kind: t.expose('kind', { type: IncidentKindRef, description: 'Kind of the incident.' }),
    evidence: t.expose('evidence', { type: IncidentEvidenceRef, description: 'Where it was seen.' }),
    vault: t.expose('vault', { type: VaultRef, description: 'The vault.' }),
    reserveAddress: t.expose('reserve', {
      type: 'Address',
      nullable: true,
      description: 'Address of the reserve. Null for an incident of the vault itself.',
    }),
    reserve: t.field({
      type: ReserveRef,
      nullable: true,
      description: 'The reserve as it is now. Null for an incident of the vault itself.',
      resolve: ({ reserve }, _args, { session }) => (reserve === null ? null : reserveLink(session, reserve)),
    }),
    market: t.field({
      type: MarketRef,
      nullable: true,
      description: 'The market of the reserve. Null for an incident of the vault itself.',
      resolve: ({ market }, _args, { session }) => (market === null ? null : marketLink(session, market)),
    }),
    since: t.expose('since', {
      type: 'DateTime',
      nullable: true,
      description:
        'When it began: when the reserve noted that its limit was reached, or the day of a recorded fall. Null where neither the chain nor this deployment records it.',
    }),
    ongoing: t.exposeBoolean('ongoing', {
      description: 'Whether it is going on. False for a fall in the past.',
    }),
    badDebtUsd: t.expose('badDebtUsd', {
      type: 'Decimal',
      nullable: true,
      description: 'Bad debt to the reserve, in USD. Null for other kinds.',
    }),
    vaultBadDebtUsd: t.expose('vaultBadDebtUsd', {
      type: 'Decimal',
      nullable: true,
      description: 'The vault\u2019s share of it, by its share of the reserve, in USD. Null for other kinds.',
    }),
    fall: t.expose('fall', {
      type: 'Decimal',
      nullable: true,
      description:
        'Part of the value of a share that was lost beyond fees, as a fraction. Null for other kinds.',
    }),
  }),
});

builder.objectField(CuratorRef, 'incidents', (t) =>
  t.field({
    type: [IncidentRef],
    nullable: true,
    description:
      'Incidents of its vaults that are going on, then falls of their share value over the last 365 recorded days. Past incidents of other kinds are not recorded. Null, with an error, while loans cannot be read from the RPC endpoints.',
    resolve: ({ vaults }, _args, { platform, session }) => incidentsOf(platform, session, vaults),
  }),
);
