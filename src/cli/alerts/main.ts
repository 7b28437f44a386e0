import { loadConfig } from '../../config/config.ts';
import { print, printUsage, runCommand } from '../run-command.ts';
import { readArguments, USAGE } from './arguments.ts';
import { runAlerts } from './run.ts';

await runCommand(async () => {
  const command = readArguments(process.argv.slice(2));
  if (command === null) return printUsage(USAGE);
  await runAlerts(loadConfig(), command, print);
  return 0;
});
