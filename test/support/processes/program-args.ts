import { ENTRY_POINTS } from '../../../scripts/entry-points.ts';
import { isBuilt } from '../../../scripts/is-built.mjs';

const built = isBuilt();

/**
 * Arguments with which node runs one of our programs in the root of the project: its build if that is newer than every
 * source, as `npm start` does. Compiling the sources takes most of the time of a test that starts programs.
 *
 * @param program name of its build in `dist`, for example `main`
 */
export function programArgs(program: string): readonly string[] {
  const source = ENTRY_POINTS[program];
  if (source === undefined) throw new Error(`there is no program ${program}`);
  return built ? [`dist/${program}.js`] : ['--import', 'tsx', `src/${source}.ts`];
}
