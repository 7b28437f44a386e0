import { Client } from 'pg';
import { startTestPglite } from './test-databases.ts';

// Writes to an embedded database until it is killed. Prints the number of each acknowledged row.
const dataDir = process.argv[2];
if (dataDir === undefined) throw new Error('usage: embedded-writer <data directory>');
const { url } = await startTestPglite(dataDir);
const client = new Client({ connectionString: url });
await client.connect();
await client.query('CREATE TABLE IF NOT EXISTS row (id INT PRIMARY KEY, filler TEXT)');
const { rows } = await client.query<{ last: number }>('SELECT coalesce(max(id), 0) AS last FROM row');
for (let id = (rows[0]?.last ?? 0) + 1; ; id += 1) {
  await client.query('INSERT INTO row VALUES ($1, $2)', [id, 'x'.repeat(500)]);
  process.stdout.write(`${id}\n`);
}
