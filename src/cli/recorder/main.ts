import { loadConfig } from '../../config/config.ts';
import { print, stopSignal } from '../run-command.ts';
import { RECORDER } from './arguments.ts';
import { runRecorder } from './run.ts';

await RECORDER.run(async (command) => {
  await runRecorder(loadConfig(), command, print, stopSignal());
});
