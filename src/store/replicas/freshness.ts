/**
 * The state of the database that a read needs.
 *
 * - `newest`: everything that is committed. Read from the primary alone. For what this process or a request has just written
 *   or checked: transactions, cursors, keys, alerts, leases, and lists whose cursors name their state.
 * - `recorded`: series and facts that a recorder writes once a minute. A replica may answer if it has replayed everything that
 *   was committed `maxLagMs` ago, and everything that this process has already shown. See `ReadLane`.
 */
export type Freshness = 'newest' | 'recorded';
