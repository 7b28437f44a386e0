import { z } from '@hono/zod-openapi';
import { BorrowOrder, humanTag } from '../obligations/schemas.ts';
import { address, addressOut } from '../values/address.ts';
import { dateOut } from '../values/date.ts';
import { decimalOut, integerOut } from '../values/decimal.ts';

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
  })
  .openapi('PortfolioBorrowOrder');

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
      .openapi({ description: 'Open borrow orders. Absent without one.' }),
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
    ticket: addressOut('Address of the ticket.'),
    reserve: addressOut('Address of the reserve.'),
    sequenceNumber: integerOut('Number of the ticket in the queue of its reserve.'),
    state: z.enum(['QUEUED', 'CANCELLED', 'INVALID']).openapi({
      description:
        'QUEUED: waits for its turn. CANCELLED: emptied by its owner. INVALID: passed over, because its destination could not be paid.',
    }),
    ticketsAhead: integerOut(
      'Number of tickets whose turn comes first. Absent when its turn is over, or the reserve cannot be read.',
    ).optional(),
    createdOn: dateOut('Time when the ticket was issued.'),
    collateralAmount: decimalOut('Collateral tokens (cTokens) that wait, in whole tokens.'),
    mint: positionMint,
    symbol,
    amount: decimalOut('Present worth of the collateral tokens, in whole tokens of the reserve.'),
    value,
  })
  .openapi('PortfolioWithdrawTicket');

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
      .optional()
      .openapi({ description: 'Why positions may be missing. Absent when all were read.' }),
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
      .array(z.strictObject({}).openapi('LiquidityPosition'))
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
