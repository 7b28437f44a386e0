import { skipToken, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Action, ActionPreview } from '../actions/documents.ts';
import { previewAction } from '../actions/preview-action.ts';
import type { SluiceError } from '../errors.ts';
import { useSession } from './context.tsx';
import { queryDefaults } from './use-query.ts';

export interface PreviewOptions {
  /** Pause in the input after which a preview is read, in milliseconds. Defaults to 300. */
  readonly delayMs?: number;
  /** Reads the preview again after this many milliseconds, while prices and rates move. */
  readonly refetchMs?: number;
}

export type PreviewState =
  /** There is no action. */
  | { readonly status: 'none'; readonly preview: null }
  /** A preview is awaited. `preview` is the one before it, to show meanwhile, or null. */
  | { readonly status: 'pending'; readonly preview: ActionPreview | null }
  | { readonly status: 'ready'; readonly preview: ActionPreview }
  /** Refused or not readable: see `error.code`. `preview` is the newest one of this action, or null. */
  | { readonly status: 'failed'; readonly preview: ActionPreview | null; readonly error: SluiceError };

/**
 * Preview of an action, read when the input has paused. A preview that is superseded is aborted.
 *
 * @example
 * const { status, preview } = usePreview({ vaultDeposit: { wallet, vault, amount: { tokens } } });
 */
export function usePreview(
  action: Action | null,
  { delayMs = 300, ...options }: PreviewOptions = {},
): PreviewState {
  const session = useSession();
  const key = JSON.stringify(action);
  const [settled, setSettled] = useState<Action | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` stands for the action, which is new on each render.
  useEffect(() => {
    const timer = setTimeout(() => setSettled(action), delayMs);
    return () => clearTimeout(timer);
  }, [key, delayMs]);

  const query = useQuery<ActionPreview, SluiceError>({
    ...queryDefaults(options),
    queryKey: session.previewKey(settled),
    queryFn:
      settled === null ? skipToken : ({ signal }) => previewAction(session.client, settled, { signal }),
    placeholderData: (preview, before) =>
      isSameForm(before?.queryKey.at(-1), settled) ? preview : undefined,
    // The chain has moved on when an amount is entered again.
    gcTime: 0,
    staleTime: 0,
  });
  if (action === null) return { status: 'none', preview: null };
  const preview = isSameForm(settled, action) ? (query.data ?? null) : null;
  if (JSON.stringify(settled) !== key || query.isPlaceholderData) return { status: 'pending', preview };
  if (query.isError) return { status: 'failed', preview, error: query.error };
  return preview === null ? { status: 'pending', preview } : { status: 'ready', preview };
}

/** Whether two actions differ in their amounts only. */
const isSameForm = (one: unknown, other: unknown): boolean => formOf(one) === formOf(other);

const formOf = (action: unknown): string | undefined =>
  JSON.stringify(action, (name, value: unknown) => (name === 'amount' ? undefined : value));
