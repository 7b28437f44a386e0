import type { WorldAddresses } from '../world-addresses.ts';
import type { Obligation, Reserve } from './model.ts';
import type { World } from './world.ts';

/** The first vanilla loan with a debt that nobody repays early, because that costs a penalty. */
export function termLoanAddresses({
  obligations,
}: World): Pick<WorldAddresses, 'termWallet' | 'termObligation' | 'termMarket' | 'termReserve'> {
  for (const obligation of obligations) {
    const reserve = isPlain(obligation) ? termReserveOf(obligation) : undefined;
    if (reserve === undefined) continue;
    return {
      termWallet: obligation.owner.address,
      termObligation: obligation.address,
      termMarket: obligation.market.address,
      termReserve: reserve.address,
    };
  }
  throw new RangeError('no loan has a fixed term');
}

const isPlain = ({ key, exists }: Obligation) => exists && key.tag === 0 && key.id === 0;

function termReserveOf({ borrows }: Obligation): Reserve | undefined {
  return borrows.find((debt) => debt?.reserve.spec.earlyRepayPct !== undefined)?.reserve;
}
