import type { RequestOptions, SluiceClient } from './client.ts';
import { SluiceError } from './errors.ts';
import { graphql, type ResultOf, type VariablesOf } from './graphql.ts';

/** A page of `Wallet.activity`. `__typename` tells the kinds of entries apart. */
export const ACTIVITY = graphql(`
  query Activity($wallet: Address!, $first: Int!, $after: String, $filter: ActivityFilter) {
    wallet(address: $wallet) {
      activity(first: $first, after: $after, filter: $filter) {
        complete
        pageInfo { hasNextPage endCursor }
        nodes {
          __typename kind createdAt signature slot final unknown
          sent { amount usd sol token { mint symbol } }
          received { amount usd sol token { mint symbol } }
          reward { amount usd sol token { mint symbol } }
          fee { amount usd sol token { mint symbol } }
          ... on VaultActivity { vaultAddress sharesChange counterparty { address } }
          ... on LendingActivity { marketAddress obligationAddress reserveAddress side collateralChange debtChange signer { address } }
          ... on FarmActivity { farmAddress tokenMint stakeChange }
          ... on WithdrawQueueActivity { ticketAddress marketAddress reserveAddress fromVaultAddress ticketChange signer { address } }
          ... on UnreadActivity { reason }
        }
      }
    }
  }
`);

/** `Wallet.income` by period and token, with its sums. */
export const INCOME = graphql(`
  query Income($wallet: Address!, $range: TimeRange, $by: IncomeStep, $method: CostMethod) {
    wallet(address: $wallet) {
      income(range: $range, by: $by, method: $method) {
        complete
        gaps { reason address }
        periods {
          start end
          tokens {
            tokenMint
            interestEarned { amount usd sol } interestPaid { amount usd sol } rewards { amount usd sol }
            fees { amount usd sol } liquidations { amount usd sol }
            realizedGain { usd sol } unrealizedGain { usd sol }
          }
          total { profit { usd sol } }
        }
        total {
          interestEarned { usd sol } interestPaid { usd sol } rewards { usd sol } fees { usd sol }
          liquidations { usd sol } realizedGain { usd sol } unrealizedGain { usd sol } profit { usd sol }
        }
      }
    }
  }
`);

type Page = NonNullable<ResultOf<typeof ACTIVITY>['wallet']['activity']>;

/** One thing that a wallet did: narrow it by `__typename`. */
export type ActivityEntry = Page['nodes'][number];

/** Income by period and token. */
export type WalletIncome = NonNullable<ResultOf<typeof INCOME>['wallet']['income']>;

export interface ActivityOptions extends RequestOptions {
  readonly filter?: VariablesOf<typeof ACTIVITY>['filter'];
  /** Entries per request, at most 100. */
  readonly pageSize?: number;
}

/**
 * Everything that a wallet did, newest first, read page by page as the loop goes on. Nothing is repeated when transactions
 * arrive meanwhile.
 *
 * @example
 * for await (const entry of activity(client, wallet)) if (entry.__typename === 'VaultActivity') show(entry.vaultAddress);
 */
export async function* activity(
  client: SluiceClient,
  wallet: string,
  { filter, pageSize = 100, signal }: ActivityOptions = {},
): AsyncGenerator<ActivityEntry, void> {
  for (let after: string | null = null, more = true; more; ) {
    const variables = { wallet, first: pageSize, after, ...(filter ? { filter } : {}) };
    const answer = await client.query(ACTIVITY, variables, optionsOf(signal));
    const page: Page = known(answer.data.wallet.activity, answer.errors);
    yield* page.nodes;
    after = page.pageInfo.endCursor;
    more = page.pageInfo.hasNextPage;
  }
}

export interface IncomeOptions extends RequestOptions {
  readonly range?: VariablesOf<typeof INCOME>['range'];
  /** MONTH by default. */
  readonly by?: 'DAY' | 'MONTH';
  /** FIFO by default. */
  readonly method?: 'FIFO' | 'AVERAGE';
}

