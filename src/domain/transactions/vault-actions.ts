import type { Address } from '@solana/kit';
import { vaultInvest, vaultRedeemInKind } from '../../programs/kvault/allocation-instructions.ts';
import {
  vaultBuy,
  vaultDeposit,
  vaultSell,
  vaultWithdraw,
  vaultWithdrawFromAvailable,
} from '../../programs/kvault/instructions.ts';
import type { VaultChange } from './events.ts';
import { reading } from './readings.ts';
import type { Action, Changes, Scene } from './scene.ts';

interface DepositAccounts {
  readonly user: Address;
  readonly vaultState: Address;
  readonly tokenVault: Address;
  readonly userTokenAta: Address;
  readonly userSharesAta: Address;
}

const NEITHER = { reserve: null, reserveTokens: 0n, counterparty: null } as const;

/** Arguments say at most; what was taken and given is what the token programs moved. */
function deposited(accounts: DepositAccounts, { flows }: Scene): Changes {
  return changed({
    kind: 'deposit',
    vault: accounts.vaultState,
    wallet: accounts.user,
    tokens: flows.sent(accounts.userTokenAta, accounts.tokenVault),
    shares: flows.received(null, accounts.userSharesAta),
    ...NEITHER,
  });
}

function withdrawn(accounts: DepositAccounts, { flows }: Scene): VaultChange {
  return {
    kind: 'withdraw',
    vault: accounts.vaultState,
    wallet: accounts.user,
    tokens: flows.received(accounts.tokenVault, accounts.userTokenAta),
    shares: flows.sent(accounts.userSharesAta, null),
    ...NEITHER,
  };
}

interface ReserveAccounts extends DepositAccounts {
  readonly reserve: Address;
  readonly reserveLiquiditySupply: Address;
}

/** What leaves the reserve passes through the vault, or goes to the wallet at once. */
function withdrawnFromReserve(accounts: ReserveAccounts, scene: Scene): Changes {
  const { reserve, reserveLiquiditySupply, tokenVault, userTokenAta } = accounts;
  const change = withdrawn(accounts, scene);
  const direct = scene.flows.received(reserveLiquiditySupply, userTokenAta);
  const left = scene.flows.received(reserveLiquiditySupply, tokenVault) + direct;
  return changed({
    ...change,
    tokens: (change.tokens ?? 0n) + direct,
    ...(left === 0n ? {} : { reserve, reserveTokens: -left }),
  });
}

/** A change in which nothing moved is none. */
function changed(change: VaultChange): Changes {
  return change.shares === 0n && (change.tokens ?? 0n) === 0n ? {} : { vault: [change] };
}

export const VAULT_ACTIONS: readonly Action[] = [
  reading(vaultDeposit, ({ accounts }, scene: Scene) => deposited(accounts, scene)),
  reading(vaultBuy, ({ accounts }, scene: Scene) => deposited(accounts, scene)),
  reading(vaultWithdrawFromAvailable, ({ accounts }, scene: Scene) => changed(withdrawn(accounts, scene))),
  reading(vaultWithdraw, ({ accounts }, scene: Scene) => withdrawnFromReserve(accounts, scene)),
  reading(vaultSell, ({ accounts }, scene: Scene) => withdrawnFromReserve(accounts, scene)),
  reading(vaultRedeemInKind, ({ accounts }, { flows }: Scene) =>
    changed({
      kind: 'withdraw',
      vault: accounts.vaultState,
      wallet: accounts.user,
      tokens: null,
      shares: flows.sent(accounts.userSharesTa, null),
      ...NEITHER,
    }),
  ),
  reading(vaultInvest, ({ accounts }, { flows }: Scene) => {
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
  }),
];
