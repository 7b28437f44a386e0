import type { Config } from '../../config/config.ts';
import { type ApiKey, makeKey } from '../../limits/keys/api-key.ts';
import { keyStoreFor } from '../../limits/keys/key-store-for.ts';
import type { KeysCommand } from './arguments.ts';

/** Runs the command; false when it found nothing to do. Lines for people go to `print`. */
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
        print(`This is shown once. ${described(key)}`);
        return true;
      }
      case 'list': {
        const keys = await store.all();
        for (const key of keys) print(described(key));
        if (keys.length === 0) print('There are no keys.');
        return true;
      }
      case 'revoke': {
        const revoked = await store.revoke(command.id, new Date());
        print(revoked ? `Revoked ${command.id}.` : `There is no key ${command.id} that could be revoked.`);
        return revoked;
      }
    }
  } finally {
    await store.close();
  }
}

function described({ id, name, limit, origins, createdAt, revokedAt }: ApiKey): string {
  const spends = limit === 0 ? 'no limit' : `${limit} a minute`;
  const from = origins.length === 0 ? 'any caller' : origins.join(' ');
  const until = revokedAt === null ? '' : `, revoked ${revokedAt.toISOString()}`;
  return `${id}  ${name}: ${spends}, ${from}, created ${createdAt.toISOString()}${until}`;
}
