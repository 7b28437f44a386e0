import { loadConfig } from '../../config/config.ts';
import { print } from '../run-command.ts';
import { KEYS } from './arguments.ts';
import { runKeys } from './run.ts';

await KEYS.run((command) => runKeys(loadConfig(), command, print));
