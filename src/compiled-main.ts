import { compiledForm, runCompiled } from './files/compiled.ts';

/** What `dist/main.js` is: the gateway itself is beside it, compiled. */
const GATEWAY = new URL('compiled/main.js', import.meta.url);

/** For the build, which keeps what V8 has compiled after a while. */
export const [script, form] = [runCompiled(GATEWAY), compiledForm(GATEWAY)];
