import type { Config } from '../../config/config.ts';
import { type ApiKey, makeKey } from '../../limits/keys/api-key.ts';
import { keyStoreFor } from '../../limits/keys/key-store-for.ts';
import type { KeysCommand } from './arguments.ts';

/** Runs the command; false when there was nothing to revoke. Output lines are passed to `print`. */
export async function runKeys(
  config: Config,
  command: KeysCommand,
  print: (line: string) => void,
): Promise<boolean> {
  const store = keyStoreFor(config);
  try {
    switch (command.kind) {
      case 'create': {
        const { key, text } = makeKey(command, new Date());
        await store.add(key);
        print(text);
        print(`Save this key now: it is not shown again. ${describe(key)}`);
        return true;
      }
      case 'list': {
        const keys = await store.all();
        for (const key of keys) print(describe(key));
        if (keys.length === 0) print('There are no keys.');
        return true;
      }
      case 'revoke': {
        const revoked = await store.revoke(command.id, new Date());
        print(revoked ? `Revoked ${command.id}.` : `No active key has the id ${command.id}.`);
        return revoked;
      }
    }
  } finally {
    await store.close();
  }
}

function describe({ id, name, limit, origins, createdAt, revokedAt }: ApiKey): string {
  const budget = limit === 0 ? 'no limit' : `${limit} per minute`;
  const from = origins.length === 0 ? 'any caller' : origins.join(' ');
  const until = revokedAt === null ? '' : `, revoked ${revokedAt.toISOString()}`;
  return `${id}  ${name}: ${budget}, ${from}, created ${createdAt.toISOString()}${until}`;
}
