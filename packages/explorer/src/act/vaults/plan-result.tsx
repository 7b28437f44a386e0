import type { ReactNode } from 'react';
import { ChangeRow, ChangeTable } from '../../ui/change-table.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Count, Part, Percent, Tokens } from '../../ui/value.tsx';
import { Warnings } from '../effects.tsx';
import { moveText } from './move-words.ts';
import type { PlannedMoves } from './vault-plan-documents.ts';

interface PlanResultProps {
  readonly plan: PlannedMoves;
  readonly symbol: string;
  readonly nameOf: (reserve: string) => string;
}

/** The moves in order, what stops some of them, and the vault before and after. */
export function PlanResult({ plan, symbol, nameOf }: PlanResultProps): ReactNode {
  const { moves, obstacles } = plan;
  return (
    <section className="preview" aria-label="Moves">
      {moves.length === 0 ? (
        <Notice tone="info">
          Nothing is to be moved: the vault is at these targets, or nothing can be moved now.
        </Notice>
      ) : (
        <ol>
          {moves.map((move) => (
            <li key={`${move.kind} ${move.reserve} ${move.summary}`}>{moveText(move, symbol, nameOf)}</li>
          ))}
        </ol>
      )}
      {obstacles.map(({ reserve, code, message, tokens }) => (
        <Notice key={`${reserve} ${code}`} tone="caution" title={nameOf(reserve)}>
          {message} Not moved: <Tokens derived value={tokens} symbol={symbol} /> <code>{code}</code>
        </Notice>
      ))}
      <Yields plan={plan} nameOf={nameOf} />
      {moves.length > 0 && <Transactions build={plan.build} />}
    </section>
  );
}

function Yields({ plan, nameOf }: Omit<PlanResultProps, 'symbol'>): ReactNode {
  const { interestApy, reserveRewardsApy, exposures, idleShare } = plan;
  const whyRewards = reserveRewardsApy.reason ?? 'A price is unknown.';
  return (
    <ChangeTable caption="The vault before and after" heads={['In the vault', 'Before', 'After']}>
      <ChangeRow
        name="Interest APY after fees"
        before={<Percent derived value={interestApy.before} />}
        after={<Percent derived value={interestApy.after} />}
      />
      <ChangeRow
        name="Rewards of reserves"
        before={<Percent derived value={reserveRewardsApy.before} absent={whyRewards} />}
        after={<Percent derived value={reserveRewardsApy.after} absent={whyRewards} />}
      />
      {exposures.map(({ reserve, share }) => (
        <ChangeRow
          key={reserve}
          name={`Part in ${nameOf(reserve)}`}
          before={<Part derived value={share.before} />}
          after={<Part derived value={share.after} />}
        />
      ))}
      <ChangeRow
        name="Part that is idle"
        before={<Part derived value={idleShare.before} />}
        after={<Part derived value={idleShare.after} />}
      />
    </ChangeTable>
  );
}

function Transactions({ build }: { readonly build: PlannedMoves['build'] }): ReactNode {
  if (build.__typename !== 'TransactionPlan')
    return (
      <Notice tone="danger" title="The transactions cannot be built.">
        {build.message} <code>{build.code}</code>
      </Notice>
    );
  const { transactions, simulation, warnings } = build;
  const sizes = transactions.map(({ sizeBytes, sizeLimit }) => `${sizeBytes} of ${sizeLimit} bytes`);
  return (
    <>
      <p className="muted">
        {transactions.length === 1 ? 'One transaction' : `${transactions.length} transactions, in order`}:{' '}
        {sizes.join(', ')}.
        {simulation !== null && simulation.unitsConsumed !== null && simulation.success && (
          <>
            {' '}
            The first consumes <Count derived value={String(simulation.unitsConsumed)} /> compute units.
          </>
        )}
      </p>
      {simulation !== null && !simulation.success && (
        <Notice tone="caution" title="The first transaction would fail now.">
          {simulation.error?.message ?? 'The cluster gives no reason.'}
        </Notice>
      )}
      <Warnings warnings={warnings} />
    </>
  );
}
