import { until } from '../../../packages/rpc-pool/test/support/test-pools.ts';
import { createApp } from '../../../src/app/app.ts';
import { loadConfig } from '../../../src/config/config.ts';
import { type FileMoment, startFileRpc } from '../localnet/file-chain.ts';

export interface Answer {
  readonly data: unknown;
  readonly errors?: readonly {
    readonly message: string;
    readonly path: readonly (string | number)[];
    readonly extensions: { readonly code: string };
  }[];
}

/** The value at a path of an answer, such as `obligation.deposits.0.amount.usd`. */
export function at(data: unknown, path: string): unknown {
  return path.split('.').reduce((value: unknown, key) => (value as Record<string, unknown>)[key], data);
}

export const numberAt = (data: unknown, path: string) => Number(at(data, path));

/** A gateway over accounts from files. */
export interface FileGateway {
  ask(query: string): Promise<Answer>;
  stop(): Promise<void>;
}

export async function startFileGateway(
  accounts: Parameters<typeof startFileRpc>[0],
  moment: FileMoment,
): Promise<FileGateway> {
  const rpc = await startFileRpc(accounts, moment);
  const app = await createApp(loadConfig({ SOLANA_RPC_URLS: rpc.url }));
  await until(() => app.chain.views.newest !== undefined);
  return {
    async ask(query) {
      const response = await app.fetch(
        new Request('http://gateway/graphql', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ query }),
        }),
      );
      return (await response.json()) as Answer;
    },
    async stop() {
      await app.stop();
      await rpc.close();
    },
  };
}
