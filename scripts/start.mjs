// Runs the built gateway if the build is newer than every source, otherwise runs from source.
import { isBuilt } from './is-built.mjs';

if (isBuilt()) await import('../dist/main.js');
else {
  const { register } = await import('tsx/esm/api');
  register();
  await import('../src/main.ts');
}