/** Income of a wallet. `gaps` says what is not known. */
export async function income(
  client: SluiceClient,
  wallet: string,
  { range, by = 'MONTH', method = 'FIFO', signal }: IncomeOptions = {},
): Promise<WalletIncome> {
  const variables = { wallet, by, method, ...(range ? { range } : {}) };
  const { data, errors } = await client.query(INCOME, variables, optionsOf(signal));
  return known(data.wallet.income, errors);
}

/** Columns of a CSV file: all that is known, or those of a tax program. */
export type BookFormat = 'sluice' | 'koinly' | 'cointracking';

export interface FileOptions extends RequestOptions {
  /** ISO 8601. */
  readonly start?: string;
  /** ISO 8601, exclusive. */
  readonly end?: string;
  readonly format?: BookFormat;
}

/** Times that a broken download is continued without a new row. */
const MAX_BREAKS = 5;
/** The cursor is the last cell of a row. */
const CURSOR = /"([\w-]+)"\r\n$/;

/**
 * A wallet's activity as CSV, in complete lines as they arrive. In the format `sluice` a download that breaks off is
 * continued after its last row; in others it is an error, because they have no column for the cursor.
 *
 * @example
 * for await (const lines of activityFile(client, wallet, { format: 'koinly' })) file.write(lines);
 */
export async function* activityFile(
  client: SluiceClient,
  wallet: string,
  { signal, ...query }: FileOptions = {},
): AsyncGenerator<string, void> {
  let cursor: string | null = null;
  let hasBegun = false;
  for (let breaks = 0; ; ) {
    const more = { ...(hasBegun ? { header: 'false' } : {}), ...(cursor === null ? {} : { cursor }) };
    const path = pathOf(wallet, 'activity.csv', { ...query, ...more });
    try {
      for await (const lines of wholeLines(client.file(path, optionsOf(signal)))) {
        hasBegun = true;
        cursor = CURSOR.exec(lines)?.[1] ?? cursor;
        breaks = 0;
        yield lines;
      }
      return;
    } catch (error) {
      breaks += 1;
      const canContinue = (query.format ?? 'sluice') === 'sluice' && breaks <= MAX_BREAKS;
      if (!hasBegun || !canContinue || !(error instanceof SluiceError && error.retryable)) throw error;
    }
  }
}

/** A wallet's income as CSV, in complete lines. In the format of a tax program it has interest alone. */
export function incomeFile(
  client: SluiceClient,
  wallet: string,
  {
    signal,
    ...query
  }: FileOptions & { readonly by?: 'DAY' | 'MONTH'; readonly method?: 'FIFO' | 'AVERAGE' } = {},
): AsyncGenerator<string, void> {
  return wholeLines(client.file(pathOf(wallet, 'income.csv', query), optionsOf(signal)));
}

async function* wholeLines(chunks: AsyncIterable<string>): AsyncGenerator<string, void> {
  let rest = '';
  for await (const chunk of chunks) {
    const text = rest + chunk;
    const end = text.lastIndexOf('\n') + 1;
    rest = text.slice(end);
    if (end > 0) yield text.slice(0, end);
  }
  if (rest !== '') yield rest;
}

function pathOf(wallet: string, file: string, query: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(query).filter((each): each is [string, string] => each[1] !== undefined);
  const search = new URLSearchParams(given).toString();
  return `portfolio/${wallet}/${file}${search === '' ? '' : `?${search}`}`;
}

const optionsOf = (signal: AbortSignal | undefined): RequestOptions =>
  signal === undefined ? {} : { signal };

/** The value, or the error that the gateway gave in its place. */
function known<T>(value: T | null, [error]: readonly SluiceError[]): T {
  if (value !== null) return value;
  throw (
    error ?? new SluiceError('The answer lacks what was asked for.', { code: 'BAD_ANSWER', retryable: false })
  );
}
