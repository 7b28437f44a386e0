import { readFileSync } from 'node:fs';
import { Random } from '@sluice/localnet/world/prng';
import { queryLimitsOf } from '../../src/app/parts.ts';
import { loadConfig } from '../../src/config/config.ts';
import { schema } from '../../src/graphql/schema.ts';
import { type BystanderOptions, disturbed, type Effect, undisturbed } from './bystander.ts';
import { climb, type Goal } from './climb.ts';
import { CORPUS_KINDS, corpusTargets, isInCorpus, kindOf, writeCorpus } from './corpus.ts';
import { withEffects } from './effects.ts';
import { measureFlood } from './flood.ts';
import { type Knobs, SCALAR_START, STARTS } from './knobs.ts';
import { type ListedTool, mcpMessage, mcpTargets } from './mcp-targets.ts';
import { Probe, type Reading } from './probe.ts';
import { benchProcess, type ProbedGateway, startProbedGateway } from './probed-gateway.ts';
import { dearest, type Finding } from './report.ts';
import { type OpenApi, restTargets } from './rest-targets.ts';
import { Clients, Sender } from './send.ts';
import { graphTargets, type Target } from './targets.ts';

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
  /** Time for everything. Targets are then taken in random order, as many as fit; null takes all. */
  readonly minutes: number | null;
  /** Whether to flood the gateway with reads that go on after their answers. */
  readonly floods: boolean;
  /** Folder to add the worst requests to, in the format of the corpus; null adds none. */
  readonly corpus: string | null;
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
/** Requests of each kind that a search adds to the corpus. */
const ADDED_PER_KIND = 5;
const CONFIRM_MS = 400;
/** Shorter measurements are mostly noise. */
const MEASURE_MS = 100;
const WARM_UP_MS = 3_000;
/** About 250 pages beside an attack, so that p99 is not the slowest one. */
const BROWSE_MS = 8_000;

/** Of the time for everything; the rest is for the requests that are run beside another client. */
const SEARCH_SHARE = 0.6;

/** Searches the dearest permitted request of every field, stream, operation and tool, then runs the worst beside a client. */
export async function searchAbuse(options: SearchOptions): Promise<Searched> {
  const gateway = await startProbedGateway();
  const started = performance.now();
  const isWithin = (share: number) =>
    options.minutes === null || performance.now() - started < share * options.minutes * 60_000;
  const [sender, clients] = [new Sender(gateway.url, gateway.world.url), new Clients()];
  const browser = benchProcess('browse-process.ts');
  const bystander = { gateway, sender, clients, browser, browseMs: BROWSE_MS };
  try {
    const targets = inOrder(await targetsOf(gateway), options).filter(
      ({ name }) => options.only.length === 0 || options.only.some((part) => name.includes(part)),
    );
    await undisturbed({ ...bystander, browseMs: WARM_UP_MS });
    const alone = await undisturbed(bystander);
    if (options.floods) await measureFlood(bystander);
    const probe = await Probe.start(gateway, sender, clients);
    const known = options.found === null ? null : worthRepeating(options.found, targets, options.rows);
    const wanted = targets.filter(({ name }) => known?.has(name) ?? true);
    const findings: Finding[] = [];
    for (const [done, target] of wanted.entries()) {
      if (!isWithin(SEARCH_SHARE)) break;
      await gateway.forget();
      const best = known?.get(target.name) ?? (await climbed(probe, target, options));
      findings.push(...(await confirmed(probe, target, best)));
      options.onFound(findings, done + 1, wanted.length);
    }
    const run = await besideAnother(bystander, targets, findings, {
      rows: options.rows,
      goesOn: () => isWithin(1),
    });
    if (options.corpus !== null) addToCorpus(options.corpus, targets, run);
    return { alone, findings: run };
  } finally {
    browser.disconnect();
    sender.close();
    await gateway.stop();
  }
}

async function targetsOf({ url, world }: ProbedGateway): Promise<Target[]> {
  const openApi = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as OpenApi;
  const limits = queryLimitsOf(loadConfig({}));
  const { cast } = world;
  return [
    ...corpusTargets(),
    ...restTargets(openApi, cast),
    ...mcpTargets(await listedTools(url), { schema, cast, limits }),
    ...graphTargets({ schema, cast }, limits),
  ];
}

async function listedTools(url: string): Promise<readonly ListedTool[]> {
  const { target, body, accept = '' } = mcpMessage('tools/list', {});
  const headers = { 'content-type': 'application/json', accept };
  const response = await fetch(`${url}${target}`, { method: 'POST', headers, body });
  return ((await response.json()) as { result: { tools: ListedTool[] } }).result.tools;
}

/** The corpus first, then in random order if there is not time for all. */
function inOrder(targets: readonly Target[], { minutes, seed }: SearchOptions): readonly Target[] {
  if (minutes === null) return targets;
  const rank = new Map(
    targets.map((target) => [
      target,
      isInCorpus(target) ? -1 : new Random('order', seed, target.name).uint32(),
    ]),
  );
  return [...targets].sort((a, b) => (rank.get(a) ?? 0) - (rank.get(b) ?? 0));
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

const targetNamed = (targets: readonly Target[], { target: name }: Finding): Target => {
  const target = targets.find((each) => each.name === name);
  if (target === undefined) throw new Error(`${name} was not searched`);
  return target;
};

/** The corpus and the worst of each goal, run beside another client. */
async function besideAnother(
  bystander: BystanderOptions,
  targets: readonly Target[],
  findings: readonly Finding[],
  { rows, goesOn }: { readonly rows: number; readonly goesOn: () => boolean },
): Promise<Finding[]> {
  const targetOf = (finding: Finding) => targetNamed(targets, finding);
  const worst = worstOf(findings, targetOf, rows);
  return await withEffects(
    findings,
    (finding) => goesOn() && (worst.has(finding) || isInCorpus(targetOf(finding))),
    (finding) => disturbed(bystander, targetOf(finding), finding.knobs),
  );
}

/** Streams are ranked by themselves: they are charged when they are opened. */
function worstOf(
  findings: readonly Finding[],
  targetOf: (finding: Finding) => Target,
  rows: number,
): ReadonlySet<Finding> {
  const streams = findings.filter((finding) => targetOf(finding).isStream);
  const answers = findings.filter((finding) => !targetOf(finding).isStream);
  return new Set(
    [answers, streams].flatMap((list) => [
      ...dearest(list, 'processor', rows),
      ...dearest(list, 'rpc', rows),
    ]),
  );
}

/** The worst of each kind of request: what blocked the loop or delayed the other client most, then what cost most. */
function addToCorpus(folder: string, targets: readonly Target[], findings: readonly Finding[]): void {
  const delay = ({ effect }: Finding) => Math.max(effect?.pageP99Ms ?? 0, effect?.loopStretchMs ?? 0);
  const found = findings
    .filter((finding) => finding.effect !== null && !isInCorpus(targetNamed(targets, finding)))
    .sort((a, b) => delay(b) - delay(a))
    .map((finding) => {
      const { name, isStream, attack } = targetNamed(targets, finding);
      return { name, isStream, request: attack(finding.knobs, 1) };
    });
  // Both goals may have found a request.
  const once = found.filter(({ name }, i) => found.findIndex((each) => each.name === name) === i);
  const added = CORPUS_KINDS.flatMap((kind) =>
    once.filter((each) => kindOf(each) === kind).slice(0, ADDED_PER_KIND),
  );
  writeCorpus(folder, added);
}
