import { GeyserError, type GeyserHandlers, GrpcStatus } from '../../src/index.ts';

/** Handlers that refuse everything that a test does not replace. */
export function handlers(replaced: Partial<GeyserHandlers> = {}): GeyserHandlers {
  const refuse = (): never => {
    throw new GeyserError(GrpcStatus.UNIMPLEMENTED, 'not in this test');
  };
  return {
    subscribe: refuse,
    replayInfo: refuse,
    slot: refuse,
    latestBlockhash: refuse,
    version: refuse,
    ...replaced,
  };
}

/** The error with which a promise rejects. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  return await promise.then(
    (value) => {
      throw new Error(`expected a rejection, got ${String(value)}`);
    },
    (error: unknown) => error,
  );
}

export function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
