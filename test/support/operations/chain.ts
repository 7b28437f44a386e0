import type { OperationRow } from './operation-row.ts';

interface Epoch {
  readonly epoch: string;
  readonly firstSlot: string;
  readonly lastSlot: string;
  readonly startedAt: string;
  readonly endedAt: string;
}

/** Reads without parameters. */
const row = (
  path: string,
  answer: OperationRow['answer'],
  twin: NonNullable<OperationRow['twin']>,
): OperationRow => ({
  method: 'get',
  path,
  answer,
  requests: () => [{ url: path, variables: {} }],
  refusals: () => [],
  twin,
});

export const CHAIN_ROWS: readonly OperationRow[] = [
  row('/slots/duration', { fields: { recentSlotDurationInMs: 'number' } }, async (graph) => {
    const { chain } = await graph<{ chain: { slotDurationMs: string } }>('{ chain { slotDurationMs } }');
    return { recentSlotDurationInMs: Number(chain.slotDurationMs) };
  }),
  row(
    '/epochs',
    {
      list: {
        fields: {
          epoch: 'integer',
          firstSlot: 'integer',
          lastSlot: 'integer',
          startBlockTime: 'date',
          endBlockTime: 'date',
        },
      },
    },
    async (graph) => {
      const { chain } = await graph<{ chain: { epochs: readonly Epoch[] } }>(
        '{ chain { epochs { epoch firstSlot lastSlot startedAt endedAt } } }',
      );
      return chain.epochs.map(({ epoch, firstSlot, lastSlot, startedAt, endedAt }) => ({
        epoch: Number(epoch),
        firstSlot: Number(firstSlot),
        lastSlot: Number(lastSlot),
        startBlockTime: startedAt,
        endBlockTime: endedAt,
      }));
    },
  ),
];
