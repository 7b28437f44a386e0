import { describe, expect, it } from 'vitest';
import { createLogger } from '../../src/telemetry/logger.ts';
import { type TerminalOutput, terminalOutput } from '../../src/telemetry/terminal-output.ts';

function fakeStdout(isTTY: boolean) {
  const written: string[] = [];
  return { isTTY, written, write: (text: string | Uint8Array) => written.push(String(text)) > 0 };
}

/** The lines that a terminal shows. */
function onScreen(written: readonly string[]): string[] {
  return written
    .join('')
    .split('\n')
    .map((line) => line.slice(line.lastIndexOf('\u001b[2K') + 1).replace(/^\[2K/, ''));
}

async function outputOn(stdout: ReturnType<typeof fakeStdout>): Promise<TerminalOutput> {
  const output = await terminalOutput(stdout);
  if (output === undefined) throw new Error('it is no terminal');
  return output;
}

describe('terminalOutput', () => {
  it('leaves JSON to a pipe', async () => {
    expect(await terminalOutput(fakeStdout(false))).toBeUndefined();
  });

  it('writes one readable line at once on a terminal', async () => {
    const stdout = fakeStdout(true);
    createLogger('info', await outputOn(stdout)).warn({ code: 'RPC_UNAVAILABLE' }, 'cannot read');
    expect(stdout.written).toHaveLength(1);
    const [line = ''] = stdout.written;
    expect(line).toMatch(/^\[\d\d:\d\d:\d\d\.\d{3}\].*WARN.*cannot read.*RPC_UNAVAILABLE.*\n$/);
  });

  it('keeps the progress on one line, below everything else', async () => {
    const stdout = fakeStdout(true);
    const output = await outputOn(stdout);
    output.showProgress('Generating history: 0 %');
    output.print('Sluice on http://127.0.0.1:4000/graphql');
    output.showProgress('Generating history: 4 %');
    output.showProgress('Generating history: 4 %');
    createLogger('info', output).info('request');
    output.showProgress(null);
    output.print('done');
    expect(onScreen(stdout.written.slice(0, 2))).toEqual([
      'Sluice on http://127.0.0.1:4000/graphql',
      'Generating history: 0 %',
    ]);
    expect(onScreen(stdout.written)).toEqual([
      'Sluice on http://127.0.0.1:4000/graphql',
      expect.stringContaining('request'),
      'done',
      '',
    ]);
  });
});
