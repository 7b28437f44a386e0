import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** A delaying proxy to the chain in a separate process. It counts calls. */
export interface SlowRpc {
  readonly url: string;
  /** Calls since the previous read of this count. */
  calls(): Promise<number>;
  stop(): Promise<void>;
}

/** @param program Node arguments that run `slow-rpc`, from source or built */
export async function startSlowRpcProcess(
  program: readonly string[],
  target: string,
  delayMs: number,
): Promise<SlowRpc> {
  const child = spawn(process.execPath, [...program, target, String(delayMs)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  for await (const chunk of child.stdout) {
    printed += String(chunk);
    if (printed.endsWith('\n')) break;
  }
  const url = printed.trim();
  return {
    url,
    async calls() {
      const counts = (await (await fetch(url)).json()) as Record<string, number>;
      return Object.values(counts).reduce((sum, count) => sum + count, 0);
    },
    async stop() {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    },
  };
}
