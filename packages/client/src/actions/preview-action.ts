import type { RequestOptions, SluiceClient } from '../client.ts';
import { type Action, type ActionPreview, PREVIEW } from './documents.ts';
import { refusal } from './refusal.ts';

/**
 * Previews an action without building it. Throws the refusal, for example `AMOUNT_NOT_POSITIVE`.
 *
 * @example
 * const action: Action = { vaultDeposit: { wallet, vault, amount: { tokens: '12.5' } } };
 * const { shares, warnings } = await previewAction(client, action);
 */
export async function previewAction(
  client: SluiceClient,
  action: Action,
  options: RequestOptions = {},
): Promise<ActionPreview> {
  const { preview } = (await client.query(PREVIEW, { action }, options)).data;
  if (preview.__typename === 'Preview') return preview;
  throw refusal(preview);
}
