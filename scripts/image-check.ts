import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { checkAnswers, LISTENING, ProgramProcess, untilReady } from './program-process.ts';

/**
 * Creates the production folder as the Dockerfile does, and runs it as an unprivileged user: the gateway on its embedded
 * chain, then gateway and recorder with an RPC and PostgreSQL. Its argument is a copy of the sources in which `npm ci` has
 * run; that copy is of no use afterwards.
 */
const SERVER = process.env.TEST_DATABASE_URL ?? 'postgresql://postgres@127.0.0.1:5432/test';
/** User `nobody` when run as root; otherwise the current user. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

const log = (line: string) => process.stdout.write(`image: ${line}\n`);

/** Runs a program of the production folder as a container does. */
const run = (
  folder: string,
  file: string,
  env: Readonly<Record<string, string>>,
  args: readonly string[] = [],
) =>
  new ProgramProcess({
    args: [file, ...args],
    cwd: folder,
    env: { NODE_ENV: 'production', LOG_LEVEL: 'warn', ...env },
    ...NOBODY,
  });

/** History is being generated, or is complete. */
const SEEDING = /generating the past of the localnet: [1-9]|"history":\{"status":"ready"/;

/** Starts every other command, without real work. */
async function checkCommands(app: string, data: string): Promise<void> {
  const ends = async (file: string, args: readonly string[], wanted: number) => {
    const command = run(app, file, { DATA_DIR: data }, args);
    const code = await command.ended();
    if (code !== wanted) throw new Error(`${file} ended with ${code}: ${command.output}`);
  };
  await ends('dist/doctor.js', [], 0);
  await ends('dist/keys.js', ['list'], 0);
  for (const name of ['import-history', 'programs-check', 'recorder']) {
    await ends(`dist/${name}.js`, ['--unknown'], 2);
  }
  log('the commands run');
}

async function checkEmbedded(app: string, data: string): Promise<void> {
  const gateway = run(app, 'dist/main.js', { PORT: '0', DATA_DIR: data, LOCALNET: 'on' });
  const url = await gateway.says(LISTENING);
  await untilReady(url);
  await checkAnswers(url);
  // A history status shows that the database and history threads run.
  await untilReady(url, (body) => SEEDING.test(body));
  const alive = run(app, 'dist/healthcheck.js', { PORT: new URL(url).port });
  if ((await alive.ended()) !== 0) throw new Error('the health check fails while the gateway runs');
  await gateway.stop();
  const dead = run(app, 'dist/healthcheck.js', { PORT: new URL(url).port });
  if ((await dead.ended()) === 0) throw new Error('the health check succeeds without a gateway');
  log('the gateway answers on its localnet and stops on SIGTERM');
}

async function checkDatabase(app: string, databaseUrl: string): Promise<void> {
  const rpc = run(app, 'dist/localnet.js', {}, ['--port', '0']);
  const over = { SOLANA_RPC_URLS: await rpc.says(LISTENING), SOLANA_CLUSTER: 'localnet' };
  const env = { ...over, DATABASE_URL: databaseUrl };
  const recorder = run(app, 'dist/recorder.js', env);
  const gateway = run(app, 'dist/main.js', { ...env, PORT: '0' });
  const url = await gateway.says(LISTENING);
  await recorder.says(/(recording)/);
  await untilReady(url, (body) => /"lagMs":\d/.test(body));
  await checkAnswers(url);
  await gateway.stop();
  await recorder.stop();
  await rpc.stop();
  log('the gateway answers over an RPC, and reads from PostgreSQL what the recorder wrote');
}

async function withDatabase(use: (url: string) => Promise<void>): Promise<void> {
  const name = `sluice_image_${randomBytes(6).toString('hex')}`;
  const admin = new Client({ connectionString: SERVER, connectionTimeoutMillis: 5_000 });
  try {
    await admin.connect();
  } catch (error) {
    if (process.env.CI === 'true') throw error;
    log('no PostgreSQL: skipped the checks that need it');
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

const [sources] = process.argv.slice(2);
if (sources === undefined)
  throw new Error('usage: tsx scripts/image-check.ts <installed copy of the sources>');
const folder = mkdtempSync(join(tmpdir(), 'sluice-image-'));
try {
  chmodSync(folder, 0o755);
  const [app, data] = [join(folder, 'app'), join(folder, 'data')];
  execFileSync('sh', ['scripts/image.sh', app], { cwd: sources, stdio: ['ignore', 'ignore', 'inherit'] });
  const [size] = String(execFileSync('du', ['-sm', app])).split('\t');
  log(`created, ${size} MB`);
  const unneeded = ['@sluice/client', 'gql.tada', 'react', 'typescript', 'vite'].filter((name) =>
    existsSync(join(app, 'node_modules', name)),
  );
  if (unneeded.length > 0) throw new Error(`not needed in production: ${unneeded.join(', ')}`);
  mkdirSync(data);
  if (NOBODY.uid !== undefined) chownSync(data, NOBODY.uid, NOBODY.gid);
  await checkEmbedded(app, data);
  await checkCommands(app, data);
  await withDatabase((url) => checkDatabase(app, url));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
