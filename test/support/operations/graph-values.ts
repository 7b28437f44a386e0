export type Text = string | null;

export interface Amount {
  readonly amount: string;
  readonly baseUnits: string;
  readonly usd: string | null;
  readonly sol: string | null;
}

/** The fields that are not null. */
export const present = (fields: Readonly<Record<string, Text | undefined>>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined));

/** LENDING_FIXED_RATE as LendingFixedRate. */
export const pascal = (name: string) =>
  name
    .toLowerCase()
    .split('_')
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join('');

interface RestPositions {
  readonly deposits: readonly { readonly amount: string }[];
  readonly borrows: readonly { readonly amount: string }[];
}

/** REST shows the fraction of a base unit; GraphQL rounds a deposit down and a debt up. */
export function roundedPositions<T extends RestPositions>(positions: T): T {
  const whole = (amount: string) => amount.split('.')[0] ?? '';
  const up = (amount: string) => String(BigInt(whole(amount)) + (amount.includes('.') ? 1n : 0n));
  return {
    ...positions,
    deposits: positions.deposits.map((each) => ({ ...each, amount: whole(each.amount) })),
    borrows: positions.borrows.map((each) => ({ ...each, amount: up(each.amount) })),
  };
}
