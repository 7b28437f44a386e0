import { type ParseArgsConfig, parseArgs } from 'node:util';
import { printUsage, runCommand } from './run-command.ts';

type Options = NonNullable<ParseArgsConfig['options']>;
type Config<O extends Options> = { args: string[]; options: O; allowPositionals: boolean };
type Given<O extends Options> = ReturnType<typeof parseArgs<Config<O>>>;

interface CommandDefinition<O extends Options, C> {
  /** Printed when the arguments are invalid. */
  readonly usage: string;
  readonly options: O;
  /** Whether words besides the options are allowed. Defaults to no. */
  readonly allowPositionals?: boolean;
  /** The arguments as the command needs them; null when they are invalid. */
  readonly accept: (given: Given<O>, now: Date) => C | null;
}

interface Command<C> {
  readonly usage: string;
  /** Null when the arguments are invalid. */
  read(args: readonly string[], now?: Date): C | null;
  /**
   * Runs with the arguments of this process. Exit code 1 if `work` resolves to false, 2 after invalid arguments, and
   * `failureCode` (1 if not given) after a coded error.
   */
  run(work: (command: C) => Promise<unknown>, failureCode?: number): Promise<void>;
}

/**
 * A command line: its options, how they are read, and what is printed when they are invalid.
 *
 * @example
 * const command = defineCommand({
 *   usage: 'npm run greet -- --name NAME\n',
 *   options: { name: { type: 'string' } },
 *   accept: ({ values: { name } }) => (name === undefined ? null : { name }),
 * });
 * await command.run(async ({ name }) => {
 *   print(`Hello ${name}`);
 * });
 */
export function defineCommand<const O extends Options, C>({
  usage,
  options,
  allowPositionals = false,
  accept,
}: CommandDefinition<O, C>): Command<C> {
  const read = (args: readonly string[], now = new Date()) => {
    const given = parsed({ args: [...args], options, allowPositionals });
    return given === null ? null : accept(given, now);
  };
  return {
    usage,
    read,
    run: (work, failureCode) =>
      runCommand(async () => {
        const command = read(process.argv.slice(2));
        if (command === null) return printUsage(usage);
        return (await work(command)) === false ? 1 : 0;
      }, failureCode),
  };
}

function parsed<O extends Options>(config: Config<O>): Given<O> | null {
  try {
    return parseArgs(config);
  } catch {
    // The only failure is an unknown or incomplete option.
    return null;
  }
}
