import { z } from 'zod';

/** Licences that need no further look. */
export const ALLOWED_LICENCES: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  // A dedication to the public domain.
  'Unlicense',
]);

/** Either licence of each may be chosen, or both are allowed. */
const ALLOWED_CHOICES: ReadonlySet<string> = new Set([
  '(MIT OR CC0-1.0)',
  'MIT OR Apache-2.0',
  'MIT and ISC',
]);

/** Packages with another licence, by name: the licence, and why it is accepted. None of them is in the image. */
export const LICENCE_EXCEPTIONS: ReadonlyMap<string, { readonly licence: string; readonly reason: string }> =
  new Map([
    ['argparse', { licence: 'Python-2.0', reason: 'Permissive. Reads options of development tools.' }],
    ['axe-core', { licence: 'MPL-2.0', reason: 'Checks pages in tests. It is not changed and not shipped.' }],
    ['caniuse-lite', { licence: 'CC-BY-4.0', reason: 'Data of a development tool. It is not shipped.' }],
    [
      'elkjs',
      { licence: 'EPL-2.0', reason: 'Draws diagrams in Prisma Studio, which we do not run or ship.' },
    ],
    [
      'seq-queue',
      {
        licence: 'none',
        reason:
          'Declares no licence in its manifest; its LICENSE file has the text of the MIT licence. A part of the Prisma CLI, which is not shipped.',
      },
    ],
  ]);

/**
 * Packages with an install script, by name: the version whose script was read and may run, or null for one that must not.
 * `allowScripts` of package.json says the same, without versions: npm does not match them where the lock file has no URLs.
 */
export const INSTALL_SCRIPTS: ReadonlyMap<
  string,
  { readonly allowed: string | null; readonly reason: string }
> = new Map([
  [
    '@prisma/engines',
    {
      allowed: null,
      reason: 'Downloads an engine. We generate the client without it; `npx prisma` fetches it itself.',
    },
  ],
  [
    '@scarf/scarf',
    { allowed: null, reason: 'Reports the installation to scarf.sh. Nothing uses the package.' },
  ],
  ['esbuild', { allowed: '0.28.2', reason: 'Checks that the binary of the platform is the right one.' }],
  [
    'protobufjs',
    {
      allowed: null,
      reason: 'Warns of version ranges that its authors advise against. A peer in tests uses the package.',
    },
  ],
  ['prisma', { allowed: '7.10.0', reason: 'Refuses releases of Node that it does not support.' }],
]);

/** Packages that are known to report their use or the installation. One that is not in `SILENCED` is refused. */
const REPORTERS: ReadonlySet<string> = new Set([
  '@amplitude/analytics-node',
  '@angular/cli',
  '@apollo/rover',
  '@astrojs/telemetry',
  '@expo/cli',
  '@nestjs/cli',
  '@nuxt/telemetry',
  '@redocly/cli',
  '@scarf/scarf',
  '@segment/analytics-node',
  '@sentry/node',
  '@sentry/node-core',
  '@storybook/telemetry',
  'analytics-node',
  'applicationinsights',
  'checkpoint-client',
  'gatsby-telemetry',
  'insight',
  'mixpanel',
  'netlify-cli',
  'next',
  'posthog-node',
  'prisma',
  'serverless',
  'turbo',
  'universal-analytics',
  'update-notifier',
  'vercel',
  'wrangler',
]);

/** Reporting packages that we have, and the setting that silences each. */
export const SILENCED: ReadonlyMap<string, string> = new Map([
  ['@scarf/scarf', '`allowScripts` and `scarfSettings` of `package.json`; it is not in the image'],
  ['prisma', '`CHECKPOINT_DISABLE` in `prisma.config.ts`, which every command reads first'],
]);

const Locked = z.object({
  version: z.string().optional(),
  resolved: z.string().optional(),
  integrity: z.string().optional(),
  license: z.string().default('none'),
  link: z.boolean().default(false),
  hasInstallScript: z.boolean().default(false),
});
const Lock = z.object({ packages: z.record(z.string(), Locked) });
const Manifest = z.object({
  allowScripts: z.record(z.string(), z.boolean()).default({}),
  scarfSettings: z.object({ enabled: z.boolean() }),
});

const REGISTRY = 'https://registry.npmjs.org/';
const DIGEST = /^sha512-/;
const INSTALLED = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)$/;

/**
 * Violations of our rules for dependencies: licences, origin, install scripts and reports of everything in the lock file, also of
 * development tools. An exception that nothing needs is one as well.
 *
 * @param lock package-lock.json
 * @param manifest package.json
 */
export function dependencyProblems(lock: unknown, manifest: unknown): readonly string[] {
  const { allowScripts, scarfSettings } = Manifest.parse(manifest);
  const problems: string[] = [];
  const used = new Set<string>();
  for (const [path, locked] of Object.entries(Lock.parse(lock).packages)) {
    const [, name] = INSTALLED.exec(path) ?? [];
    if (name === undefined || locked.link) continue;
    const { version = '', resolved, integrity = '', license, hasInstallScript } = locked;
    const known = `${name} ${version}`;
    if (LICENCE_EXCEPTIONS.get(name)?.licence === license) used.add(name);
    else if (!ALLOWED_LICENCES.has(license) && !ALLOWED_CHOICES.has(license))
      problems.push(`${known} has the licence ${license}, which is not allowed`);
    if (!DIGEST.test(integrity)) problems.push(`${known} has no SHA-512 digest in the lock file`);
    if (resolved !== undefined && !resolved.startsWith(REGISTRY))
      problems.push(`${known} does not come from the registry: ${resolved}`);
    if (SILENCED.has(name)) used.add(`${name} report`);
    else if (REPORTERS.has(name)) problems.push(`${known} reports its use, and nothing silences it`);
    if (!hasInstallScript) continue;
    const rule = INSTALL_SCRIPTS.get(name);
    if (rule === undefined) problems.push(`${known} has an install script that nobody has read`);
    else {
      used.add(`${name} script`);
      const runs = rule.allowed !== null;
      if (runs && rule.allowed !== version)
        problems.push(`${known} has an install script that was read in version ${rule.allowed} only`);
      if (allowScripts[name] !== runs)
        problems.push(`package.json: allowScripts must have "${name}": ${runs}`);
    }
  }
  for (const name of LICENCE_EXCEPTIONS.keys())
    if (!used.has(name)) problems.push(`the licence exception for ${name} is not needed`);
  for (const name of INSTALL_SCRIPTS.keys())
    if (!used.has(`${name} script`))
      problems.push(`the rule for the install script of ${name} is not needed`);
  for (const name of SILENCED.keys())
    if (!used.has(`${name} report`)) problems.push(`the rule that silences ${name} is not needed`);
  if (scarfSettings.enabled) problems.push('package.json: scarfSettings.enabled must be false');
  return problems;
}
