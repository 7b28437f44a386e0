import { defineCommand } from '../define-command.ts';

/** The parsed command line. */
export type RecorderCommand =
  | { readonly kind: 'record' }
  | { readonly kind: 'gaps' | 'repair'; readonly start: Date; readonly end: Date };

export const RECORDER = defineCommand({
  usage: `npm run recorder                                           records until stopped
npm run recorder -- gaps   --start 2026-01-01 [--end DATE]  lists unrecorded minutes
npm run recorder -- repair --start 2026-01-01 [--end DATE]  recomputes hours and days from recorded points
`,
  allowPositionals: true,
  options: { start: { type: 'string' }, end: { type: 'string' } },
  accept({ values, positionals }, now): RecorderCommand | null {
    const [kind, ...rest] = positionals;
    if (rest.length > 0) return null;
    if (kind === undefined) return values.start === undefined ? { kind: 'record' } : null;
    if (kind !== 'gaps' && kind !== 'repair') return null;
    const start = new Date(values.start ?? Number.NaN);
    const end = values.end === undefined ? now : new Date(values.end);
    return start < end ? { kind, start, end } : null;
  },
});
