import { z } from '@hono/zod-openapi';
import { NO_TRIGGER_PRICES, ORDER_HINDRANCES } from '../../services/obligations/leverage-orders.ts';
import { TRANSFER_STATES } from '../../services/obligations/ownership-transfer.ts';
import { borrowOrderOutlook } from '../obligations/borrow-order-schemas.ts';
import { BorrowOrder, humanTag } from '../obligations/schemas.ts';
import { address, addressOut } from '../values/address.ts';
import { dateOut } from '../values/date.ts';
import { decimalOut } from '../values/decimal.ts';
import { ticketFields } from '../withdraw-queues/schemas.ts';

export const PortfolioParams = z.object({ wallet: address('Address of the wallet.') });

const symbol = z.string().openapi({ description: 'Ticker of the token.' });
const value = decimalOut('Value in USD. Absent when no price is known.').optional();
const price = decimalOut('Price in USD per whole token. Absent when no price is known.').optional();
const positionMint = addressOut(
  'Mint of the token. 11111111111111111111111111111111 when the reserve cannot be read.',
);
const known = (description: string) =>
  decimalOut(`${description} Null when a reserve or a price is unknown.`).nullable();

const PortfolioDeposit = z
  .strictObject({
    mint: positionMint,
    symbol,
    amount: decimalOut('The deposit with interest up to now, in whole tokens.'),
    value,
    price,
    reserve: addressOut('Address of the reserve.'),
    maxLtv: decimalOut('Maximum loan-to-value of the deposit, as a fraction.'),
    liquidationLtv: decimalOut('Fraction of the value of the deposit at which debt can be liquidated.'),
  })
  .openapi('PortfolioDeposit');

const PortfolioBorrow = z
  .strictObject({
    mint: positionMint,
    symbol,
    amount: decimalOut('The debt with interest up to now, in whole tokens.'),
    value,
    price,
    reserve: addressOut('Address of the reserve.'),
    borrowFactor: decimalOut('Factor by which the debt is multiplied before it is compared with the limits.'),
    rolloverWindowDays: z.int().min(1).optional().openapi({
      description:
        'Days before the end of its term in which the owner lets the debt roll over to a fixed term. Absent for the window of the market.',
    }),
  })
  .openapi('PortfolioBorrow');

const PortfolioBorrowOrder = z
  .strictObject({
    index: z.int().min(0).max(2).openapi({ description: 'Place of the order in the obligation.' }),
    ...BorrowOrder.shape,
    ...borrowOrderOutlook,
  })
  .openapi('PortfolioBorrowOrder');

const PortfolioTriggerPrice = z
  .strictObject({
    reserve: addressOut('Address of the reserve of the collateral.'),
    currentUsd: decimalOut('Price of the collateral now, in USD. Null when it is unknown.').nullable(),
    triggerUsd: decimalOut(
      'Price at which the order triggers, in USD, all other prices unchanged. Null when no price of this collateral alone triggers it.',
    ).nullable(),
    side: z
      .enum(['BELOW', 'ABOVE'])
      .nullable()
      .openapi({ description: 'Side of that price on which the order triggers. Null without a price.' }),
    reason: z
      .enum(NO_TRIGGER_PRICES)
      .nullable()
      .openapi({ description: 'Why there is no such price. Null when there is one.' }),
  })
  .openapi('PortfolioTriggerPrice');

export const PortfolioOrder = z
  .strictObject({
    index: z.int().min(0).max(1).openapi({ description: 'Place of the order in the obligation.' }),
    description: z.string().openapi({
      description: 'The order in one sentence: its condition, the permitted action and the bonus.',
    }),
    trigger: z.string().nullable().openapi({
      description:
        'What the order watches as it is now, and what would trigger it. Null when the market cannot be read.',
    }),
    isTriggered: z.boolean().nullable().openapi({
      description: 'Whether the condition holds now. Null when a value is unknown.',
    }),
    hindrance: z.enum(ORDER_HINDRANCES).nullable().openapi({
      description:
        'Why the order is not executed, whatever prices do. Null when nothing prevents it, and when the market cannot be read.',
    }),
    triggerPrices: z.array(PortfolioTriggerPrice).openapi({
      description: 'For each deposit, in their order, the price at which the order triggers.',
    }),
  })
  .openapi('PortfolioOrder');

export const PortfolioTransfer = z
  .strictObject({
    newOwner: addressOut('The wallet that is to own the obligation.'),
    state: z.enum(TRANSFER_STATES).nullable().openapi({
      description:
        'INITIATED until the admin of the lending program has approved it, then APPROVED. Null for a state unknown to this version of the gateway.',
    }),
    canAbort: z.boolean().openapi({ description: 'Whether the owner can still abort the transfer.' }),
    remainingSteps: z
      .array(z.string())
      .openapi({ description: 'The steps that are left, in order, each in one or two sentences.' }),
  })
  .openapi('PortfolioOwnershipTransfer');

