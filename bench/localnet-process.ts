import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The localnet in a separate process, so that its cost is not measured. */
export interface LocalnetProcess {
  readonly url: string;
  readonly addresses: Readonly<Record<string, string>>;
  stop(): void;
}

export async function startLocalnetProcess(scale: number): Promise<LocalnetProcess> {
  // Runs from source if this module does, otherwise built.
  const isSource = import.meta.url.endsWith('.ts');
  const main = fileURLToPath(
    new URL(`../packages/localnet/src/cli.${isSource ? 'ts' : 'js'}`, import.meta.url),
  );
  const compiler = isSource ? ['--import', 'tsx'] : [];
  const child = spawn(process.execPath, [...compiler, main, '--port', '0', '--scale', String(scale)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  for await (const chunk of child.stdout) {
    printed += String(chunk);
    if (printed.trimEnd().endsWith('}')) break;
  }
  const url = /localnet: (\S+)/.exec(printed)?.[1];
  if (url === undefined) throw new Error(`the localnet did not start: ${printed}`);
  return {
    url,
    addresses: JSON.parse(printed.slice(printed.indexOf('{'))) as Record<string, string>,
    stop: () => child.kill(),
  };
}
