import type { Address } from '@solana/kit';
import {
  vaultInvest,
  vaultInvestWithMaxAmount,
  vaultRedeemInKind,
} from '../kvault/allocation-instructions.ts';
import {
  vaultBuy,
  vaultBuyWithMinSharesOut,
  vaultDeposit,
  vaultDepositWithMinSharesOut,
  vaultSell,
  vaultWithdraw,
  vaultWithdrawFromAvailable,
} from '../kvault/instructions.ts';
import type { Action, CallContext, Changes } from './call-context.ts';
import type { VaultChange } from './events.ts';
import { instructionReader } from './instruction-reader.ts';

interface DepositAccounts {
  readonly user: Address;
  readonly vaultState: Address;
  readonly tokenVault: Address;
  readonly userTokenAta: Address;
  readonly userSharesAta: Address;
}

const NO_RESERVE_OR_COUNTERPARTY = { reserve: null, reserveTokens: 0n, counterparty: null } as const;

/** The arguments are only upper bounds; the actual amounts are the token movements. */
function deposited(accounts: DepositAccounts, { flows }: CallContext): Changes {
  return changed({
    kind: 'deposit',
    vault: accounts.vaultState,
    wallet: accounts.user,
    tokens: flows.sent(accounts.userTokenAta, accounts.tokenVault),
    shares: flows.received(null, accounts.userSharesAta),
    ...NO_RESERVE_OR_COUNTERPARTY,
  });
}

function withdrawn(accounts: DepositAccounts, { flows }: CallContext): VaultChange {
  return {
    kind: 'withdraw',
    vault: accounts.vaultState,
    wallet: accounts.user,
    tokens: flows.received(accounts.tokenVault, accounts.userTokenAta),
    shares: flows.sent(accounts.userSharesAta, null),
    ...NO_RESERVE_OR_COUNTERPARTY,
  };
}

interface ReserveAccounts extends DepositAccounts {
  readonly reserve: Address;
  readonly reserveLiquiditySupply: Address;
}

/** Liquidity leaves the reserve through the vault, or directly to the wallet. */
function withdrawnFromReserve(accounts: ReserveAccounts, context: CallContext): Changes {
  const { reserve, reserveLiquiditySupply, tokenVault, userTokenAta } = accounts;
  const change = withdrawn(accounts, context);
  const direct = context.flows.received(reserveLiquiditySupply, userTokenAta);
  const left = context.flows.received(reserveLiquiditySupply, tokenVault) + direct;
  return changed({
    ...change,
    tokens: (change.tokens ?? 0n) + direct,
    ...(left === 0n ? {} : { reserve, reserveTokens: -left }),
  });
}

function invested(
  accounts: {
    readonly payer: Address;
    readonly vaultState: Address;
    readonly tokenVault: Address;
    readonly reserve: Address;
    readonly reserveLiquiditySupply: Address;
  },
  { flows }: CallContext,
): Changes {
  const into = flows.sent(accounts.tokenVault, accounts.reserveLiquiditySupply);
  const back = flows.received(accounts.reserveLiquiditySupply, accounts.tokenVault);
  return changed({
    kind: 'invest',
    vault: accounts.vaultState,
    wallet: accounts.payer,
    tokens: into > back ? into - back : back - into,
    shares: 0n,
    reserve: accounts.reserve,
    reserveTokens: into - back,
    counterparty: null,
  });
}

/** Drops a change in which nothing moved. */
function changed(change: VaultChange): Changes {
  return change.shares === 0n && (change.tokens ?? 0n) === 0n ? {} : { vault: [change] };
}

export const VAULT_ACTIONS: readonly Action[] = [
  instructionReader(vaultDeposit, ({ accounts }, context: CallContext) => deposited(accounts, context)),
  instructionReader(vaultBuy, ({ accounts }, context: CallContext) => deposited(accounts, context)),
  instructionReader(vaultDepositWithMinSharesOut, ({ accounts }, context: CallContext) =>
    deposited(accounts, context),
  ),
  instructionReader(vaultBuyWithMinSharesOut, ({ accounts }, context: CallContext) =>
    deposited(accounts, context),
  ),
  instructionReader(vaultWithdrawFromAvailable, ({ accounts }, context: CallContext) =>
    changed(withdrawn(accounts, context)),
  ),
  instructionReader(vaultWithdraw, ({ accounts }, context: CallContext) =>
    withdrawnFromReserve(accounts, context),
  ),
  instructionReader(vaultSell, ({ accounts }, context: CallContext) =>
    withdrawnFromReserve(accounts, context),
  ),
  instructionReader(vaultRedeemInKind, ({ accounts }, { flows }: CallContext) => {
    const { user: wallet, vaultState: vault, userCtokenTa: account } = accounts;
    const moved = changed({
      kind: 'withdraw',
      vault,
      wallet,
      tokens: null,
      shares: flows.sent(accounts.userSharesTa, null),
      ...NO_RESERVE_OR_COUNTERPARTY,
    });
    return { ...moved, release: { account, signer: wallet, obligation: null, vault } };
  }),
  instructionReader(vaultInvest, ({ accounts }, context: CallContext) => invested(accounts, context)),
  instructionReader(vaultInvestWithMaxAmount, ({ accounts }, context: CallContext) =>
    invested(accounts, context),
  ),
];
