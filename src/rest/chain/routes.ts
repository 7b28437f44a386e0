import { z } from '@hono/zod-openapi';
import { READ_ERRORS } from '../operation/error-shapes.ts';
import { type Operation, operation } from '../operation/operation.ts';
import { double } from '../values/decimal.ts';
import { Epoch, SlotDuration } from './schemas.ts';

const common = {
  method: 'get',
  tag: 'Chain',
  family: READ_ERRORS,
  holds: 'view',
  example: () => ({}),
} as const;

/** Facts about the cluster that clients need for their own computations. */
export const CHAIN_OPERATIONS: readonly Operation[] = [
  operation({
    ...common,
    id: 'getSlotDuration',
    path: '/slots/duration',
    summary: 'Recent slot duration',
    description:
      'Median slot duration over the last 30 minutes, in milliseconds. Measured in the background and part of the View, so it costs no RPC call; the last measured value while it cannot be measured. Fails with VIEW_NOT_READY until the first measurement.',
    graph: 'query { chain { slotDurationMs } }',
    response: SlotDuration,
    async answer({ platform, session }) {
      return { recentSlotDurationInMs: double(platform.slotDurationMs(session)) };
    },
  }),
  operation({
    ...common,
    id: 'listEpochs',
    path: '/epochs',
    summary: 'Completed epochs',
    description:
      'Epochs that are over, newest first: the last 20, or as many of them as the RPC endpoints have blocks of. Without the current epoch, whose end is not known. Read once per epoch.',
    graph: 'query { chain { epochs { epoch firstSlot lastSlot startedAt endedAt } } }',
    response: z.array(Epoch),
    async answer({ platform, session }) {
      return (await platform.completedEpochs(session)).map((each) => ({
        epoch: Number(each.epoch),
        firstSlot: Number(each.firstSlot),
        lastSlot: Number(each.lastSlot),
        startBlockTime: each.startedAt.toISOString(),
        endBlockTime: each.endedAt.toISOString(),
      }));
    },
  }),
];
