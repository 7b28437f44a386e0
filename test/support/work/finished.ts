/** The result of a computation that yields before its steps, without the account that a request would draw them from. */
export function finished<T>(computation: Generator<unknown, T>): T {
  for (;;) {
    const { done, value } = computation.next();
    if (done === true) return value;
  }
}
