// Selects the tab that is open when the page is loaded again. GraphiQL matches the query and variables in local storage
// against its stored tabs, and adds an empty tab when none matches. This script stores those of the query in the
// URL, or of the tab that was open last. On a first visit with a query in the URL, GraphiQL would show only the examples, so
// the examples are stored as tabs and the query gets a tab next to them.
{
  const store = (name, value) => {
    if (value) localStorage.setItem(`graphiql:${name}`, value);
    else localStorage.removeItem(`graphiql:${name}`);
  };
  const exampleTab = ({ query, variables = null }, index) => ({
    id: `prepared-${index}`,
    hash: null,
    title: /\w+ (\w+)/.exec(query.replace(/^#.*/gm, ''))?.[1] ?? '<untitled>',
    query,
    variables,
    headers: null,
    operationName: null,
    response: null,
  });
  try {
    const urlQuery = new URL(location.href).searchParams.get('query');
    const stored = JSON.parse(localStorage.getItem('graphiql:tabState'));
    if (stored === null && urlQuery !== null) {
      const tabs = exampleTabs.map(exampleTab);
      store('tabState', JSON.stringify({ tabs, activeTabIndex: 0 }));
    }
    const lastOpen = stored?.tabs[stored.activeTabIndex];
    const open =
      urlQuery === null || lastOpen?.query === urlQuery
        ? lastOpen
        : stored?.tabs.find(({ query }) => query === urlQuery);
    for (const name of ['query', 'variables']) store(name, open?.[name]);
    // An earlier version stored headers, which may hold an API key.
    store('headers', null);
  } catch {
    // Local storage is disabled, or holds something else: GraphiQL starts with its defaults.
  }
}
