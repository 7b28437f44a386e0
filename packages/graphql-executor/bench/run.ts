import { execute, parse } from 'graphql';
import { PlannedExecutor } from '../src/index.ts';
import { shopRoot, shopSchema } from '../test/shop-schema.ts';

/** Responses per second of CPU time of this executor and of graphql-js, in turns in one process. Prints their ratio. */
const ROUNDS = 5;
const ROUND_MS = 1_000;

const args = {
  schema: shopSchema,
  document: parse('{ shops { id name owner { id name age } products(first: 20) { id title cents tags } } }'),
  rootValue: shopRoot(50, 20),
};
const executor = new PlannedExecutor();

const CONTENDERS: Readonly<Record<string, () => Promise<string>>> = {
  'graphql-js': async () => JSON.stringify(await execute(args)),
  planned: async () => JSON.stringify(await executor.execute(args)),
};

async function perCpuSecond(answer: () => Promise<string>): Promise<number> {
  const start = process.cpuUsage();
  const end = Date.now() + ROUND_MS;
  let answers = 0;
  for (; Date.now() < end; answers += 1) await answer();
  const { user, system } = process.cpuUsage(start);
  return (answers * 1e6) / (user + system);
}

const best: Record<string, number> = {};
for (let round = 0; round < ROUNDS; round += 1) {
  for (const [name, answer] of Object.entries(CONTENDERS))
    best[name] = Math.max(best[name] ?? 0, await perCpuSecond(answer));
}
for (const [name, rate] of Object.entries(best))
  process.stdout.write(`${name.padEnd(12)} ${rate.toFixed(0).padStart(8)} answers per CPU second\n`);
process.stdout.write(
  `planned / graphql-js: ${((best.planned ?? 0) / (best['graphql-js'] ?? 1)).toFixed(2)}\n`,
);
