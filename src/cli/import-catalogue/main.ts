import { print, stopSignal } from '../run-command.ts';
import { IMPORT_CATALOGUE } from './arguments.ts';
import { runImportCatalogue } from './run.ts';

await IMPORT_CATALOGUE.run((command) => runImportCatalogue(command, print, stopSignal()));
