import { describe, expect, it } from 'vitest';
import { createLogger } from '../../src/telemetry/logger.ts';
import { terminalOutput } from '../../src/telemetry/terminal-output.ts';

function fakeStdout(isTTY: boolean) {
  const written: string[] = [];
  return { isTTY, written, write: (text: string | Uint8Array) => written.push(String(text)) > 0 };
}

describe('terminalOutput', () => {
  it('leaves JSON to a pipe', async () => {
    expect(await terminalOutput(fakeStdout(false))).toBeUndefined();
  });

  it('writes one readable line at once on a terminal', async () => {
    const stdout = fakeStdout(true);
    createLogger('info', await terminalOutput(stdout)).warn({ code: 'RPC_UNAVAILABLE' }, 'cannot read');
    expect(stdout.written).toHaveLength(1);
    const [line = ''] = stdout.written;
    expect(line).toMatch(/^\[\d\d:\d\d:\d\d\.\d{3}\].*WARN.*cannot read.*RPC_UNAVAILABLE.*\n$/);
  });
});
