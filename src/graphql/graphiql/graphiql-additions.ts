import { readFileSync } from 'node:fs';
import type { GraphiQLOptions } from 'graphql-yoga';
import { CODE_FOLDER } from '../../node/package-files.ts';

const folder = new URL('graphql/graphiql/', CODE_FOLDER);

function asset(file: string): string {
  return readFileSync(new URL(file, folder), 'utf8');
}

/** Our styles and scripts. They precede GraphiQL's own script, which reads local storage when it starts. */
export function additions({ defaultTabs = [] }: GraphiQLOptions): string {
  // Escaped, so that no text of a tab can close the script element.
  const exampleTabs = JSON.stringify(defaultTabs).replaceAll('<', '\\u003c');
  return [
    `<style>${asset('page.css')}</style>`,
    `<script>const exampleTabs = ${exampleTabs};</script>`,
    `<script>${asset('tab-clicks.js')}</script>`,
    `<script>${asset('open-tab.js')}</script>`,
  ].join('');
}
