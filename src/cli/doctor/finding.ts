/** `fault`: something configured does not work. `warning`: it works with a restriction. */
export type Level = 'ok' | 'warning' | 'fault';

/** Result of one check. It says what to do and never contains a URL or a key. */
export interface Finding {
  readonly level: Level;
  /** Subject of the check: `rpc-1`, `websocket-1`, `database`. */
  readonly subject: string;
  readonly check: string;
  readonly says: string;
  /** The numbers of the sentence, for programs. */
  readonly figures?: Readonly<Record<string, number>>;
}

type Say = (
  subject: string,
  check: string,
  says: string,
  figures?: Readonly<Record<string, number>>,
) => Finding;

const at =
  (level: Level): Say =>
  (subject, check, says, figures) => ({
    level,
    subject,
    check,
    says,
    ...(figures === undefined ? {} : { figures }),
  });

export const ok = at('ok');
export const warning = at('warning');
export const fault = at('fault');
