import { print, printUsage, runCommand, stopSignal } from '../run-command.ts';
import { readArguments, USAGE } from './arguments.ts';
import { runImportCatalogue } from './run.ts';

await runCommand(async () => {
  const command = readArguments(process.argv.slice(2));
  if (command === null) return printUsage(USAGE);
  return (await runImportCatalogue(command, print, stopSignal())) ? 0 : 1;
});
