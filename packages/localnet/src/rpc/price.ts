import { FRACTION_ONE } from '@sluice/protocol/numeric/fraction';

const DECIMAL_PLACES = 15;
const PRICE = new RegExp(`^\\d{1,9}(\\.\\d{1,${DECIMAL_PLACES}})?$`);

/** USD per whole token, scaled by 2^60, of a decimal text such as `20.5`. Null when it is not one. */
export function parsePriceSf(text: string): bigint | null {
  if (!PRICE.test(text)) return null;
  const [whole = '', fraction = ''] = text.split('.');
  const scaled = BigInt(whole + fraction.padEnd(DECIMAL_PLACES, '0')) * FRACTION_ONE;
  return scaled / 10n ** BigInt(DECIMAL_PLACES);
}
