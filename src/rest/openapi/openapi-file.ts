import { PACKAGE_FOLDER } from '../../node/package-files.ts';

/** Written by `npm run openapi` and checked against the table: what is served is what is committed. */
export const OPENAPI = new URL('openapi.json', PACKAGE_FOLDER);
