import type { VaultRebalance } from '@sluice/client';
import { useSluiceQuery, useVaultRebalance } from '@sluice/client/react';
import { type ReactNode, useState } from 'react';
import { shortAddress } from '../../format/address.ts';
import { Notice } from '../../ui/notice.tsx';
import { Failure } from '../../ui/states.tsx';
import { RunProgress, RunState } from '../run-state.tsx';
import { useSending } from '../use-sending.ts';
import { type ActWallet, useWalletChoice } from '../wallet-context.tsx';
import { PlanResult } from './plan-result.tsx';
import { changesTerms, maySign, type VaultTargets } from './targets.ts';
import { type PlannedMoves, VAULT_PLAN } from './vault-plan-documents.ts';
import type { WeighedVault } from './weights-form.tsx';

interface PlanPartProps {
  readonly vault: WeighedVault;
  /** Null while a field is malformed. */
  readonly wanted: VaultTargets | null;
  readonly nameOf: (reserve: string) => string;
}

const PLAN_MS = 30_000;

/** Plans the moves to the wanted weights on request, and has the admin sign them. */
export function PlanPart({ vault, wanted, nameOf }: PlanPartProps): ReactNode {
  const { wallet } = useWalletChoice();
  const [asked, setAsked] = useState<VaultTargets | null>(null);
  const isSame = JSON.stringify(asked) === JSON.stringify(wanted);
  const signs = wallet !== null && asked !== null && maySign(vault, vault.reserves, asked, wallet.address);
  const variables = {
    vault: vault.address,
    targets: [...(asked?.targets ?? [])],
    unallocatedWeight: asked?.unallocatedWeight ?? null,
    wallet: signs ? wallet.address : null,
  };
  const result = useSluiceQuery(VAULT_PLAN, variables, { enabled: asked !== null, refetchMs: PLAN_MS });
  const plan = asked === null || result.isPlaceholderData ? undefined : result.data?.data.vault?.plan;
  return (
    <>
      <div className="row">
        <button type="button" disabled={wanted === null || isSame} onClick={() => setAsked(wanted)}>
          Show the moves
        </button>
        {asked !== null && !isSame && (
          <small className="muted">The moves below are for the weights before your last change.</small>
        )}
      </div>
      {asked !== null && result.error !== null && <Failure error={result.error} />}
      {asked !== null && plan === undefined && result.error === null && (
        <p className="muted">Planning the moves…</p>
      )}
      {plan !== undefined && plan.__typename !== 'VaultRebalance' && (
        <Notice tone="danger" title="These targets cannot be planned.">
          {plan.message} <code>{plan.code}</code>
        </Notice>
      )}
      {plan?.__typename === 'VaultRebalance' && (
        <div className={isSame ? undefined : 'outdated'}>
          <PlanResult plan={plan} symbol={vault.token.symbol} nameOf={nameOf} />
        </div>
      )}
      {asked !== null && plan?.__typename === 'VaultRebalance' && (
        <SigningPart
          vault={vault}
          asked={asked}
          plan={plan}
          wallet={signs ? wallet : null}
          isCurrent={isSame && result.error === null}
          again={() => setAsked(null)}
        />
      )}
    </>
  );
}

interface SigningPartProps {
  readonly vault: WeighedVault;
  readonly asked: VaultTargets;
  readonly plan: PlannedMoves;
  /** Null when the chosen wallet may not sign. */
  readonly wallet: ActWallet | null;
  readonly isCurrent: boolean;
  readonly again: () => void;
}

function SigningPart({ vault, asked, plan, wallet, ...rest }: SigningPartProps): ReactNode {
  if (wallet === null)
    return plan.moves.length === 0 ? null : (
      <p className="muted">
        {changesTerms(asked)
          ? `Only the admin ${shortAddress(vault.admin)} can sign these moves.`
          : 'Choose a wallet to sign these moves. Anyone may.'}
      </p>
    );
  const { targets, unallocatedWeight } = asked;
  const rebalance = {
    wallet: wallet.address,
    vault: vault.address,
    targets: [...targets],
    ...(unallocatedWeight === undefined ? {} : { unallocatedWeight }),
  };
  return <RebalanceButton rebalance={rebalance} wallet={wallet} plan={plan} {...rest} />;
}

interface RebalanceButtonProps extends Pick<SigningPartProps, 'isCurrent' | 'again'> {
  readonly rebalance: VaultRebalance;
  readonly wallet: ActWallet;
  readonly plan: PlannedMoves;
}

function RebalanceButton({
  rebalance,
  wallet,
  plan: { build, moves },
  isCurrent,
  again,
}: RebalanceButtonProps): ReactNode {
  const { run, isRunning, start, reset } = useVaultRebalance(rebalance);
  const { send, problem } = useSending(wallet, start);
  const canSend =
    isCurrent &&
    !isRunning &&
    build.__typename === 'TransactionPlan' &&
    build.warnings.every(({ level }) => level !== 'ERROR');
  if (run.step === 'succeeded')
    return (
      <RunState run={run}>
        <button
          type="button"
          onClick={() => {
            reset();
            again();
          }}
        >
          Close
        </button>
      </RunState>
    );
  // Its outcome is shown above, also when nothing is left to move.
  if (moves.length === 0 && run.step === 'idle') return null;
  return (
    <>
      <div className="row">
        <button type="button" className="primary" disabled={!canSend} onClick={() => void send()}>
          Sign and send the moves
        </button>
        <small className="muted">Signs with {wallet.name}</small>
      </div>
      <RunProgress run={run} isRunning={isRunning} problem={problem} onStop={reset} />
    </>
  );
}
