import { type ReactNode, useId, useState } from 'react';
import type { CuratedState, CuratedVault } from '../../act/tasks/curated-vault.ts';
import { curatorTasks } from '../../act/tasks/curator-tasks.ts';
import { Tasks } from '../../act/tasks/tasks-section.tsx';
import { useWalletChoice } from '../../act/wallet-context.tsx';
import { shortAddress } from '../../format/address.ts';
import { allocationNames } from './allocation.ts';
import { rightsOf } from './curator-rights.ts';
import type { VaultDetail } from './vault-documents.ts';

const TITLE = 'Run the vault';

/** What the chosen wallet may change in the vault, with the forms. Who may, for other wallets. */
export function CuratorSection({ vault }: { readonly vault: VaultDetail }): ReactNode {
  const heading = useId();
  const { wallet } = useWalletChoice();
  const [isOpen, open] = useState(false);
  const curated = curatedVault(vault);
  const symbols = Object.fromEntries(curated.reserves.map(({ address, name }) => [address, name]));
  return (
    <section className="panel act wide" aria-labelledby={heading}>
      <header>
        <h2 id={heading}>{TITLE}</h2>
        <button type="button" aria-expanded={isOpen} onClick={() => open(!isOpen)}>
          {isOpen ? 'Close' : 'See what you can do'}
        </button>
      </header>
      <div className="content">
        <p>{rightsText(vault.state, wallet?.address ?? null)}</p>
        {isOpen && (
          <Tasks
            target={{
              kind: 'tasks',
              title: TITLE,
              subject: vault.address,
              tasks: wallet === null ? [] : curatorTasks(curated, wallet.address),
              symbols,
            }}
          />
        )}
      </div>
    </section>
  );
}

function curatedVault(vault: VaultDetail): CuratedVault {
  const names = allocationNames(vault.allocations);
  return {
    address: vault.address,
    token: vault.token,
    reserves: vault.allocations.map(({ reserveAddress }, index) => ({
      address: reserveAddress,
      name: names[index] ?? reserveAddress,
    })),
    state: vault.state,
  };
}

const ANYONE = 'Anyone may invest its tokens towards its weights, and pay rewards into it.';

function rightsText(state: CuratedState, wallet: string | null): string {
  const admin = shortAddress(state.vaultAdminAuthority);
  switch (rightsOf(state, wallet)) {
    case 'ADMIN':
      return 'You are the admin of this vault: you may change its weights, fees and settings.';
    case 'PENDING_ADMIN':
      return `The admin ${admin} has offered you this vault. Take it over to change it.`;
    case 'ALLOCATION_ADMIN':
      return `You may change weights and caps of its reserves. The rest is up to its admin ${admin}.`;
    case 'NONE':
      return `Only its admin ${admin} may change weights, fees and settings. ${ANYONE}`;
  }
}
