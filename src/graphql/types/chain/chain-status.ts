import { type RecorderStatus, recorderStatus } from '../../../services/history/recorder-status.ts';
import type {
  ChainStatus,
  CompletedEpoch,
  EndpointHealth,
  ProgramDeployment,
} from '../../../services/platform/platform.ts';
import { builder } from '../../builder.ts';

const RpcEndpointRef = builder.objectRef<EndpointHealth>('RpcEndpoint').implement({
  description: 'An RPC endpoint that this gateway reads from. Its URL is secret.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Name that this gateway gives the endpoint.' }),
    healthy: t.exposeBoolean('healthy', {
      description: 'Whether the gateway prefers this endpoint for reads.',
    }),
    slotLag: t.expose('slotLag', {
      type: 'U64',
      nullable: true,
      description:
        'Number of slots behind the newest known slot. Null before the endpoint has reported a slot.',
    }),
    latencyMs: t.expose('latencyMs', {
      type: 'Decimal',
      nullable: true,
      description: 'Recent response time in milliseconds. Null before the first response.',
    }),
  }),
});

const HistoryStatusRef = builder.enumType('HistoryStatus', {
  description: 'Availability of recorded history.',
  values: {
    STARTING: {
      description:
        'Not available yet: the database is being opened, or the history of the localnet is being generated.',
    },
    READY: { description: 'Available.' },
    UNAVAILABLE: { description: 'The last access failed. The gateway retries automatically.' },
  } as const,
});

const RecorderStatusRef = builder.objectRef<RecorderStatus>('RecorderStatus').implement({
  description: 'State of history recording, as seen by this gateway.',
  fields: (t) => ({
    status: t.expose('status', { type: HistoryStatusRef, description: 'Availability of recorded history.' }),
    leading: t.exposeBoolean('leading', {
      nullable: true,
      description:
        'Whether the recorder in this process holds the lease and writes. Null when no recorder runs in this process.',
    }),
    lagMs: t.exposeInt('lagMs', {
      nullable: true,
      description: 'Age of the newest sample in milliseconds, capped at 24 days. Null when there is none.',
    }),
    doing: t.exposeString('doing', {
      nullable: true,
      description: 'Current activity, as text for display. Null when idle.',
    }),
    percent: t.exposeInt('percent', {
      nullable: true,
      description:
        'Progress of generating the history of the localnet, 0 to 99 percent. Null when none is being generated.',
    }),
  }),
});

const EpochRef = builder.objectRef<CompletedEpoch>('Epoch').implement({
  description: 'An epoch of the cluster that is over.',
  fields: (t) => ({
    epoch: t.expose('epoch', { type: 'U64', description: 'Number of the epoch.' }),
    firstSlot: t.expose('firstSlot', { type: 'U64', description: 'First slot.' }),
    lastSlot: t.expose('lastSlot', { type: 'U64', description: 'Last slot, inclusive.' }),
    startedAt: t.expose('startedAt', { type: 'DateTime', description: 'Time of its first block.' }),
    endedAt: t.expose('endedAt', { type: 'DateTime', description: 'Time of its last block.' }),
  }),
});

const DeploymentStateRef = builder.enumType('DeploymentState', {
  description: 'Relation of a deployed program to this release of the gateway.',
  values: {
    CHECKED: { description: 'The newest deployment that this release was checked against.' },
    NEWER: {
      description:
        'Deployed after the newest one that this release was checked against: numbers and builds may be off until the gateway is updated.',
    },
    OLDER: {
      description:
        'A known deployment before the newest one that this release was checked against: numbers and builds may follow rules that the program does not have.',
    },
    UNKNOWN: {
      description:
        'Not read yet or not readable, or this release was not checked against the program at this address and cluster.',
    },
  } as const,
});

const DeployedProgramRef = builder.objectRef<ProgramDeployment>('DeployedProgram').implement({
  description: 'A program on chain, as this gateway last read it; rarely, and not for each answer.',
  fields: (t) => ({
    name: t.exposeString('program', { description: '`klend`, `kvault` or `farms`.' }),
    address: t.expose('address', { type: 'Address', description: 'Address of the program.' }),
    state: t.expose('state', {
      type: DeploymentStateRef,
      description: 'Relation of the deployment to this release of the gateway.',
    }),
    deployedSlot: t.expose('deployedSlot', {
      type: 'U64',
      nullable: true,
      description:
        'Slot of the last deployment, as the data account of the program states it. Null when it could not be read.',
    }),
    deployedAt: t.expose('deployedAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'Time of the last deployment. Null unless the state is NEWER, the chain has reached the slot and an RPC endpoint knows its time.',
    }),
    checkedSlot: t.expose('checkedSlot', {
      type: 'U64',
      nullable: true,
      description:
        'Slot of the newest deployment that this release was checked against. Null when there is none on this cluster.',
    }),
    version: t.exposeString('version', {
      nullable: true,
      description: 'Version of the deployed program. Null when it is unknown.',
    }),
    implementedVersion: t.exposeString('implementedVersion', {
      description: 'Version whose rules this release of the gateway implements.',
    }),
    warning: t.exposeString('warning', {
      nullable: true,
      description:
        'One sentence for display: what is deployed, since when, and what that means. Null unless the state is NEWER or OLDER.',
    }),
  }),
});

const ChainStatusRef = builder.objectRef<ChainStatus>('ChainStatus').implement({
  description: 'The chain state that this answer was computed from.',
  fields: (t) => ({
    slot: t.expose('slot', {
      type: 'U64',
      description: 'Slot of the View. All values of the answer are as of this slot.',
    }),
    blockTime: t.expose('blockTime', {
      type: 'DateTime',
      nullable: true,
      description: 'Time of the slot, according to the cluster\u2019s clock.',
    }),
    view: t.exposeID('view', {
      description:
        'Id of the View, unique across gateways. Send it as `X-View` to read the same state again while the gateway retains it.',
    }),
    viewAgeMs: t.exposeInt('viewAgeMs', { description: 'Age of the View in milliseconds.' }),
    slotDurationMs: t.expose('slotDurationMs', {
      type: 'Decimal',
      description:
        'Median slot duration over the last 30 minutes, in milliseconds. Rates per year are scaled by it. 400, the target of the protocol, while no RPC endpoint has given performance samples.',
    }),
    epochs: t.field({
      type: [EpochRef],
      nullable: true,
      description:
        'Completed epochs, newest first: the last 20, or as many of them as the RPC endpoints have blocks of. Null, with an error, when they cannot be read.',
      resolve: async (_status, _args, { platform, session }) => [
        ...(await platform.completedEpochs(session)),
      ],
    }),
    commitment: t.exposeString('commitment', { description: 'Commitment level at which the chain is read.' }),
    cluster: t.exposeString('cluster', { description: 'Cluster that this gateway serves.' }),
    endpoints: t.expose('endpoints', {
      type: [RpcEndpointRef],
      description: 'RPC endpoints that this gateway uses.',
    }),
    programs: t.expose('programs', {
      type: [DeployedProgramRef],
      description: 'The programs that this gateway reads and builds for.',
    }),
    recorder: t.field({
      type: RecorderStatusRef,
      nullable: true,
      description: 'State of history recording. Null when this deployment records no history.',
      resolve: (_status, _args, { platform }) => recorderStatus(platform),
    }),
  }),
});

builder.queryField('chain', (t) =>
  t.field({
    type: ChainStatusRef,
    description: 'The chain state that this answer was computed from.',
    resolve: (_root, _args, { platform, session }) => platform.status(session),
  }),
);
