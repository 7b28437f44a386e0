import { loadConfigWith } from '../../config/config.ts';
import { print, stopSignal } from '../run-command.ts';
import { DUMP } from './arguments.ts';
import { runDump } from './run.ts';

await DUMP.run(async (command) => {
  const config = loadConfigWith({ SOLANA_RPC_URLS: command.rpc, SOLANA_WS_URLS: '' });
  await runDump(config, command, print, stopSignal());
});
