import {
  type Action,
  hasCode,
  runAction,
  type SluiceClient,
  SluiceError,
  type TransactionSigner,
} from '@sluice/client';

/** Text for the user. */
export async function attempt(
  client: SluiceClient,
  action: Action,
  signer: TransactionSigner,
): Promise<string> {
  try {
    const { signatures } = await runAction(client, action, signer);
    return `Done: ${signatures.join(', ')}`;
  } catch (error) {
    if (hasCode(error, 'SIGNING_FAILED')) return 'You did not sign it. Nothing was sent.';
    if (hasCode(error, 'TRANSACTION_FAILED', 'TRANSACTION_REJECTED'))
      return `The program refused: ${error.context.name}: ${error.message}`;
    if (error instanceof SluiceError && error.retryable) return 'The gateway is busy. Try again later.';
    if (error instanceof SluiceError) return error.message;
    throw error;
  }
}
