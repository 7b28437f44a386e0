/** Number of random cases that a suite tries: few in `npm test`, many when MANY_CASES is set, as the long suite does. */
export const cases = (few: number, many: number): number =>
  process.env.MANY_CASES === undefined ? few : many;
