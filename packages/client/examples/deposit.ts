import {
  type Action,
  type ActionResult,
  previewAction,
  runAction,
  type SluiceClient,
  type TransactionSigner,
} from '@sluice/client';

/** Deposits into a vault, and tells the user before and while it happens. */
export async function deposit(
  client: SluiceClient,
  signer: TransactionSigner,
  order: { readonly vault: string; readonly tokens: string },
  tell: (text: string) => void,
): Promise<ActionResult> {
  const { vault, tokens } = order;
  const action: Action = { vaultDeposit: { wallet: signer.address, vault, amount: { tokens } } };
  const { shares, warnings } = await previewAction(client, action);
  tell(`You will have ${shares?.after} shares.`);
  for (const { message } of warnings) tell(message);
  return await runAction(client, action, signer, { onProgress: ({ step }) => tell(step) });
}
