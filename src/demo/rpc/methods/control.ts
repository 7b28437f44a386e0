import { FRACTION_ONE } from '../../../numeric/fraction.ts';
import type { Call, Methods } from '../call.ts';
import type { ChainControl } from '../chain-control.ts';
import { type Params, textParam } from '../params.ts';
import { invalidParams, methodNotFound } from '../rpc-error.ts';

const DECIMAL_PLACES = 15;
const PRICE = new RegExp(`^\\d{1,9}(\\.\\d{1,${DECIMAL_PLACES}})?$`);
const YEAR_SECONDS = 31_536_000;

/** Methods of ours, for tests of applications. A chain that a gateway runs for itself has none of them. */
export const controlMethods: Methods = {
  /** `[token, usd]`: the symbol or mint of a token, and its price as a decimal text. */
  demo_setPrice(call, params) {
    const control = controlOf(call);
    const token = textParam(params, 0);
    if (!control.setPrice(token, priceSf(params))) {
      throw invalidParams('Invalid param: not the symbol or mint of a token of this world');
    }
    return true;
  },

  /** `[seconds]`: answers with the new slot. */
  demo_advanceTime(call, params) {
    const control = controlOf(call);
    const [seconds] = params;
    if (typeof seconds !== 'number' || !(seconds > 0 && seconds <= YEAR_SECONDS)) {
      throw invalidParams(`Invalid param: expected a number of seconds up to ${YEAR_SECONDS}`);
    }
    control.advance(seconds);
    return call.ledger.slot;
  },

  /** Answers with the new slot. */
  demo_reset(call) {
    controlOf(call).reset();
    return call.ledger.slot;
  },
};

function controlOf({ control }: Call): ChainControl {
  if (control === null) throw methodNotFound();
  return control;
}

function priceSf(params: Params): bigint {
  const text = textParam(params, 1);
  if (!PRICE.test(text)) throw invalidParams('Invalid param: expected a price in USD as a decimal text');
  const [whole = '', fraction = ''] = text.split('.');
  const scaled = BigInt(whole + fraction.padEnd(DECIMAL_PLACES, '0')) * FRACTION_ONE;
  const price = scaled / 10n ** BigInt(DECIMAL_PLACES);
  if (price === 0n) throw invalidParams('Invalid param: a price is above zero');
  return price;
}
