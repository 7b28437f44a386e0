import type { ObligationOrder } from '@sluice/protocol/klend/obligation';
import { placePoint } from '@sluice/protocol/numeric/decimal';
import { floorScaled, U128_MAX } from '@sluice/protocol/numeric/fraction';
import type { Moment } from '../../domain/moment.ts';
import { activeBorrows } from '../../domain/obligation.ts';
import { isActiveOrder, orderTerms } from '../../domain/obligation-orders.ts';
import { type OrderOutlook, orderOutlook } from '../../domain/order-outlook.ts';
import { orderInWords, outlookInWords } from '../../domain/order-words.ts';
import { priceWarnings } from '../lending/warnings.ts';
import { NO_FIGURES, type Preview } from '../preview.ts';
import { type BuildWarning, warning } from '../warnings.ts';
import { type OrderAccounts, symbolAt, type ValuedPositions } from './accounts.ts';
import { marketRefusals } from './refusals.ts';

/** The outcome of a new order: what it says, and what would trigger it. */
export function setPreview(
  accounts: OrderAccounts,
  index: number,
  order: ObligationOrder,
  valued: ValuedPositions,
  moment: Moment,
): Preview {
  const { market } = accounts;
  const terms = orderTerms(order);
  const outlook = orderOutlook(terms, market, valued.positions, valued.stats);
  const replaced = orderAt(accounts, index);
  return {
    ...NO_FIGURES,
    order: {
      index,
      before: replaced && describedOrder(accounts, replaced),
      after: describedOrder(accounts, order),
      outlook: outlookInWords(terms, outlook, (reserve) => symbolAt(accounts, reserve)),
      isMet: outlook.isMet,
      prices: outlook.prices,
    },
    warnings: [
      ...marketRefusals(market, replaced === null),
      ...(replaced === null
        ? []
        : [warning('ORDER_REPLACED', `Order ${index} is replaced: ${describedOrder(accounts, replaced)}`)]),
      ...outlookWarnings(outlook),
      ...(order.maxExecutionBonusBps === 0 ? [WITHOUT_BONUS] : []),
      ...aboveDebt(accounts, order, valued),
      ...priceWarnings(accounts, valued.stats !== null, false, moment),
    ],
  };
}

/** The outcome of a cancellation. */
export function cancelPreview(accounts: OrderAccounts, index: number): Preview {
  const cancelled = orderAt(accounts, index);
  return {
    ...NO_FIGURES,
    order: {
      index,
      before: cancelled && describedOrder(accounts, cancelled),
      after: null,
      outlook: null,
      isMet: null,
      prices: [],
    },
    warnings: [
      ...marketRefusals(accounts.market, false),
      ...(cancelled === null
        ? [warning('ORDER_ABSENT', `The obligation has no order ${index}, so nothing changes.`)]
        : []),
    ],
  };
}

/** Null for an empty slot. */
function orderAt({ obligation }: OrderAccounts, index: number): ObligationOrder | null {
  const order = obligation.obligationOrders[index];
  return order !== undefined && isActiveOrder(order) ? order : null;
}

function describedOrder(accounts: OrderAccounts, order: ObligationOrder): string {
  return orderInWords(orderTerms(order), amountInWords(accounts, floorScaled(order.opportunityParameterSf)));
}

/** The amount of an order, in tokens of the only debt where its decimals are known. */
export function amountInWords(accounts: OrderAccounts, units: bigint): string {
  const [debt, ...others] = activeBorrows(accounts.obligation);
  const reserve = debt && others.length === 0 ? accounts.reserves.get(debt.borrowReserve) : undefined;
  if (debt === undefined || reserve === undefined) return `${units} base units of the debt`;
  return `${placePoint(units, Number(reserve.liquidity.mintDecimals))} ${symbolAt(accounts, debt.borrowReserve)}`;
}

function outlookWarnings({ isMet, hindrance }: OrderOutlook): BuildWarning[] {
  const warnings: BuildWarning[] = [];
  if (isMet === true) {
    const message =
      'The condition of the order holds now, so anyone may execute it as soon as it is set. Choose another threshold unless that is intended.';
    warnings.push(warning('ORDER_TRIGGERED_NOW', message));
  }
  if (hindrance === 'PRICE_TRIGGERS_DISABLED') {
    const message =
      'The market has switched off everything that prices trigger, liquidations included. The order waits until that ends.';
    warnings.push(warning('ORDER_PAUSED', message));
  }
  return warnings;
}

const WITHOUT_BONUS = warning(
  'ORDER_WITHOUT_BONUS',
  'The order pays no bonus, so probably nobody executes it. Offer a bonus above the costs of a swap.',
);

function aboveDebt(
  accounts: OrderAccounts,
  { opportunityParameterSf }: ObligationOrder,
  { positions }: ValuedPositions,
): BuildWarning[] {
  const [debt] = positions.borrows;
  if (opportunityParameterSf === U128_MAX || debt === undefined || debt.amount === null) return [];
  if (floorScaled(opportunityParameterSf) <= debt.amount.ceil()) return [];
  const message = `The debt is only ${amountInWords(accounts, debt.amount.ceil())}; no more than that is repaid.`;
  return [warning('ABOVE_POSITION', message)];
}
