import { type RecorderStatus, recorderStatus } from '../../services/history/recorder-status.ts';
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

const HistoryStatusRef = builder.enumType('HistoryStatus', {
  description: 'Whether recorded history can be read.',
  values: {
    STARTING: {
      description: 'Not yet: it is being opened, or the past of the embedded chain is being told.',
    },
    READY: { description: 'It can.' },
    UNAVAILABLE: { description: 'Something about it failed last; it is tried again by itself.' },
  } as const,
});

const RecorderStatusRef = builder.objectRef<RecorderStatus>('RecorderStatus').implement({
  description: 'How the recording of history stands, as this gateway sees it.',
  fields: (t) => ({
    status: t.field({
      type: HistoryStatusRef,
      nullable: false,
      description: 'Whether history can be read.',
      resolve: ({ status }) => status,
    }),
    leading: t.exposeBoolean('leading', {
      nullable: true,
      description: 'Whether the recorder of this process is the one that writes. Null when none runs here.',
    }),
    lagMs: t.exposeInt('lagMs', {
      nullable: true,
      description: 'Age of the newest sample in milliseconds, 24 days at most. Null when none is known.',
    }),
    doing: t.exposeString('doing', {
      nullable: true,
      description: 'What is being done, in words. Null when there is nothing to say.',
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
    recorder: t.field({
      type: RecorderStatusRef,
      nullable: true,
      description: 'How the recording of history stands. Null where none is kept.',
      resolve: (_status, _args, { platform }) => recorderStatus(platform),
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
