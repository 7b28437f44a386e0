import { Decimal, type SluiceError } from '@sluice/client';
import type { ReactNode } from 'react';
import { absence } from '../../ui/absence.ts';
import { Address } from '../../ui/address.tsx';
import { Figure, Figures } from '../../ui/figures.tsx';
import { Time } from '../../ui/time.tsx';
import { Absent, Percent, Tokens } from '../../ui/value.tsx';
import type { VaultDetail } from './vault-documents.ts';

const UNKNOWN = 'The account does not store it';

/** Fees of the vault: rates, and amounts charged so far. */
export function VaultFees({ vault }: { readonly vault: VaultDetail }): ReactNode {
  const { fees, minimums, token, state } = vault;
  const { symbol } = token;
  const penaltyUnits = state.withdrawalPenaltyLamports;
  return (
    <Figures>
      <Figure
        name="Performance"
        hint="Part of the interest"
        detail={charged(fees.cumulativePerformance, symbol)}
      >
        <Percent value={fractionOfBps(fees.performanceBps)} derived />
      </Figure>
      <Figure
        name="Management"
        hint="Part of the value per year"
        detail={charged(fees.cumulativeManagement, symbol)}
      >
        <Percent value={fractionOfBps(fees.managementBps)} derived />
      </Figure>
      <Figure
        name="Withdrawal penalty"
        hint="Part of a withdrawal that stays in the vault"
        {...(penaltyUnits === '0'
          ? {}
          : {
              detail: (
                <>
                  at least{' '}
                  <Tokens
                    value={Decimal.fromBaseUnits(penaltyUnits, token.decimals).toString()}
                    symbol={symbol}
                    derived
                  />
                </>
              ),
            })}
      >
        <Percent
          value={fees.withdrawalPenaltyBps === null ? null : fractionOfBps(fees.withdrawalPenaltyBps)}
          absent={UNKNOWN}
          derived
        />
      </Figure>
      <Figure
        name="Pending"
        hint="Fees that are owed but not yet withdrawn"
        detail={
          fees.lastChargedAt === null ? (
            'never charged'
          ) : (
            <>
              last charged <Time value={fees.lastChargedAt} />
            </>
          )
        }
      >
        <Tokens value={fees.pending.amount} symbol={symbol} />
      </Figure>
      <Figure name="Minimum deposit">
        <Tokens value={minimums.deposit.amount} symbol={symbol} />
      </Figure>
      <Figure name="Minimum withdrawal">
        <Tokens value={minimums.withdraw.amount} symbol={symbol} />
      </Figure>
    </Figures>
  );
}

const charged = ({ amount }: { readonly amount: string }, symbol: string): ReactNode => (
  <>
    <Tokens value={amount} symbol={symbol} /> so far
  </>
);

/** Basis points as a fraction: 1 is 0.0001. */
export const fractionOfBps = (bps: number): string => Decimal.fromBaseUnits(BigInt(bps), 4).toString();

/** The authorities of the vault, and the accounts that belong to it. */
export function VaultAccounts({
  vault,
  errors,
}: {
  readonly vault: VaultDetail;
  readonly errors: readonly SluiceError[];
}): ReactNode {
  const { state, token, sharesToken, farm, createdAt } = vault;
  return (
    <dl className="facts">
      <dt title="May change the vault">Admin</dt>
      <dd>
        <Address address={state.vaultAdminAuthority} what="admin" />
      </dd>
      <dt title="May change the weights and caps">Allocation admin</dt>
      <dd>
        <Address address={state.allocationAdmin} what="allocation admin" />
      </dd>
      <dt>Token</dt>
      <dd>
        {token.name || token.symbol} <Address address={token.mint} what="mint" />
      </dd>
      <dt>Shares</dt>
      <dd>
        <Tokens value={vault.sharesIssued} symbol={sharesToken.symbol} />{' '}
        <Address address={sharesToken.mint} what="share mint" />
      </dd>
      <dt title="Shares can be staked in it">Farm</dt>
      <dd>
        {farm === null ? (
          <Absent why={absence(errors, ['vault', 'farm'], 'The vault has no farm')} />
        ) : (
          <Address address={farm.address} what="farm" />
        )}
      </dd>
      <dt>Created</dt>
      <dd>{createdAt === null ? <Absent why={UNKNOWN} /> : <Time value={createdAt} />}</dd>
    </dl>
  );
}
