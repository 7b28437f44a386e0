import { type ReactNode, useMemo } from 'react';
import { Link } from 'wouter';
import { vaultName } from '../../lending/vault-cells.tsx';
import { Empty } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { Tokens } from '../../ui/value.tsx';
import { movesOf } from '../vault/moves.ts';
import { placeNames } from '../vault/place-names.ts';
import type { AllocationChange } from './curator-documents.ts';
import { ChangeTable } from './curator-tables.tsx';

const LINES = 8;

/** What was moved in its vaults and which terms were set, as sentences; every change below. */
export function Changes({ rows }: { readonly rows: readonly AllocationChange[] }): ReactNode {
  const moves = useMemo(() => {
    const vaults = new Map(rows.map(({ signature, vault }) => [signature, vault]));
    const places = rows.flatMap(({ reserveAddress, reserve }) =>
      reserveAddress === null ? [] : [{ reserveAddress, reserve }],
    );
    return movesOf(
      rows,
      placeNames([...new Map(places.map((one) => [one.reserveAddress, one])).values()]),
    ).map((move) => ({ ...move, vault: vaults.get(move.signature) }));
  }, [rows]);
  if (moves.length === 0) return <Empty>No change is known.</Empty>;
  return (
    <>
      <ul className="feed">
        {moves.slice(0, LINES).map(({ signature, createdAt, amount, words, vault }) => (
          <li key={signature}>
            <span className="when">
              <Time value={createdAt} />
            </span>
            <span>
              {vault !== undefined && <Link href={`/vaults/${vault.address}`}>{vaultName(vault)}</Link>}
              {amount === null ? `: ${words}` : `: moved tokens ${words}`}
            </span>
            <span>
              {amount !== null && (
                <Tokens value={amount.toString()} symbol={vault?.token.symbol ?? ''} derived />
              )}
            </span>
          </li>
        ))}
      </ul>
      <details>
        <summary>Every change, with weights and signers</summary>
        <ChangeTable rows={rows} />
      </details>
    </>
  );
}
