import type { Session } from './session.ts';

/** Memoizes a value per request: created on first use with the arguments given then, freed with the session. */
export function perSession<T extends object, A extends readonly unknown[]>(
  create: (session: Session, ...args: A) => T,
): (session: Session, ...args: A) => T {
  const values = new WeakMap<Session, T>();
  return (session, ...args) => {
    const existing = values.get(session);
    if (existing !== undefined) return existing;
    const value = create(session, ...args);
    values.set(session, value);
    return value;
  };
}

/** Computes a value once per request and key; later calls share the result, also while it is being computed. */
export function oncePerSession<T>(): (
  session: Session,
  key: string,
  compute: () => Promise<T>,
) => Promise<T> {
  const ofSession = perSession(() => new Map<string, Promise<T>>());
  return (session, key, compute) => {
    const known = ofSession(session);
    const value = known.get(key) ?? compute();
    known.set(key, value);
    return value;
  };
}
