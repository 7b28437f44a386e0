/** What stands for the values of a request that differ at each run. */
export interface Present {
  /** Unix milliseconds. */
  readonly now: number;
  /** A signed transaction in base64. Equal numbers give equal transactions while the blockhash is the same. */
  readonly signed: (draw: number, number: number) => string;
}

const HOUR_MS = 3_600_000;

/** A time that many whole hours ago. */
export const hoursAgo = (hours: number): string => `<${hours} hours ago>`;

/** A transaction that a wallet has signed. */
export const signedTransaction = (draw: number, number: number): string => `<transaction ${draw} ${number}>`;

/** The text of a request with the values of the present. */
export function filled(text: string, { now, signed }: Present): string {
  return text
    .replace(/<(\d+) hours ago>/g, (_, hours: string) =>
      new Date(Math.floor(now / HOUR_MS - Number(hours)) * HOUR_MS).toISOString(),
    )
    .replace(/<transaction (\d+) (\d+)>/g, (_, draw: string, number: string) =>
      signed(Number(draw), Number(number)),
    );
}
