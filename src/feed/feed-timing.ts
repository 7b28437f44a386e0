export interface FeedTiming {
  /** Another process takes over within a tick after the lease has expired. */
  readonly leaseMs: number;
  /** A command to Redis without an answer fails after this time. */
  readonly redisTimeoutMs: number;
  /** Longest wait of one read of the feed for entries. The lease is renewed or tried as often. */
  readonly tickMs: number;
  /** Pause after a failure. */
  readonly retryMs: number;
  /** Without the feed, a gateway serves what it has for this long, then reads for itself. */
  readonly graceMs: number;
  /** A reader whose reads fail gives up its lease after this time. */
  readonly resignAfterMs: number;
  /** The same for a reader whose reads hang, in addition to the time between two reads. */
  readonly stallMs: number;
  /** A follower whose next View is overdue by this much reads for itself. */
  readonly silentMs: number;
  /** A gateway that reads for itself waits this long for the feed to catch up with it before it reads on. */
  readonly rejoinMs: number;
  /** A request for a View that has not arrived waits this long for it. */
  readonly arrivalMs: number;
}

export const FEED_TIMING: FeedTiming = {
  leaseMs: 1_500,
  redisTimeoutMs: 2_000,
  tickMs: 300,
  retryMs: 200,
  graceMs: 5_000,
  resignAfterMs: 3_000,
  stallMs: 20_000,
  silentMs: 30_000,
  rejoinMs: 10_000,
  arrivalMs: 1_000,
};
