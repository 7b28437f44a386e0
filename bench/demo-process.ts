import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** An embedded chain in a process of its own, so that its cost is not counted as ours. */
export interface DemoProcess {
  readonly url: string;
  readonly addresses: Readonly<Record<string, string>>;
  stop(): void;
}

export async function startDemoProcess(scale: number): Promise<DemoProcess> {
  // From source or built, as this module is.
  const isSource = import.meta.url.endsWith('.ts');
  const main = fileURLToPath(new URL(`../src/cli/demo-rpc/main.${isSource ? 'ts' : 'js'}`, import.meta.url));
  const compiler = isSource ? ['--import', 'tsx'] : [];
  const child = spawn(process.execPath, [...compiler, main, '--port', '0'], {
    env: { ...process.env, DEMO_SCALE: String(scale) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  for await (const chunk of child.stdout) {
    printed += String(chunk);
    if (printed.trimEnd().endsWith('}')) break;
  }
  const url = /embedded chain: (\S+)/.exec(printed)?.[1];
  if (url === undefined) throw new Error(`the embedded chain did not start: ${printed}`);
  return {
    url,
    addresses: JSON.parse(printed.slice(printed.indexOf('{'))) as Record<string, string>,
    stop: () => child.kill(),
  };
}
