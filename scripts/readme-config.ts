import { readFileSync, writeFileSync } from 'node:fs';
import { VARIABLES } from '../src/config/config.ts';

/** Writes the settings' table into the README, between its two marks. */
const file = new URL('../README.md', import.meta.url);
const rows = Object.entries(VARIABLES).map(
  ([name, { fallback, meaning }]) =>
    `| \`${name}\` | ${fallback === '' ? '' : `\`${fallback}\``} | ${meaning} |`,
);
const table = ['| Variable | Default | Meaning |', '|---|---|---|', ...rows].join('\n');
const [before = '', rest = ''] = readFileSync(file, 'utf8').split('<!-- settings -->');
const [, after = ''] = rest.split('<!-- /settings -->');
writeFileSync(file, `${before}<!-- settings -->\n${table}\n<!-- /settings -->${after}`);
