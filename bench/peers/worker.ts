import { inspect } from 'node:util';

/** Resources used by a process since its start. */
export interface Usage {
  readonly cpuMicros: number;
  readonly rssBytes: number;
}

/** A task from the parent. */
export interface Order {
  readonly id: number;
  readonly task: string;
  readonly input: unknown;
}

/** The result of the order with the same id. Id 0 is the greeting, sent when the process accepts orders. */
export interface Reply {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: string;
}

export type Tasks = Readonly<Record<string, (input: never) => unknown>>;

function usage(): Usage {
  const { user, system } = process.cpuUsage();
  return { cpuMicros: user + system, rssBytes: process.memoryUsage().rss };
}

/** In a child process: greets the parent, runs its orders, and exits with it. */
export function serveParent(greeting: unknown, tasks: Tasks): void {
  const all: Tasks = { usage, ...tasks };
  process.on('message', async ({ id, task, input }: Order) => {
    try {
      process.send?.({ id, result: await all[task]?.(input as never) } satisfies Reply);
    } catch (error) {
      process.send?.({ id, error: inspect(error) } satisfies Reply);
    }
  });
  process.once('disconnect', () => process.exit());
  process.send?.({ id: 0, result: greeting } satisfies Reply);
}
