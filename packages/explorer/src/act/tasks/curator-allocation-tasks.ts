import { type CuratedVault, KEPT, reserveChoice, U64_MOST } from './curated-vault.ts';
import { field, optional, words } from './field.ts';
import { readAddress, readAmount, readCap, readWhole, type TokenUnit } from './read.ts';
import { given, type Task, task } from './task.ts';

export function allocationTask(vault: CuratedVault): Task {
  const { symbol } = vault.token;
  return task({
    name: 'Change weight and caps',
    about: `Sets what share of the vault a reserve is to get, and at most how much. Nothing moves until someone invests. ${KEPT}`,
    symbol,
    fields: {
      reserve: reserveChoice(vault),
      weight: optional(
        field('Weight', readWhole(U64_MOST), { hint: 'Relative to the weights of the other reserves.' }),
      ),
      cap: optional(field(`Cap in ${symbol}`, readCap(vault.token), { hint: '“none” for no cap.' })),
      collateralCap: optional(
        field('Cap in collateral tokens of the reserve', readCap(COLLATERAL), { hint: '“none” for no cap.' }),
      ),
    },
    actionOf: (wallet, { reserve, weight, cap, collateralCap }) =>
      Object.keys(given({ weight, cap, collateralCap })).length === 0
        ? null
        : {
            setVaultAllocation: {
              wallet,
              vault: vault.address,
              reserve,
              ...given({ weight, cap, collateralCap }),
            },
          },
  });
}

/** The gateway refuses what the mint cannot express. */
const COLLATERAL: TokenUnit = { symbol: 'A token', decimals: 18 };

export const addReserveTask = (vault: CuratedVault): Task =>
  task({
    name: 'Add a reserve',
    about: `Lets the vault lend through another reserve of ${vault.token.symbol}. You pay the rent of its account. Nothing moves until someone invests.`,
    symbol: vault.token.symbol,
    fields: {
      reserve: words('Address of the reserve', readAddress),
      weight: field('Weight', readWhole(U64_MOST), {
        hint: 'Relative to the weights of the other reserves.',
      }),
      cap: optional(field(`Cap in ${vault.token.symbol} (empty for none)`, readCap(vault.token))),
    },
    actionOf: (wallet, { reserve, weight, cap }) => ({
      setVaultAllocation: { wallet, vault: vault.address, reserve, weight, ...given({ cap }) },
    }),
  });

export const removalTask = (vault: CuratedVault): Task =>
  task({
    name: 'Remove a reserve',
    about:
      'Takes a reserve out of the vault for good. Its weight must be 0 and the vault must have nothing there.',
    symbol: vault.token.symbol,
    fields: { reserve: reserveChoice(vault) },
    actionOf: (wallet, { reserve }) => ({
      removeVaultAllocation: { wallet, vault: vault.address, reserve },
    }),
  });

export const investTask = (vault: CuratedVault): Task =>
  task({
    name: 'Invest',
    about:
      'Moves tokens of the vault into a reserve, or out of it, towards its target. Anyone may; rounding costs you at most one base unit.',
    symbol: vault.token.symbol,
    fields: {
      reserve: reserveChoice(vault),
      maxAmount: optional(
        field(`At most, in ${vault.token.symbol} (empty for all)`, readAmount(vault.token, false)),
      ),
    },
    actionOf: (wallet, { reserve, maxAmount }) => ({
      investVault: { wallet, vault: vault.address, reserve, ...given({ maxAmount }) },
    }),
  });
