/** Runs one bench by name: `npm run bench -- decode`. Each prints its own table of ratios, measured in one run. */
const BENCHES: Readonly<Record<string, () => Promise<{ run: (args: readonly string[]) => Promise<void> }>>> =
  {
    decode: () => import('./decode.ts'),
    view: () => import('./view.ts'),
    graph: () => import('./graph.ts'),
    build: () => import('./build.ts'),
    rest: () => import('./rest.ts'),
    execute: () => import('./execute.ts'),
    transactions: () => import('./transactions.ts'),
    history: () => import('./history.ts'),
    peers: () => import('./peers.ts'),
    growth: () => import('./growth.ts'),
    load: () => import('./load.ts'),
    idle: () => import('./idle.ts'),
    soak: () => import('./soak.ts'),
    abuse: () => import('./abuse.ts'),
    feed: () => import('./feed.ts'),
    explorer: () => import('./explorer.ts'),
    risk: () => import('./risk.ts'),
    replicas: () => import('./replicas.ts'),
    positions: () => import('./positions.ts'),
    stream: () => import('./stream.ts'),
  };

const [name = '', ...args] = process.argv.slice(2);
const load = BENCHES[name];
if (load === undefined) {
  process.stderr.write(`usage: npm run bench -- ${Object.keys(BENCHES).join(' | ')}\n`);
  process.exitCode = 2;
} else {
  const bench = await load();
  await bench.run(args);
}
