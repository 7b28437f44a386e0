import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';

/**
 * Makes the production folder from a clean copy of the sources, as the Dockerfile does, and starts what is in it as a
 * user without rights: the gateway on its embedded chain, then gateway and recorder over an RPC and PostgreSQL.
 */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SERVER = process.env.TEST_DATABASE_URL ?? 'postgresql://postgres@127.0.0.1:5432/test';
/** `nobody`; who is not root stays who they are. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
const START_MS = 120_000;

const say = (line: string) => process.stdout.write(`image: ${line}\n`);

function copySources(target: string): void {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: ROOT });
  for (const file of String(listed).split('\0')) {
    if (file === '' || !existsSync(join(ROOT, file))) continue;
    mkdirSync(dirname(join(target, file)), { recursive: true });
    cpSync(join(ROOT, file), join(target, file));
  }
}

/** A program of the folder, as it runs in a container: no rights, no environment but what it is given. */
class Running {
  readonly #child: ChildProcess;
  output = '';

  constructor(
    folder: string,
    file: string,
    env: Readonly<Record<string, string>>,
    args: readonly string[] = [],
  ) {
    this.#child = spawn(process.execPath, [file, ...args], {
      cwd: folder,
      env: { NODE_ENV: 'production', LOG_LEVEL: 'warn', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...NOBODY,
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.on('data', (chunk) => {
        this.output += String(chunk);
      });
    }
  }

  /** What it says when it has got so far. */
  async says(pattern: RegExp): Promise<string> {
    const deadline = Date.now() + START_MS;
    for (;;) {
      const [, found] = pattern.exec(this.output) ?? [];
      if (found !== undefined) return found;
      if (this.#child.exitCode !== null || Date.now() > deadline) {
        throw new Error(`it did not say ${pattern}: ${this.output}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** Its exit code. */
  async ended(): Promise<number | null> {
    if (this.#child.exitCode === null) await once(this.#child, 'exit');
    return this.#child.exitCode;
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode === null) this.#child.kill('SIGTERM');
    const code = await this.ended();
    if (code !== 0) throw new Error(`it ended with ${code}: ${this.output}`);
  }
}

const URL_SAID = /(http:\/\/127\.0\.0\.1:\d+)/;

async function untilReady(url: string, wanted: (body: string) => boolean): Promise<void> {
  const deadline = Date.now() + START_MS;
  for (;;) {
    const response = await fetch(`${url}/ready`);
    const body = await response.text();
    if (response.ok && wanted(body)) return;
    if (Date.now() > deadline) throw new Error(`it is not ready: ${body}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function answers(url: string): Promise<void> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ vaults(first: 1) { nodes { name totalValue { usd } } } }' }),
  });
  const text = await response.text();
  if (!response.ok || !text.includes('"usd"') || text.includes('"errors"')) throw new Error(text);
  for (const path of ['/kvaults/vaults', '/openapi.json', '/docs', '/graphql']) {
    const { ok, status } = await fetch(`${url}${path}`, { headers: { accept: 'text/html, */*' } });
    if (!ok) throw new Error(`${path} gives ${status}`);
  }
}

/** History is being generated, or is complete. */
const SEEDING = /generating the past of the embedded chain: [1-9]|"history":\{"status":"ready"/;

/** The programs beside the gateway, as far as they get without being given work. */
async function checkCommands(app: string, data: string): Promise<void> {
  const ends = async (file: string, args: readonly string[], wanted: number) => {
    const command = new Running(app, file, { DATA_DIR: data }, args);
    const code = await command.ended();
    if (code !== wanted) throw new Error(`${file} ended with ${code}: ${command.output}`);
  };
  await ends('dist/doctor.js', [], 0);
  await ends('dist/keys.js', ['list'], 0);
  for (const name of ['import-history', 'programs-check', 'recorder']) {
    await ends(`dist/${name}.js`, ['--unknown'], 2);
  }
  say('the commands run');
}

async function checkEmbedded(app: string, data: string): Promise<void> {
  const gateway = new Running(app, 'dist/main.js', { PORT: '0', DATA_DIR: data });
  const url = await gateway.says(URL_SAID);
  await untilReady(url, () => true);
  await answers(url);
  // The threads of the database and of its past have been started.
  await untilReady(url, (body) => SEEDING.test(body));
  const alive = new Running(app, 'dist/healthcheck.js', { PORT: new URL(url).port });
  if ((await alive.ended()) !== 0) throw new Error('the health check fails beside a living gateway');
  await gateway.stop();
  const dead = new Running(app, 'dist/healthcheck.js', { PORT: new URL(url).port });
  if ((await dead.ended()) === 0) throw new Error('the health check succeeds without a gateway');
  say('the gateway answers on its embedded chain and stops when told to');
}

async function checkDatabase(app: string, databaseUrl: string): Promise<void> {
  const rpc = new Running(app, 'dist/demo-rpc.js', {}, ['--port', '0']);
  const over = { SOLANA_RPC_URLS: await rpc.says(URL_SAID), SOLANA_CLUSTER: 'localnet' };
  const env = { ...over, DATABASE_URL: databaseUrl };
  const recorder = new Running(app, 'dist/recorder.js', env);
  const gateway = new Running(app, 'dist/main.js', { ...env, PORT: '0' });
  const url = await gateway.says(URL_SAID);
  await recorder.says(/(recording)/);
  await untilReady(url, (body) => /"lagMs":\d/.test(body));
  await answers(url);
  await gateway.stop();
  await recorder.stop();
  await rpc.stop();
  say('the gateway answers over an RPC, and reads from PostgreSQL what the recorder wrote');
}

async function withDatabase(use: (url: string) => Promise<void>): Promise<void> {
  const name = `sluice_image_${randomBytes(6).toString('hex')}`;
  const admin = new Client({ connectionString: SERVER, connectionTimeoutMillis: 5_000 });
  try {
    await admin.connect();
  } catch (error) {
    if (process.env.CI === 'true') throw error;
    say('no PostgreSQL: what needs it is left out');
    return;
  }
  try {
    await admin.query(`CREATE DATABASE ${name}`);
    const url = new URL(SERVER);
    url.pathname = `/${name}`;
    await use(url.href);
  } finally {
    await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await admin.end();
  }
}

const folder = mkdtempSync(join(tmpdir(), 'sluice-image-'));
try {
  chmodSync(folder, 0o755);
  const [sources, app, data] = [join(folder, 'src'), join(folder, 'app'), join(folder, 'data')];
  copySources(sources);
  execFileSync('sh', ['scripts/image.sh', app], { cwd: sources, stdio: ['ignore', 'ignore', 'inherit'] });
  const [size] = String(execFileSync('du', ['-sm', app])).split('\t');
  say(`made, ${size} MB`);
  mkdirSync(data);
  if (NOBODY.uid !== undefined) chownSync(data, NOBODY.uid, NOBODY.gid);
  await checkEmbedded(app, data);
  await checkCommands(app, data);
  await withDatabase((url) => checkDatabase(app, url));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
