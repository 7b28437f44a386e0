import { runCompiled, type Scripts } from './start/compiled.ts';
import { calmStart } from './start/v8-settings.ts';

/** For the build, which keeps what V8 has compiled after a while. */
export const scripts: Scripts = new Map();

/** What `dist/main.js` is: the gateway itself is beside it, compiled. */
runCompiled(new URL('compiled/main.js', import.meta.url), scripts, calmStart());
