import { createRequire } from 'node:module';
import { join } from 'node:path';

/** Loads a package that is installed only for the comparison. Workers run in the root of the repository. */
export function contenderPackage<T>(name: string): T {
  return loaded<T>('bench/peers', name);
}

/** Loads the official SDK or one of its dependencies from the installation that makes the golden vectors. */
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
