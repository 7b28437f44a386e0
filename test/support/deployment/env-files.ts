import { parseEnv } from 'node:util';
import { type Config, loadConfig } from '../../../src/config/config.ts';
import { SETTINGS } from '../../../src/config/settings.ts';
import { readProjectFile } from './project-files.ts';

/** The variables of one or more env files. Throws if two of them set the same one. */
export function readEnv(...paths: readonly string[]): Record<string, string> {
  const env: Record<string, string> = {};
  for (const path of paths)
    for (const [name, value] of Object.entries(parseEnv(readProjectFile(path)))) {
      if (name in env) throw new Error(`${name} is set twice`);
      env[name] = value ?? '';
    }
  return env;
}

/** Names that are no settings of ours. */
export const unknownSettings = (env: Readonly<Record<string, string>>): readonly string[] =>
  Object.keys(env).filter((name) => !Object.hasOwn(SETTINGS, name));

/** Loads an example as an operator has filled it in. */
export const loadFilled = (env: Readonly<Record<string, string>>): Config =>
  loadConfig({
    ...env,
    STREAM_SECRET: '0123456789abcdef0123456789abcdef',
    ALERT_SECRET: '0123456789abcdef0123456789abcdef',
  });
