import { Decimal, type SluiceError } from '@sluice/client';
import { type ReactNode, useMemo } from 'react';
import { usdShort } from '../../format/numbers.ts';
import { absence } from '../../ui/absence.ts';
import { largestOf, MoneyValue } from '../../ui/currency.tsx';
import { Empty } from '../../ui/states.tsx';
import { Absent } from '../../ui/value.tsx';
import { type AllocationRow, allocationRows, leavesNow } from './allocation.ts';
import { placeNames } from './place-names.ts';
import type { VaultDetail } from './vault-documents.ts';

const UNREADABLE = 'The reserve cannot be read';

/** What each reserve can pay out at once, and what waits for borrowers. */
export function LeavingList({
  vault,
  errors,
}: {
  readonly vault: VaultDetail;
  readonly errors: readonly SluiceError[];
}): ReactNode {
  const rows = useMemo(() => allocationRows(vault).filter(isSomething), [vault]);
  const names = useMemo(() => placeNames(vault.allocations), [vault.allocations]);
  const largest = largestOf(rows.map(({ amount }) => amount?.usd));
  if (rows.length === 0) return <Empty>The vault is empty.</Empty>;
  return (
    <>
      <ul className="leaving">
        {rows.map((row) => {
          const name =
            row.reserveAddress === null
              ? 'Not lent out'
              : (names.get(row.reserveAddress) ?? row.reserveAddress);
          const why = absence(errors, ['vault', 'allocations', row.index], UNREADABLE);
          const free = leavesNow(row);
          return (
            <li key={row.reserveAddress ?? 'idle'}>
              <span>{name}</span>
              {row.amount === null || free === null ? (
                <Absent why={why} />
              ) : (
                <span>
                  <MoneyValue money={{ ...free, token: vault.token }} largest={largest} />{' '}
                  <span className="muted">
                    of <MoneyValue money={{ ...row.amount, token: vault.token }} largest={largest} />
                  </span>
                </span>
              )}
              <span className="waits" aria-hidden="true">
                {row.amount !== null && free !== null && (
                  <i style={{ inlineSize: `${fill(free.amount, row.amount.amount)}%` }} />
                )}
              </span>
            </li>
          );
        })}
      </ul>
      <p className="sub">{waitingWords(rows, names)}</p>
    </>
  );
}

const isSomething = ({ amount }: AllocationRow): boolean =>
  amount === null || !Decimal.of(amount.amount).isZero;

/** For a width on screen. */
const fill = (free: string, all: string): number =>
  100 * Math.min(1, Decimal.of(free).dividedBy(Decimal.of(all), 6).toApproximateNumber());

function waitingWords(rows: readonly AllocationRow[], names: ReadonlyMap<string, string>): string {
  const waiting = rows.flatMap((row) => {
    const free = leavesNow(row);
    if (row.amount?.usd == null || free?.usd == null || row.reserveAddress === null) return [];
    const usd = Decimal.of(row.amount.usd).minus(Decimal.of(free.usd));
    return usd.isZero || usd.isNegative ? [] : [{ usd, name: names.get(row.reserveAddress) ?? 'a reserve' }];
  });
  if (waiting.length === 0)
    return 'Each reserve has enough at hand to pay out all that the vault has in it, as long as nobody else takes it first.';
  const said = waiting.map(({ usd, name }) => `${usdShort(usd).text} in ${name}`).join(', ');
  return `Hatched: lent out. ${said} can leave when borrowers repay or others deposit.`;
}
