#!/usr/bin/env node
// Replaces the schema engine binary that Prisma's CLI would download. Speaks the engine's JSON-RPC on stdin and stdout
// and runs its WebAssembly build over the `pg` driver. Configured in prisma.config.ts.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { PrismaPg } from '@prisma/adapter-pg';
import * as engineGlue from '@prisma/schema-engine-wasm/schema_engine_bg';
import { Pool } from 'pg';

const require = createRequire(import.meta.url);
// Must be the same copy that the adapter uses, because errors are recognised by class.
const { bindMigrationAwareSqlAdapterFactory } = createRequire(require.resolve('@prisma/adapter-pg'))(
  '@prisma/driver-adapter-utils',
);

const TEXT = 25;
/** System catalogue types that the adapter does not know; they are sent as text. */
const TEXT_LIKE = new Map([[18, TEXT]]);
/** Prisma's code for "cannot reach the server"; the default for unknown errors. */
const UNREACHABLE = 'P1001';
const CODES = { '3D000': 'P1003', '28P01': 'P1000', 28000: 'P1010', '42P04': 'P1009' };

const { values, positionals } = parseArgs({
  options: {
    datamodels: { type: 'string', multiple: true, default: [] },
    datasource: { type: 'string', default: '{}' },
    'enabled-preview-features': { type: 'string' },
    'extension-types': { type: 'string' },
  },
  allowPositionals: true,
});
const url = JSON.parse(values.datasource).url ?? '';

/** A pool of one connection, so that session locks and settings apply to later statements. */
const poolOf = (connectionString) => new Pool({ connectionString, max: 1, allowExitOnIdle: true });

function withDatabase(name) {
  const other = new URL(url);
  other.pathname = `/${name}`;
  return other.href;
}

async function once(connectionString, statement) {
  const pool = poolOf(connectionString);
  try {
    await pool.query(statement);
  } finally {
    await pool.end();
  }
}

/** Fixes the adapter, which splits scripts at every semicolon, even in comments, and rejects catalogue types. */
async function connect(connectionString, afterwards) {
  const pool = poolOf(connectionString);
  const adapter = await new PrismaPg(pool).connect();
  adapter.executeScript = async (script) => {
    try {
      await pool.query(script);
    } catch (error) {
      adapter.onError(error);
    }
  };
  adapter.dispose = async () => {
    await pool.end();
    await afterwards?.();
  };
  const start = adapter.startTransaction.bind(adapter);
  adapter.startTransaction = async (level) => readCatalogue(await start(level));
  return readCatalogue(adapter);
}

function readCatalogue(queryable) {
  const perform = queryable.performIO.bind(queryable);
  queryable.performIO = async (query) => {
    const result = await perform(query);
    for (const field of result.fields ?? []) {
      field.dataTypeID = TEXT_LIKE.get(field.dataTypeID) ?? field.dataTypeID;
    }
    return result;
  };
  return queryable;
}

/** With a connection URL, the adapter would use the real database as shadow database. */
async function connectToShadowDb() {
  const name = `prisma_migrate_shadow_db_${randomUUID()}`;
  await once(url, `CREATE DATABASE "${name}"`);
  return connect(withDatabase(name), () => once(url, `DROP DATABASE "${name}"`));
}

async function startEngine() {
  const file = require.resolve('@prisma/schema-engine-wasm/schema_engine_bg').replace(/\.js$/, '.wasm');
  const module = new WebAssembly.Module(readFileSync(file));
  const { exports } = new WebAssembly.Instance(module, { './schema_engine_bg.js': engineGlue });
  engineGlue.__wbg_set_wasm(exports);
  exports.__wbindgen_start();
  const factory = {
    provider: 'postgres',
    adapterName: '@prisma/adapter-pg',
    connect: () => connect(url),
    connectToShadowDb,
  };
  const datamodels = values.datamodels.map((path) => [path, readFileSync(path, 'utf8')]);
  const options = { datamodels: datamodels.length > 0 ? datamodels : undefined };
  return engineGlue.SchemaEngine.new(options, () => {}, bindMigrationAwareSqlAdapterFactory(factory));
}

const write = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

let engine;

async function call(method, params) {
  if (method === 'createDatabase') return createDatabase();
  engine ??= startEngine();
  const running = await engine;
  if (method === 'getDatabaseVersion') return running.version(params);
  const result = await running[method](params);
  if (method !== 'diff' || !result.stdout) return result ?? null;
  // The CLI reads a diff from the engine's output.
  write({ id: 0, method: 'print', params: { content: result.stdout.trimEnd() } });
  return { ...result, stdout: null };
}

async function answer(line) {
  const { id, method, params } = JSON.parse(line);
  if (method === undefined) return;
  try {
    write({ id, result: (await call(method, params)) ?? null });
  } catch (error) {
    const { code, message } = knownError(error);
    const data = { is_panic: false, message, ...(code === undefined ? {} : { error_code: code }) };
    write({
      id,
      error: { code: 4466, message: 'An error happened. Check the data field for details.', data },
    });
  }
}

function knownError(error) {
  const message = String(error?.message ?? error);
  return { code: typeof error?.code === 'string' ? error.code : undefined, message };
}

async function createDatabase() {
  const databaseName = decodeURIComponent(new URL(url).pathname.slice(1));
  await once(withDatabase('postgres'), `CREATE DATABASE "${databaseName.replaceAll('"', '""')}"`);
  return { databaseName };
}

const COMMANDS = {
  'can-connect-to-database': () => once(url, 'SELECT 1'),
  'create-database': createDatabase,
};

async function runCommand(name) {
  try {
    await COMMANDS[name]();
  } catch (error) {
    const { host } = new URL(url);
    const message = `Can't use the database server at ${host}: ${error.code ?? error.message}`;
    const fields = { error_code: CODES[error.code] ?? UNREACHABLE, message };
    const line = { level: 'ERROR', target: 'schema_engine::logger', fields };
    // The CLI skips the first line.
    process.stderr.write(`\n${JSON.stringify(line)}`);
    process.exitCode = 1;
  }
}

if (positionals[0] === 'cli') await runCommand(positionals[1]);
else {
  let last = Promise.resolve();
  createInterface({ input: process.stdin }).on('line', (line) => {
    last = last.then(() => answer(line));
  });
}
