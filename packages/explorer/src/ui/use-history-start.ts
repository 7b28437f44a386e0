import { useEffect, useRef } from 'react';
import { isHistoryStarting } from './absence.ts';
import type { PanelResult } from './panel-result.ts';

/** Generating the past of a localnet takes about half a minute. */
const AGAIN_MS = 4_000;

/** Reads a query again while history is starting: its answer has more to say in a few seconds. */
export function useHistoryStart(result: PanelResult<unknown>, enabled: boolean): void {
  const errors = [...(result.data?.errors ?? []), ...(result.error === null ? [] : [result.error])];
  const starting = enabled && isHistoryStarting(errors);
  const refetch = useRef(result.refetch);
  refetch.current = result.refetch;
  useEffect(() => {
    if (!starting) return;
    const timer = setInterval(() => void refetch.current(), AGAIN_MS);
    return () => clearInterval(timer);
  }, [starting]);
}
