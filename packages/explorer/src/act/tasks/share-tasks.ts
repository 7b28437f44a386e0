import { choice, field } from './field.ts';
import { readShares, type TokenUnit } from './read.ts';
import { type Task, task } from './task.ts';

/** A vault of which a wallet has shares. */
export interface SharesVault {
  readonly address: string;
  readonly symbol: string;
  /** Decimals of the shares. */
  readonly shares: TokenUnit;
  /** Whether shares can be staked. */
  readonly hasFarm: boolean;
  /** Reserves that the vault lends through. */
  readonly reserves: readonly { readonly address: string; readonly name: string }[];
}

/** What else an owner can do with shares than sell them to the vault. */
export function shareTasks(vault: SharesVault): readonly Task[] {
  return [
    ...(vault.hasFarm ? [stakeTask(vault), unstakeTask(vault)] : []),
    ...(vault.reserves.length > 0 ? [inKindTask(vault)] : []),
  ];
}

const stakeTask = ({ address, shares }: SharesVault): Task =>
  task({
    name: 'Stake shares',
    about: 'Moves shares from your wallet into the farm of the vault, where they earn its rewards.',
    fields: { amount: field('Shares to stake, or all', readShares(shares)) },
    actionOf: (wallet, { amount }) => ({ stakeShares: { wallet, vault: address, amount } }),
  });

const unstakeTask = ({ address, shares }: SharesVault): Task =>
  task({
    name: 'Unstake shares',
    about:
      'Moves shares from the farm back into your wallet. They stay shares of the vault, but earn no rewards of the farm.',
    fields: { amount: field('Shares to unstake, or all', readShares(shares)) },
    actionOf: (wallet, { amount }) => ({ unstakeShares: { wallet, vault: address, amount } }),
  });

const inKindTask = ({ address, symbol, shares, reserves }: SharesVault): Task =>
  task({
    name: 'Take collateral tokens',
    about: `Exchanges shares for collateral tokens of one reserve, also when the vault cannot pay ${symbol} now. Redeem them for ${symbol} when the reserve has liquidity again.`,
    symbol,
    fields: {
      reserve: choice(
        'Reserve',
        reserves.map((reserve) => [reserve.address, reserve.name]),
      ),
      amount: field('Shares to exchange, or all', readShares(shares)),
    },
    actionOf: (wallet, { reserve, amount }) => ({
      vaultRedeemInKind: { wallet, vault: address, reserve, amount },
    }),
  });
