import { PROGRAM_ID as KLEND } from '@kamino-finance/klend-sdk/dist/@codegen/klend/programId.js';
import {
  getObligationPdaWithArgs,
  LendingObligation,
  LendingObligationFixedRate,
  LeverageObligation,
  LeverageObligationFixedRate,
  MultiplyObligation,
  MultiplyObligationFixedRate,
  VanillaObligation,
} from '@kamino-finance/klend-sdk/dist/utils/ObligationType.js';
import type { Address } from '@solana/kit';
import { addressCase } from './address-case.ts';
import type { Json } from './normalise.ts';
import { Prng } from './prng.ts';

type AnyObligation =
  | VanillaObligation
  | MultiplyObligation
  | LendingObligation
  | LeverageObligation
  | MultiplyObligationFixedRate
  | LendingObligationFixedRate
  | LeverageObligationFixedRate;

/** For tags 1 to 3 the seeds are mints, for 4 to 6 reserves; a lending obligation uses the same one twice. */
const kinds: [source: string, make: (first: Address, second: Address, id: number) => AnyObligation][] = [
  ['VanillaObligation', (_first, _second, id) => new VanillaObligation(KLEND, id)],
  ['MultiplyObligation', (first, second, id) => new MultiplyObligation(first, second, KLEND, id)],
  ['LendingObligation', (first, _second, id) => new LendingObligation(first, KLEND, id)],
  ['LeverageObligation', (first, second, id) => new LeverageObligation(first, second, KLEND, id)],
  [
    'MultiplyObligationFixedRate',
    (first, second, id) => new MultiplyObligationFixedRate(first, second, KLEND, id),
  ],
  ['LendingObligationFixedRate', (first, _second, id) => new LendingObligationFixedRate(first, KLEND, id)],
  [
    'LeverageObligationFixedRate',
    (first, second, id) => new LeverageObligationFixedRate(first, second, KLEND, id),
  ],
];

const ids = [0, 0, 1, 24, 255];

export async function obligationCases(): Promise<Json[]> {
  const prng = new Prng('address/obligation');
  const cases: Json[] = [];
  for (const [type, make] of kinds) {
    for (const id of ids) {
      const [market, owner] = [prng.address(), prng.address()];
      const obligation = make(prng.address(), prng.address(), id);
      const inputs = { market, owner, ...obligation.toArgs() };
      cases.push(
        addressCase('obligation', `sdk:${type}.toPda`, inputs, await obligation.toPda(market, owner)),
      );
    }
  }
  for (let round = 0; round < 5; round += 1) {
    const [market, owner] = [prng.address(), prng.address()];
    const args = {
      tag: prng.int(0, 255),
      id: prng.int(0, 255),
      seed1: prng.address(),
      seed2: prng.address(),
    };
    const derived = await getObligationPdaWithArgs(market, owner, args, KLEND);
    cases.push(
      addressCase('obligation', 'sdk:getObligationPdaWithArgs', { market, owner, ...args }, derived),
    );
  }
  return cases;
}
