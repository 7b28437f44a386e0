import type { ChainStatus, EndpointHealth } from '../../services/platform.ts';
import { builder } from '../builder.ts';

export const RpcEndpointRef = builder.objectRef<EndpointHealth>('RpcEndpoint').implement({
  description: 'An RPC endpoint that this gateway reads from. Its address is never told.',
  fields: (t) => ({
    name: t.exposeString('name', { nullable: false, description: 'A name that this gateway gives it.' }),
    healthy: t.exposeBoolean('healthy', {
      nullable: false,
      description: 'Whether reads go to it by choice.',
    }),
    slotLag: t.expose('slotLag', {
      type: 'U64',
      nullable: true,
      description: 'Slots behind the newest known. Null before it has told one.',
    }),
    latencyMs: t.expose('latencyMs', {
      type: 'Decimal',
      nullable: true,
      description: 'Recent time to answer in milliseconds. Null before its first answer.',
    }),
  }),
});

export const ChainStatusRef = builder.objectRef<ChainStatus>('ChainStatus').implement({
  description: 'The state of the chain that this answer was made from.',
  fields: (t) => ({
    slot: t.expose('slot', {
      type: 'U64',
      nullable: false,
      description: 'Slot of the View: everything is evaluated there.',
    }),
    blockTime: t.expose('blockTime', {
      type: 'DateTime',
      nullable: true,
      description: 'Time of that slot by the cluster\u2019s clock.',
    }),
    view: t.exposeInt('view', {
      nullable: false,
      description: 'Number of the View. Send it as `X-View` to read the same state again.',
    }),
    viewAgeMs: t.exposeInt('viewAgeMs', {
      nullable: false,
      description: 'How long ago the View was made, in milliseconds.',
    }),
    slotDurationMs: t.expose('slotDurationMs', {
      type: 'Decimal',
      nullable: false,
      description: 'Recent length of a slot in milliseconds, by which yearly rates are scaled.',
    }),
    commitment: t.exposeString('commitment', {
      nullable: false,
      description: 'How settled the state is that is read.',
    }),
    cluster: t.exposeString('cluster', {
      nullable: false,
      description: 'The cluster that this gateway serves.',
    }),
    endpoints: t.field({
      type: [RpcEndpointRef],
      nullable: false,
      description: 'The RPC endpoints behind this gateway.',
      resolve: ({ endpoints }) => [...endpoints],
    }),
  }),
});

builder.queryField('chain', (t) =>
  t.field({
    type: ChainStatusRef,
    nullable: false,
    description: 'The state of the chain that this answer was made from.',
    resolve: (_root, _args, { platform, session }) => platform.status(session),
  }),
);
