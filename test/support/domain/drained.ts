/** A computation that yields between its steps, run to its end without pauses. */
export const drained =
  <A extends readonly unknown[], T>(computation: (...args: A) => Generator<void, T>) =>
  (...args: A): T => {
    const steps = computation(...args);
    for (;;) {
      const { done, value } = steps.next();
      if (done === true) return value;
    }
  };
