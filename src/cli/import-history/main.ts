import { loadConfig } from '../../config/config.ts';
import { print, printUsage, runCommand, stopSignal } from '../run-command.ts';
import { readArguments, USAGE } from './arguments.ts';
import { runImport } from './run.ts';

await runCommand(async () => {
  const command = readArguments(process.argv.slice(2), new Date());
  if (command === null) return printUsage(USAGE);
  return (await runImport(loadConfig(), command, print, stopSignal())) ? 0 : 1;
});
