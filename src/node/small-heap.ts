import { setFlagsFromString } from 'node:v8';

const GROWING_PERCENT = 100;

/**
 * Collects garbage when the heap has doubled since the last collection. By default V8 waits until it is up to four times as
 * large. Costs processor time, so it is for gateways on somebody's own machine.
 */
export function keepHeapSmall(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWING_PERCENT}`);
}
