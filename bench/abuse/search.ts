import { readFileSync } from 'node:fs';
import { Random } from '@sluice/localnet/world/prng';
import { queryLimitsOf } from '../../src/app/parts.ts';
import { loadConfig } from '../../src/config/config.ts';
import { schema } from '../../src/graphql/schema.ts';
import { type BystanderOptions, disturbed, type Effect, undisturbed } from './bystander.ts';
import { climb, type Goal } from './climb.ts';
import { withEffects } from './effects.ts';
import { type Knobs, SCALAR_START, STARTS } from './knobs.ts';
import { Probe, type Reading } from './probe.ts';
import { benchProcess, startProbedGateway } from './probed-gateway.ts';
import { dearest, type Finding } from './report.ts';
import { type OpenApi, restTargets } from './rest-targets.ts';
import { Clients, Sender } from './send.ts';
import { graphTargets, type Target } from './targets.ts';
import type { AbuseWorld } from './world-process.ts';

export interface SearchOptions {
  /** Time to search for the dearest request of one field. */
  readonly seconds: number;
  /** How many of the dearest requests of each goal are run beside another client. */
  readonly rows: number;
  /** Only targets whose name contains one of these; all if empty. */
  readonly only: readonly string[];
  readonly seed: number;
  /** What an earlier search found. It is measured again instead of searching; null searches. */
  readonly found: readonly Found[] | null;
  /** Called with the findings so far. */
  readonly onFound: (findings: readonly Finding[], done: number, of: number) => void;
}

/** What an earlier search has to tell: which request was the dearest of a target. */
export type Found = Pick<Finding, 'target' | 'goal' | 'knobs' | 'reading'>;

export interface Searched {
  readonly alone: Effect;
  readonly findings: readonly Finding[];
}

type GoalName = Finding['goal'];

const GOALS: readonly Goal<Reading, GoalName>[] = [
  { name: 'processor', of: ({ cpuMsPerUnit }) => finite(cpuMsPerUnit) },
  { name: 'rpc', of: ({ rpcCallsPerUnit }) => finite(rpcCallsPerUnit) },
];
/** A request that was charged nothing was refused or not counted. */
const finite = (value: number) => (Number.isFinite(value) ? value : 0);
/** A stream has to be watched for several seconds each time. */
const STREAM_PATIENCE = 15;
const CONFIRM_MS = 400;
/** Shorter measurements are mostly noise. */
const MEASURE_MS = 100;
const WARM_UP_MS = 3_000;
/** About 250 pages beside an attack, so that p99 is not the slowest one. */
const BROWSE_MS = 8_000;

/** Searches the dearest permitted request of every field, stream and REST operation, then runs the worst beside a client. */
export async function searchAbuse(options: SearchOptions): Promise<Searched> {
  const gateway = await startProbedGateway();
  const [sender, clients] = [new Sender(gateway.url), new Clients()];
  const browser = benchProcess('browse-process.ts');
  const bystander = { gateway, sender, clients, browser, browseMs: BROWSE_MS };
  try {
    const targets = targetsIn(gateway.world).filter(
      ({ name }) => options.only.length === 0 || options.only.some((part) => name.includes(part)),
    );
    await undisturbed({ ...bystander, browseMs: WARM_UP_MS });
    const alone = await undisturbed(bystander);
    const probe = await Probe.start(gateway, sender, clients);
    const known = options.found === null ? null : worthRepeating(options.found, targets, options.rows);
    const wanted = targets.filter(({ name }) => known?.has(name) ?? true);
    const findings: Finding[] = [];
    for (const [done, target] of wanted.entries()) {
      await gateway.forget();
      const best = known?.get(target.name) ?? (await climbed(probe, target, options));
      findings.push(...(await confirmed(probe, target, best)));
      options.onFound(findings, done + 1, wanted.length);
    }
    return { alone, findings: await besideAnother(bystander, targets, findings, options.rows) };
  } finally {
    browser.disconnect();
    sender.close();
    await gateway.stop();
  }
}

function targetsIn({ cast }: AbuseWorld): Target[] {
  const openApi = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as OpenApi;
  return [
    ...restTargets(openApi, cast),
    ...graphTargets({ schema, cast, now: Date.now() }, queryLimitsOf(loadConfig({}))),
  ];
}

type Best = ReadonlyMap<GoalName, { readonly knobs: Knobs; readonly reading?: Reading }>;

async function climbed(probe: Probe, target: Target, { seconds, seed }: SearchOptions): Promise<Best> {
  const measured = { permissible: (knobs: Knobs) => target.permissible(knobs), goals: GOALS };
  const random = new Random('abuse', seed, target.name);
  if (target.isPlain) {
    const measure = (knobs: Knobs) => probe.measure(target, knobs, CONFIRM_MS);
    return await climb({ ...measured, starts: [SCALAR_START], measure, random, goesOn: () => false });
  }
  const until = performance.now() + seconds * 1_000 * (target.isStream ? STREAM_PATIENCE : 1);
  const best = await climb({
    ...measured,
    starts: STARTS,
    measure: (knobs) => probe.measure(target, knobs, MEASURE_MS),
    random,
    // However slow the machine, every field gets its starts.
    goesOn: (tries) => tries < STARTS.length || performance.now() < until,
  });
  return new Map([...best].map(([goal, { knobs }]) => [goal, { knobs }]));
}

/** The best of many noisy readings is too high, so what is reported is measured again. */
async function confirmed(probe: Probe, target: Target, best: Best): Promise<Finding[]> {
  const readings = new Map<Knobs, Reading>();
  const findings: Finding[] = [];
  for (const [goal, { knobs, reading: known }] of best) {
    const reading = known ?? readings.get(knobs) ?? (await probe.measure(target, knobs, CONFIRM_MS));
    readings.set(knobs, reading);
    const { method, target: path, body } = target.attack(knobs, 1);
    const request = body === null ? `${method} ${path}` : `${method} ${path} ${body}`;
    findings.push({ target: target.name, goal, knobs, reading, request, effect: null });
  }
  return findings;
}

/** The dearest of an earlier search and all its streams, made permissible by today's limits. */
function worthRepeating(
  found: readonly Found[],
  targets: readonly Target[],
  rows: number,
): ReadonlyMap<string, Best> {
  const worst = new Set([...dearest(found, 'processor', rows), ...dearest(found, 'rpc', rows)]);
  const best = new Map<string, Best>();
  for (const target of targets) {
    const own = found.filter((each) => each.target === target.name && (target.isStream || worst.has(each)));
    const permissible = own.flatMap(({ goal, knobs }) => {
      const now = target.permissible(knobs);
      return now === null ? [] : [[goal, { knobs: now }] as const];
    });
    if (permissible.length > 0) best.set(target.name, new Map(permissible));
  }
  return best;
}

/** The worst of each goal and all streams, run beside another client. */
async function besideAnother(
  bystander: BystanderOptions,
  targets: readonly Target[],
  findings: readonly Finding[],
  rows: number,
): Promise<Finding[]> {
  const byName = new Map(targets.map((target) => [target.name, target]));
  const targetOf = ({ target: name }: Finding): Target => {
    const target = byName.get(name);
    if (target === undefined) throw new Error(`${name} was not searched`);
    return target;
  };
  const worst = new Set([...dearest(findings, 'processor', rows), ...dearest(findings, 'rpc', rows)]);
  return await withEffects(
    findings,
    (finding) => worst.has(finding) || targetOf(finding).isStream,
    (finding) => disturbed(bystander, targetOf(finding), finding.knobs),
  );
}
