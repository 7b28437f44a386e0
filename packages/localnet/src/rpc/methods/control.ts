import type { Call, Methods } from '../call.ts';
import { type ChainControl, MAX_ADVANCE_SECONDS } from '../chain-control.ts';
import { addressParam, flagParam, type Params, textParam } from '../params.ts';
import { parsePriceSf } from '../price.ts';
import { invalidParams, methodNotFound } from '../rpc-error.ts';

/** Methods that no Solana node has, for tests of applications. A localnet that a gateway runs for itself has none of them. */
export const controlMethods: Methods = {
  /** `[token, usd]`: the symbol or mint of a token, and its price as a decimal text. */
  localnet_setPrice(call, params) {
    const control = controlOf(call);
    const token = textParam(params, 0);
    if (!control.setPrice(token, priceSf(params))) {
      throw invalidParams('Invalid param: not the symbol or mint of a token of this world');
    }
    return true;
  },

  /** `[address, isOn]`: the address of a reserve, or of a market for all of its reserves. */
  localnet_setEmergencyMode(call, params) {
    const control = controlOf(call);
    const address = addressParam(params, 0);
    if (!control.setEmergencyMode(address, flagParam(params, 1))) {
      throw invalidParams('Invalid param: not a reserve or market of this world');
    }
    return true;
  },

  /** `[seconds]`: answers with the new slot. */
  localnet_advanceTime(call, params) {
    const control = controlOf(call);
    const [seconds] = params;
    if (typeof seconds !== 'number' || !(seconds > 0 && seconds <= MAX_ADVANCE_SECONDS)) {
      throw invalidParams(`Invalid param: expected a number of seconds up to ${MAX_ADVANCE_SECONDS}`);
    }
    control.advance(seconds);
    return call.chain.slot;
  },

  /** Answers with the new slot. */
  localnet_reset(call) {
    controlOf(call).reset();
    return call.chain.slot;
  },
};

function controlOf({ control }: Call): ChainControl {
  if (control === null) throw methodNotFound();
  return control;
}

function priceSf(params: Params): bigint {
  const price = parsePriceSf(textParam(params, 1));
  if (price === null) throw invalidParams('Invalid param: expected a price in USD as a decimal text');
  if (price === 0n) throw invalidParams('Invalid param: a price is above zero');
  return price;
}
