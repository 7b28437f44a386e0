import { useSluiceQuery } from '@sluice/client/react';
import { type ReactNode, useState } from 'react';
import { shortAddress } from '../format/address.ts';
import { Panel } from '../ui/panel.tsx';
import { Empty } from '../ui/states.tsx';
import { VAULT_LIMITS, type VaultLimits } from './act-documents.ts';
import { ActForm } from './act-form.tsx';
import type { ActTarget, Verb } from './action.ts';
import { vaultMaximum, vaultUnit } from './maximum.ts';
import { shareTasks } from './tasks/share-tasks.ts';
import type { TasksTarget } from './tasks/task.ts';
import { Tasks } from './tasks/tasks-section.tsx';
import { VaultExitForm } from './vault-exit.tsx';
import type { ActWallet } from './wallet-context.tsx';

/** Balances change without us; after an action the whole page is read again anyway. */
export const LIMITS_MS = 15_000;

export interface VaultActProps {
  readonly target: Extract<ActTarget, { kind: 'vault' }>;
  readonly wallet: ActWallet;
  readonly verb: Verb;
  /** Amount to start with. Empty for none. */
  readonly amount: string;
  readonly controls: ReactNode;
}

export function VaultAct({ target, wallet, verb, amount, controls }: VaultActProps): ReactNode {
  const [isLeaving, setLeaving] = useState(false);
  const [isStaking, setStaking] = useState(false);
  const variables = { wallet: wallet.address, vault: target.vault };
  const result = useSluiceQuery(VAULT_LIMITS, variables, { refetchMs: LIMITS_MS });
  return (
    <Panel
      title="Deposit or withdraw"
      hidesTitle
      document={VAULT_LIMITS}
      variables={variables}
      result={result}
      controls={controls}
    >
      {(limits) => {
        const { vault } = limits;
        if (vault === null) return <Empty>The vault cannot be read.</Empty>;
        return (
          <>
            <ActForm
              target={target}
              wallet={wallet}
              verb={verb}
              amount={amount}
              loan={null}
              symbol={vault.token.symbol}
              unitOf={(chosen) => vaultUnit(vault, chosen)}
              maximumOf={(chosen) => vaultMaximum(limits, chosen)}
              terms={{
                yield: vault.offered,
                hasFarm: vault.stakedIn !== null,
                shares: vault.sharesToken.symbol,
                penaltyBps: vault.leaving.withdrawalPenaltyBps,
              }}
            />
            <details open={isLeaving} onToggle={({ currentTarget }) => setLeaving(currentTarget.open)}>
              <summary>Leave, and queue what cannot be paid now</summary>
              {isLeaving && (
                <VaultExitForm
                  vault={target.vault}
                  wallet={wallet}
                  symbol={vault.token.symbol}
                  unit={vaultUnit(vault, 'withdraw')}
                  maximum={vaultMaximum(limits, 'withdraw')}
                />
              )}
            </details>
            <details open={isStaking} onToggle={({ currentTarget }) => setStaking(currentTarget.open)}>
              <summary>Stake or unstake shares, or take collateral tokens for them</summary>
              {isStaking && <Tasks target={sharesTarget(vault)} />}
            </details>
          </>
        );
      }}
    </Panel>
  );
}

function sharesTarget(vault: NonNullable<VaultLimits['vault']>): TasksTarget {
  const reserves = vault.lending.map(({ reserveAddress, reserve }) => ({
    address: reserveAddress,
    name: reserve?.market?.name || shortAddress(reserveAddress),
  }));
  return {
    kind: 'tasks',
    title: 'Shares',
    subject: vault.address,
    tasks: shareTasks({
      address: vault.address,
      symbol: vault.token.symbol,
      shares: { symbol: 'A share', decimals: vault.sharesToken.decimals },
      hasFarm: vault.stakedIn !== null,
      reserves,
    }),
    symbols: {},
  };
}
