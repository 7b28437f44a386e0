import { loadConfig } from '../../config/config.ts';
import { print } from '../run-command.ts';
import { ALERTS } from './arguments.ts';
import { runAlerts } from './run.ts';

await ALERTS.run(async (command) => {
  await runAlerts(loadConfig(), command, print);
});
