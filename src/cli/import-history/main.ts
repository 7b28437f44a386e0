import { loadConfig } from '../../config/config.ts';
import { print, stopSignal } from '../run-command.ts';
import { IMPORT_HISTORY } from './arguments.ts';
import { runImport } from './run.ts';

await IMPORT_HISTORY.run((command) => runImport(loadConfig(), command, print, stopSignal()));
