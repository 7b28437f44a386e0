import { UNIX_SECONDS } from '../constants.ts';

const SystemDate = Date;

class FixedDate extends SystemDate {
  constructor() {
    super(Number(UNIX_SECONDS) * 1000);
  }

  static override now(): number {
    return Number(UNIX_SECONDS) * 1000;
  }
}

/** Runs with the one moment that the cases agree on: some of the SDK's answers depend on the system's clock. */
export function atFixedTime<T>(run: () => T): T {
  globalThis.Date = FixedDate as DateConstructor;
  try {
    return run();
  } finally {
    globalThis.Date = SystemDate;
  }
}
