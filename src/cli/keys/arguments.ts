import { defineCommand } from '../define-command.ts';

/** The parsed command line. */
export type KeysCommand =
  | {
      readonly kind: 'create';
      readonly name: string;
      readonly limit: number;
      readonly origins: readonly string[];
    }
  | { readonly kind: 'list' }
  | { readonly kind: 'revoke'; readonly id: string };

const MAX_LIMIT = 1_000_000_000;
const NAME = /^[\w .@:/-]{1,64}$/;
const isOrigin = (text: string) =>
  URL.canParse(text) && /^https?:/.test(text) && new URL(text).origin === text;

export const KEYS = defineCommand({
  usage: `npm run keys -- create --name NAME --limit COST [--origin https://app.example]...
                                     creates a key and prints it once; COST per minute, 0 for no limit
npm run keys -- list                 lists all keys, without their secrets
npm run keys -- revoke ID            revokes a key on all gateways within seconds
`,
  allowPositionals: true,
  options: {
    name: { type: 'string' },
    limit: { type: 'string' },
    origin: { type: 'string', multiple: true },
  },
  accept({ values, positionals }): KeysCommand | null {
    const [kind, id, ...rest] = positionals;
    if (rest.length > 0) return null;
    if (kind === 'revoke') return id === undefined ? null : { kind, id };
    if (id !== undefined) return null;
    if (kind === 'list') return { kind };
    const { name = '', limit = '', origin: origins = [] } = values;
    const isValid = NAME.test(name) && /^\d{1,10}$/.test(limit) && origins.every(isOrigin);
    return kind === 'create' && isValid && Number(limit) <= MAX_LIMIT
      ? { kind, name, limit: Number(limit), origins }
      : null;
  },
});
