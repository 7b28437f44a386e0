import { useEffect, useState } from 'react';

/** A value that has not changed for a while, so that a slider or a key does not ask for each of its steps. */
export function useSettled<Input>(value: Input, delayMs = 300): Input {
  const [settled, setSettled] = useState(value);
  const key = JSON.stringify(value);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` stands for the value, which may be new on each render.
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), delayMs);
    return () => clearTimeout(timer);
  }, [key, delayMs]);
  return settled;
}
