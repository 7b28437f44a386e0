import { loadConfig } from '../../config/config.ts';
import { print, printUsage, runCommand } from '../run-command.ts';
import { readArguments, USAGE } from './arguments.ts';
import { runKeys } from './run.ts';

await runCommand(async () => {
  const command = readArguments(process.argv.slice(2));
  if (command === null) return printUsage(USAGE);
  return (await runKeys(loadConfig(), command, print)) ? 0 : 1;
});
