import {
  type Action,
  buildAction,
  graphql,
  type ResultOf,
  type SluiceClient,
  SluiceError,
} from '@sluice/client';
import { useSession } from '@sluice/client/react';
import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query';
import { useSettled } from '../ui/use-settled.ts';

const EXPLAIN = graphql(`
  query ExplainAction($transaction: Base64!, $wallet: Address!) {
    explained: explainTransaction(transaction: $transaction, wallet: $wallet) {
      __typename
      ... on InvalidTransaction { code message }
      ... on TransactionExplanation {
        networkFeeLamports
        sizeBytes
        instructions { programName name summary }
        warnings { code message }
        effects {
          vaultPositions {
            vaultAddress
            ownerAddress
            totalShares { before after }
            stakedShares { before after }
            unstakedShares { before after }
            value { before { amount usd } after { amount usd } }
          }
        }
        simulation {
          success
          unitsConsumed
          logs
          error { name message }
          balanceChanges { change { amount token { mint symbol } } }
        }
      }
    }
  }
`);

export type Explanation = Extract<
  ResultOf<typeof EXPLAIN>['explained'],
  { readonly __typename: 'TransactionExplanation' }
>;
export type PositionEffect = NonNullable<NonNullable<Explanation['effects']>['vaultPositions']>[number];

/** An action, built and simulated: what its transactions do in words, and what that leaves. */
export interface Explained {
  /** One for each transaction to sign. A later one can only be simulated once those before it are confirmed. */
  readonly transactions: readonly [Explanation, ...Explanation[]];
  /** When the gateway answered, by the clock of this machine. */
  readonly at: number;
}

export interface ExplainedState {
  /** Null before the first answer about an action of this kind. */
  readonly explained: Explained | null;
  /** Whether it is about another amount. */
  readonly isOld: boolean;
  readonly error: SluiceError | null;
  readonly again: () => void;
}

/** The chain moves on while the user reads. */
const AGAIN_MS = 30_000;

/** Has an action simulated once its form has been left alone for a moment. Null: the form is not complete. */
export function useExplained(action: Action | null): ExplainedState {
  const { client } = useSession();
  const settled = useSettled(action, 600);
  const result = useQuery<Explained, Error>({
    queryKey: ['explained action', client.url, settled],
    queryFn: settled === null ? skipToken : ({ signal }) => explainAction(client, settled, signal),
    placeholderData: keepPreviousData,
    refetchInterval: AGAIN_MS,
    retry: false,
    gcTime: 0,
    staleTime: 0,
  });
  const isOld = JSON.stringify(settled) !== JSON.stringify(action) || result.isPlaceholderData;
  // Anything but a refusal is a fault of this page, which its own boundary shows.
  if (result.error !== null && !(result.error instanceof SluiceError)) throw result.error;
  return {
    explained: action === null ? null : (result.data ?? null),
    isOld,
    error: isOld || action === null ? null : result.error,
    again: () => void result.refetch(),
  };
}

async function explainAction(client: SluiceClient, action: Action, signal: AbortSignal): Promise<Explained> {
  const { transactions } = await buildAction(client, action, { signal });
  const wallet = Object.values(action).find((input) => input !== undefined && input !== null)?.wallet ?? '';
  const [first, ...rest] = await Promise.all(
    transactions.map(async ({ base64 }) => {
      const { explained } = (await client.query(EXPLAIN, { transaction: base64, wallet }, { signal })).data;
      if (explained.__typename === 'TransactionExplanation') return explained;
      throw new SluiceError(explained.message, { code: 'BAD_ANSWER', retryable: false });
    }),
  );
  if (first === undefined)
    throw new SluiceError('The action has no transaction.', { code: 'BAD_ANSWER', retryable: false });
  return { transactions: [first, ...rest], at: Date.now() };
}
