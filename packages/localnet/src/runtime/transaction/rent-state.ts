import { rentLamports } from '../account-store.ts';
import type { StoredAccount } from '../stored-account.ts';

type Holder = Pick<StoredAccount, 'lamports' | 'data'>;

/** Whether an account may end as `after`: empty, rent-exempt, or no better off than it was below the minimum. */
export function isRentStateAllowed(before: Holder | undefined, after: Holder): boolean {
  if (!paysRent(after)) return true;
  return (
    before !== undefined &&
    paysRent(before) &&
    before.data.length === after.data.length &&
    after.lamports <= before.lamports
  );
}

/** Below the minimum, as accounts of the cluster's early days are. */
function paysRent({ lamports, data }: Holder): boolean {
  return lamports > 0n && lamports < rentLamports(data.length);
}
