import {
  OraclePrices,
  type OraclePricesFields,
} from '@kamino-finance/scope-sdk/dist/@codegen/scope/accounts/OraclePrices.js';
import { anchorAccount, type CaseInput } from '../anchor-account.ts';
import { SLOT, UNIX_SECONDS } from '../constants.ts';
import { bn, type Overrides } from '../fill.ts';
import type { Prng } from '../prng.ts';

type Prices = Overrides<OraclePricesFields>;

const price = (prng: Prng, exp: number): NonNullable<Prices['prices']>[number] => ({
  price: { value: bn(prng.between(1n, 10n ** BigInt(exp + 3))), exp: bn(exp) },
  lastUpdatedSlot: bn(SLOT - prng.between(0n, 300n)),
  unixTimestamp: bn(UNIX_SECONDS - prng.between(0n, 120n)),
});

const cases: CaseInput<OraclePricesFields>[] = [
  {
    name: 'typical',
    note: 'sixty prices with different scales, the rest unused',
    fields: (prng) => ({
      oracleMappings: prng.address(),
      prices: Array.from({ length: 60 }, (_, index) => price(prng, index % 16)),
    }),
  },
  {
    name: 'last price',
    note: 'only the last of 512 places is used',
    fields: (prng) => ({
      oracleMappings: prng.address(),
      prices: [
        ...Array.from({ length: 511 }, () => undefined),
        { ...price(prng, 8), genericData: [...prng.bytes(24)] },
      ],
    }),
  },
];

export const scopeVectors = () =>
  anchorAccount('scope-oracle-prices', 'OraclePrices', 'scope', OraclePrices, cases);
