/** The PostgreSQL server that tests create their databases on. */
export const SERVER = process.env.TEST_DATABASE_URL ?? 'postgresql://postgres@127.0.0.1:5432/test';

/** Names of all databases of one test run begin with this. Workers are children of the process that runs the tests. */
export const runPrefix = (runnerPid: number) => `sluice_test_${runnerPid}_`;
