import type { SluiceError } from '@sluice/client';
import type { ReactNode } from 'react';
import { usdSum } from '../../lending/usd-sum.ts';
import { absence } from '../../ui/absence.ts';
import { Figure, Figures } from '../../ui/figures.tsx';
import { Tokens, Usd } from '../../ui/value.tsx';
import type { WalletState } from './wallet-documents.ts';

export interface WalletPartProps {
  readonly wallet: WalletState;
  readonly errors: readonly SluiceError[];
}

const UNPRICED = 'A part of it has no known price.';

export function WalletFigures({ wallet, errors }: WalletPartProps): ReactNode {
  const { netValue, claimableRewards, balances } = wallet;
  const positions = wallet.vaultPositions?.nodes;
  const loans = wallet.obligations?.nodes;
  const queued = wallet.withdrawTickets?.nodes;
  const why = (field: keyof WalletState, otherwise = UNPRICED) =>
    absence(errors, ['wallet', field], otherwise);
  return (
    <Figures>
      <Figure
        name="Net value"
        hint="Vault positions, loans net of debt, and queued withdrawals. Token balances are not included."
        detail={<Tokens value={netValue?.sol} symbol="SOL" absent={why('netValue')} />}
      >
        <Usd value={netValue?.usd} absent={why('netValue')} />
      </Figure>
      <Figure name="In vaults" detail={count(positions?.length, 'position')}>
        <Usd
          derived
          value={positions && usdSum(positions.map(({ value }) => value?.usd))}
          absent={why('vaultPositions')}
        />
      </Figure>
      <Figure
        name="Profit in vaults"
        hint="Current value less cost, plus the profit from shares sold, of the vaults it is in now."
      >
        <Usd
          derived
          value={positions && usdSum(positions.map(({ pnl }) => pnl?.usd))}
          signed
          absent={why('vaultPositions', 'The price at the time of a transaction was not recorded.')}
        />
      </Figure>
      <Figure name="Lent" detail={count(loans?.length, 'loan')}>
        <Usd
          derived
          value={loans && usdSum(loans.map(({ stats }) => stats?.userTotalDepositUsd))}
          absent={why('obligations')}
        />
      </Figure>
      <Figure name="Borrowed">
        <Usd
          derived
          value={loans && usdSum(loans.map(({ stats }) => stats?.userTotalBorrowUsd))}
          absent={why('obligations')}
        />
      </Figure>
      {queued !== undefined && queued.length > 0 && (
        <Figure
          name="Queued to withdraw"
          hint="Tickets in the withdraw queues of reserves"
          detail={count(queued.length, 'ticket')}
        >
          <Usd
            derived
            value={usdSum(queued.map(({ amount }) => amount?.usd))}
            absent="A reserve of a ticket cannot be read, or its token has no known price."
          />
        </Figure>
      )}
      <Figure name="Claimable rewards">
        <Usd
          derived
          value={claimableRewards && usdSum(claimableRewards.map(({ usd }) => usd))}
          absent={why('claimableRewards')}
        />
      </Figure>
      <Figure
        name="Priced balances"
        hint="Tokens with a known price, without shares of vaults, which are positions."
        detail={count(balances?.length, 'token')}
      >
        <Usd
          derived
          value={
            balances &&
            usdSum(
              balances
                .filter(({ token, usd }) => token.sharesOf === null && usd !== null)
                .map(({ usd }) => usd),
            )
          }
          absent={why('balances')}
        />
      </Figure>
    </Figures>
  );
}

const count = (number: number | undefined, noun: string): string =>
  number === undefined ? '' : `${number} ${noun}${number === 1 ? '' : 's'}`;
