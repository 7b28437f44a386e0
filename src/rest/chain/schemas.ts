import { z } from '@hono/zod-openapi';
import { dateOut } from '../values/date.ts';

const number = (description: string) => z.number().int().openapi({ description });

export const SlotDuration = z
  .strictObject({
    recentSlotDurationInMs: z
      .number()
      .openapi({ description: 'Median slot duration over the last 30 minutes, in milliseconds.' }),
  })
  .openapi('SlotDuration');

export const Epoch = z
  .strictObject({
    epoch: number('Number of the epoch.'),
    firstSlot: number('First slot.'),
    lastSlot: number('Last slot, inclusive.'),
    startBlockTime: dateOut('Time of its first block.'),
    endBlockTime: dateOut('Time of its last block.'),
  })
  .openapi('Epoch');
