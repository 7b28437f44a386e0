import { loadConfig } from '../../config/config.ts';
import { print, printUsage, runCommand, stopSignal } from '../run-command.ts';
import { readArguments, USAGE } from './arguments.ts';
import { runRecorder } from './run.ts';

await runCommand(async () => {
  const command = readArguments(process.argv.slice(2), new Date());
  if (command === null) return printUsage(USAGE);
  await runRecorder(loadConfig(), command, print, stopSignal());
  return 0;
});
