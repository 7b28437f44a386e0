import { print } from '../run-command.ts';
import { checkedArguments, PROGRAMS_CHECK } from './arguments.ts';
import { checkPrograms } from './check-programs.ts';

const NOT_CHECKED = 2;

/** For maintainers. Exit code 0 when every step succeeded, 1 when one failed. */
await PROGRAMS_CHECK.run(
  async (values) => await checkPrograms(await checkedArguments(values), print),
  NOT_CHECKED,
);
