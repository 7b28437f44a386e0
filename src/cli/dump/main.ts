import { loadConfigWith } from '../../config/config.ts';
import { print, printUsage, runCommand, stopSignal } from '../run-command.ts';
import { readArguments, USAGE } from './arguments.ts';
import { runDump } from './run.ts';

await runCommand(async () => {
  const command = readArguments(process.argv.slice(2));
  if (command === null) return printUsage(USAGE);
  const config = loadConfigWith({ SOLANA_RPC_URLS: command.rpc, SOLANA_WS_URLS: '' });
  await runDump(config, command, print, stopSignal());
  return 0;
});
