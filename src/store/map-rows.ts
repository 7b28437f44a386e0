import { WorkBudget } from '../node/work-budget.ts';
import type { Row } from './rows.ts';
import type { Sql } from './sql.ts';

const GATEWAY = new WorkBudget();

/** The account of a statement. */
export const workOf = ({ work = GATEWAY }: Sql) => work;

/** Reads the rows of a statement in turns of its caller. They were drawn when they arrived. */
export const mapRows = <T>(sql: Sql, rows: readonly Row[], toResult: (row: Row) => T): Promise<T[]> =>
  workOf(sql).map(rows, 0, toResult);
