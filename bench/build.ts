import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { BUILT, buildAll, ROOT } from './peers/built-code.ts';

/** Runs the bench as plain JavaScript: a compiler in the process would distort our side. */
export async function run(): Promise<void> {
  await buildAll();
  const child = spawn(process.execPath, [join(BUILT, 'bench/build-process.js')], {
    cwd: ROOT,
    stdio: 'inherit',
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`the bench ended with ${code}`);
}
