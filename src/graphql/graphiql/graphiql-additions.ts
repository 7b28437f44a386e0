import type { GraphiQLOptions } from 'graphql-yoga';

/**
 * Tabs can be dragged, for which their row takes the pointer; newer browsers then send the click to the row instead of the
 * tab, and nothing happens. The click is handed to what was pressed.
 */
const TAB_CLICKS = `
let pressed = null;
addEventListener('pointerdown', ({ target }) => {
  pressed = target.closest?.('.graphiql-tab-button, .graphiql-tab-close');
}, true);
addEventListener('click', ({ target, isTrusted }) => {
  if (isTrusted && pressed && target.matches?.('.graphiql-tabs, .graphiql-tab')) pressed.click();
}, true);
`;

/**
 * Which tab is open when the page is loaded again: GraphiQL goes by query, variables and headers that it has noted apart, and
 * makes an empty tab where they are not those of any. So they are those of the query in the address, or of the tab that was
 * open. Who comes for the first time with a query in the address would see the prepared ones alone: it is put beside them.
 */
const OPEN_TAB = `
(prepared) => {
  const note = (name, value) => {
    if (value) localStorage.setItem('graphiql:' + name, value);
    else localStorage.removeItem('graphiql:' + name);
  };
  try {
    const asked = new URL(location.href).searchParams.get('query');
    const stored = JSON.parse(localStorage.getItem('graphiql:tabState'));
    if (stored === null && asked !== null) {
      const tabs = prepared.map(({ query, variables = null }, i) => ({
        id: 'prepared-' + i, hash: null, title: /\\w+ (\\w+)/.exec(query.replace(/^#.*/gm, ''))?.[1] ?? '<untitled>',
        query, variables, headers: null, operationName: null, response: null,
      }));
      note('tabState', JSON.stringify({ tabs, activeTabIndex: 0 }));
    }
    const open = stored?.tabs[stored.activeTabIndex];
    const shown = asked === null || open?.query === asked ? open : stored?.tabs.find(({ query }) => query === asked);
    for (const name of ['query', 'variables', 'headers']) note(name, shown?.[name]);
  } catch {
    // What is stored is not GraphiQL's, or nothing may be: it begins anew.
  }
}`;

/** The window is filled exactly, and parts of the editors that are out of sight would make it scroll. */
const NO_SCROLLING = 'html, body { overflow: hidden; }';

/** What the page has beside GraphiQL itself; before it, as it goes by what is stored when it starts. */
export function additions({ defaultTabs = [] }: GraphiQLOptions): string {
  // No text in it ends the script.
  const prepared = JSON.stringify(defaultTabs).replaceAll('<', '\\u003c');
  return `<style>${NO_SCROLLING}</style><script>${TAB_CLICKS}(${OPEN_TAB})(${prepared});</script>`;
}
