import { createRequire } from 'node:module';
import { join } from 'node:path';

/** A package that is installed for the comparison alone. The folder that a worker runs in is the repository's. */
export function contenderPackage<T>(name: string): T {
  return loaded<T>('bench/peers', name);
}

/** The official SDK and what belongs to it, where the golden vectors have it. */
export function sdkPackage<T>(name: string): T {
  return loaded<T>('test/oracle', name);
}

function loaded<T>(folder: string, name: string): T {
  const require = createRequire(join(process.cwd(), folder, 'package.json'));
  try {
    return require(name) as T;
  } catch (cause) {
    throw new Error(`${name} is not installed: npm --prefix ${folder} ci`, { cause });
  }
}
