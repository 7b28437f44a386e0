import { vaultGlobalConfigAddress } from '@sluice/protocol/kvault/addresses';
import { vaultGlobalConfig } from '@sluice/protocol/kvault/global-config';
import type { AccountReader } from '../../chain/accounts/account-reader.ts';
import { type DriftSources, readRefreshedObligations } from '../../chain/view/drift-reads.ts';
import { type PaddingWatch, paddedName } from '../../chain/view/padding-watch.ts';
import type { View } from '../../chain/view/view.ts';
import type { Config } from '../../config/config.ts';
import { isCodedError } from '../../errors/sluice-error.ts';
import { deadlineSignal } from '../../node/deadline.ts';
import { type Finding, ok, warning } from './finding.ts';
import { counted } from './report.ts';

/** Obligations whose padding is scanned. */
const SAMPLED_OBLIGATIONS = 50;

interface SampleSources extends Pick<DriftSources, 'rpc' | 'padding'> {
  readonly reader: AccountReader;
  readonly padding: PaddingWatch;
}

/** Scans accounts that the View does not hold: settings of the programs, and obligations that were refreshed last. */
export async function sampleOutsideView(
  { rpc, reader, padding }: SampleSources,
  view: View,
  { programs, SOLANA_COMMITMENT: commitment, RPC_TIMEOUT_MS }: Config,
): Promise<void> {
  using deadline = deadlineSignal(RPC_TIMEOUT_MS, 'Sampling accounts');
  const { signal } = deadline;
  const configs = [
    vaultGlobalConfigAddress(programs.kvault).address,
    ...[...view.all('farm').values()].map(({ value }) => value.globalConfig),
  ];
  const keys = [...new Set(configs)].map((address) => ({ address, expectedBytes: vaultGlobalConfig.size }));
  try {
    for (const read of await reader.readMany(keys, { minSlot: 0n, signal })) {
      if (!(read instanceof Error) && read.account !== null) padding.see(read.account);
    }
    const sources = { rpc, programs, commitment, padding };
    await readRefreshedObligations(sources, view.moment.slot, SAMPLED_OBLIGATIONS, signal);
  } catch (error) {
    // The finding names what was looked at.
    if (!isCodedError(error)) throw error;
  }
}

/** Each field that this release takes for unused and that is not zero on chain. */
export function paddingFindings(padding: PaddingWatch): Finding[] {
  const uses = padding.uses();
  if (uses.length === 0) {
    const kinds = padding.kinds().map(paddedName).join(', ');
    const says = `All bytes that this release takes for unused are zero. It looked at these kinds of accounts: ${kinds}.`;
    return [ok('view', 'padding', says)];
  }
  return uses.map(({ kind, field, offset, accounts, example }) => {
    const says = `${field} of the ${paddedName(kind)} is not zero at offset ${offset} in ${counted(accounts, 'account')}, such as ${example}, although this release takes it for unused: a newer program may store something there. Update Sluice, or compare the field with the source of the deployed program.`;
    return warning('view', 'padding', says, { offset, accounts });
  });
}
