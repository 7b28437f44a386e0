import type { BuildOptions } from './builds.ts';

const OPTIONS = [
  'strict',
  'lookupTables',
  'computeUnitLimit',
  'priorityFeeMicroLamports',
  'priorityFee',
  'feePayer',
  'memo',
  'durableNonce',
  'tip',
] as const satisfies readonly (keyof BuildOptions)[];

/** Options as a request has them: null and undefined are the same as absent. */
export type BuildOptionsInput = { readonly [K in keyof BuildOptions]?: BuildOptions[K] | null | undefined };

/** The options of the transactions of a build. */
export function buildOptions(given: BuildOptionsInput | null | undefined): BuildOptions {
  return Object.fromEntries(
    OPTIONS.flatMap((name) => {
      const value = given?.[name];
      return value === null || value === undefined ? [] : [[name, value]];
    }),
  );
}
