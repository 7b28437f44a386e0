import { beforeEach, vi } from 'vitest';
import { scheduler } from '../../../src/node/cooperative-scheduler.ts';

/**
 * For tests that count statements or RPC calls. A query of more than fifty objects pauses when its turn is over, and a pause
 * divides its reads; where that is depends on how busy the machine is.
 */
export function withoutPauses(): void {
  beforeEach(() => {
    const isOver = vi.spyOn(scheduler, 'isOver', 'get').mockReturnValue(false);
    return () => isOver.mockRestore();
  });
}
