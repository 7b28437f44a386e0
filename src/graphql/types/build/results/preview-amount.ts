import { integer } from '@sluice/protocol/numeric/rational';
import type { PreviewAmount } from '../../../../services/builds/results.ts';
import { denominationOf, type TokenAmount, tokenAmount } from '../../../../services/tokens/amounts.ts';
import type { GraphQLContext } from '../../../context.ts';

/** An amount of a preview, at the prices of the View. */
export function amountOf(
  { mint, decimals, amount }: PreviewAmount,
  { session }: GraphQLContext,
): TokenAmount {
  return tokenAmount(session.view, denominationOf(session.view, mint, decimals), integer(amount));
}
