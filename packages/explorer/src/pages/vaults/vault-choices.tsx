import { type ReactNode, useId, useMemo } from 'react';
import { depositTokens, type VaultChoice } from './vault-list.ts';
import type { ListedVault } from './vaults-documents.ts';

export interface VaultChoicesProps {
  readonly vaults: readonly ListedVault[];
  readonly choice: VaultChoice;
  readonly onChange: (choice: VaultChoice) => void;
}

/** Which vaults the table shows, besides its text filter. */
export function VaultChoices({ vaults, choice, onChange }: VaultChoicesProps): ReactNode {
  const id = useId();
  const tokens = useMemo(() => depositTokens(vaults), [vaults]);
  return (
    <div className="vault-choices">
      <label htmlFor={id}>Token</label>
      <select
        id={id}
        value={choice.mint ?? ''}
        onChange={({ target }) => onChange({ ...choice, mint: target.value === '' ? null : target.value })}
      >
        <option value="">All tokens</option>
        {tokens.map(({ mint, symbol }) => (
          <option key={mint} value={mint}>
            {symbol}
          </option>
        ))}
      </select>
      <label>
        <input
          type="checkbox"
          checked={choice.rewarded}
          onChange={({ target }) => onChange({ ...choice, rewarded: target.checked })}
        />{' '}
        With rewards
      </label>
    </div>
  );
}