export const PortfolioObligation = z
  .strictObject({
    obligation: addressOut('Address of the obligation.'),
    market: addressOut('Address of the lending market.'),
    tag: humanTag,
    netValue: known('`totalDepositValue` - `totalBorrowValue`, in USD.'),
    totalDepositValue: known('Total of the deposits, in USD.'),
    totalBorrowValue: known('Total of the debts, in USD.'),
    ltv: known('Debts times borrow factors / deposits that count for borrowing, as a fraction.'),
    maxLtv: known('Maximum `ltv` for borrowing, as a fraction.'),
    liquidationLtv: known('Liquidation limit / deposits that count for liquidation, as a fraction.'),
    leverage: known('Deposits / net value.'),
    deposits: z.array(PortfolioDeposit).openapi({ description: 'Deposits, in the order of the account.' }),
    borrows: z.array(PortfolioBorrow).openapi({ description: 'Debts, in the order of the account.' }),
    borrowOrders: z
      .array(PortfolioBorrowOrder)
      .optional()
      .openapi({ description: 'Borrow orders. Absent without one.' }),
    orders: z
      .array(PortfolioOrder)
      .optional()
      .openapi({ description: 'Active stop-loss and take-profit orders. Absent without one.' }),
    ownershipTransfer: PortfolioTransfer.optional().openapi({
      description: 'Transfer of the obligation to another wallet. Absent when none is under way.',
    }),
  })
  .openapi('PortfolioObligation');

export const LeveragedObligation = z
  .strictObject({
    ...PortfolioObligation.shape,
    depositMint: addressOut('Mint of the collateral. Absent without a deposit.').optional(),
    borrowMint: addressOut('Mint of the debt. Absent without a debt.').optional(),
  })
  .openapi('LeveragedObligation');

export const PortfolioVault = z
  .strictObject({
    vault: addressOut('Address of the vault.'),
    tokenMint: addressOut('Mint of the deposit token.'),
    symbol,
    name: z.string().openapi({ description: 'Name of the vault. May be empty.' }),
    nameVerified: z.boolean().openapi({
      description: 'Whether the catalogue names the admin of the vault, who sets the name.',
    }),
    netValue: decimalOut('Value of the shares in USD. Absent when no price is known.').optional(),
    shares: decimalOut('Staked and unstaked shares, in whole shares.'),
    amount: decimalOut('Value of the shares in whole deposit tokens.'),
  })
  .openapi('PortfolioVault');

export const PortfolioStake = z
  .strictObject({
    mint: addressOut('Mint of the staked token.'),
    symbol,
    farm: addressOut('Address of the farm.'),
    amount: decimalOut('Staked amount, in whole tokens.'),
    value,
    price,
  })
  .openapi('PortfolioStake');

export const PortfolioTicket = z
  .strictObject({
    ...ticketFields,
    reserve: addressOut('Address of the reserve.'),
    mint: positionMint,
    symbol,
  })
  .openapi('PortfolioWithdrawTicket');

const nullableUsd = (description: string) => decimalOut(description).nullable();

const LiquidityToken = z
  .strictObject({
    mint: addressOut('Mint of the token.'),
    symbol: z.string().openapi({ description: 'Symbol of the token.' }),
    amount: decimalOut('Amount in whole tokens.'),
    value: nullableUsd('Value in USD. Null when no price is known.'),
    price: nullableUsd('Price in USD. Null when none is known.'),
    reserve: addressOut('Reserve of the token. Absent without one.').optional(),
  })
  .openapi('LiquidityToken');

const LiquidityPosition = z
  .strictObject({
    strategy: addressOut('Address of the strategy.'),
    shareMint: addressOut('Mint of its shares.'),
    shares: decimalOut('Shares that are held or staked, in whole shares.'),
    netValue: nullableUsd('Value in USD. Null when no price is known.'),
    tokenA: LiquidityToken,
    tokenB: LiquidityToken,
  })
  .openapi('LiquidityPosition');

const SectionError = z
  .strictObject({ code: z.string().openapi({ description: 'Error code, as in `X-Error-Code`.' }) })
  .openapi('SectionError');

const Section = z
  .strictObject({
    indexed: z.boolean().openapi({ description: 'Whether this gateway reads positions of this product.' }),
    positionsRefreshedOn: dateOut(
      'Positions are read for every request, at this time or later. Null when they are not indexed or could not be read.',
    ).nullable(),
    pricesRefreshedOn: dateOut(
      'Time when prices were last read. Null when positions are not indexed.',
    ).nullable(),
    errors: z
      .array(SectionError)
      .openapi({ description: 'Why positions may be missing. Empty when all were read.' }),
  })
  .openapi('PortfolioSection');

export const Portfolio = z
  .strictObject({
    timestamp: dateOut('Time of the valuation.'),
    sections: z
      .strictObject({
        lending: Section,
        multiply: Section,
        leverage: Section,
        liquidity: Section,
        earn: Section,
        privateCredit: Section,
        staking: Section,
        withdrawTickets: Section.optional(),
      })
      .openapi('PortfolioSections', { description: 'State of each product.' }),
    lending: z
      .array(PortfolioObligation)
      .openapi({ description: 'Obligations that are neither Multiply nor Leverage.' }),
    multiply: z.array(LeveragedObligation).openapi({ description: 'Multiply obligations.' }),
    leverage: z.array(LeveragedObligation).openapi({ description: 'Leverage obligations.' }),
    liquidity: z
      .array(LiquidityPosition)
      .max(0)
      .openapi({ description: 'Always empty: positions in liquidity strategies are not indexed.' }),
    earn: z
      .array(PortfolioVault)
      .openapi({ description: 'Vault positions, except those of `privateCredit`.' }),
    privateCredit: z.array(PortfolioVault).openapi({
      description:
        'Positions in vaults that the catalogue of this deployment lists as private credit. The chain does not say so.',
    }),
    staking: z
      .array(PortfolioStake)
      .openapi({ description: 'Tokens staked in farms that belong to no vault and no reserve.' }),
    withdrawTickets: z.array(PortfolioTicket).optional().openapi({
      description:
        'Withdrawals that wait in the queues of reserves. Absent, with its section, for a wallet without any.',
    }),
  })
  .openapi('Portfolio');
