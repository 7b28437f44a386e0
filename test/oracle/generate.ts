// Whole and first: the SDK's modules import each other in circles, and only this order fills all their names.
import '@kamino-finance/klend-sdk';
import { farmVectors } from './accounts/farms.ts';
import { marketVectors } from './accounts/klend-market.ts';
import { obligationVectors } from './accounts/klend-obligation.ts';
import { reserveVectors } from './accounts/klend-reserve.ts';
import { vaultVectors } from './accounts/kvault.ts';
import { runtimeVectors } from './accounts/runtime.ts';
import { scopeVectors } from './accounts/scope.ts';
import { tokenVectors } from './accounts/token.ts';
import { token2022Vectors } from './accounts/token-2022.ts';
import { addressCases } from './addresses.ts';
import { farmCases } from './instructions/farms.ts';
import { generalCases } from './instructions/general.ts';
import { klendFlashCases } from './instructions/klend-flash.ts';
import { klendLendingCases } from './instructions/klend-lending.ts';
import { klendObligationCases } from './instructions/klend-obligations.ts';
import { klendOrderCases } from './instructions/klend-orders.ts';
import { klendPositionCases } from './instructions/klend-positions.ts';
import { klendQueueCases } from './instructions/klend-queue.ts';
import { klendSetupCases } from './instructions/klend-setup.ts';
import { kvaultCases } from './instructions/kvault.ts';
import { kvaultCuratorCases } from './instructions/kvault-curators.ts';
import { writeMathsVectors } from './maths/index.ts';
import { writeSequenceVectors } from './sequences/index.ts';
import { writeAccountVectors, writeVectors } from './vector-file.ts';

const accounts = [
  reserveVectors(),
  obligationVectors(),
  ...marketVectors(),
  ...vaultVectors(),
  ...farmVectors(),
  scopeVectors(),
  ...tokenVectors(),
  ...token2022Vectors(),
  ...runtimeVectors(),
];
for (const vectors of accounts) writeAccountVectors(vectors);

writeVectors('instructions.json', {}, [
  ...klendSetupCases(),
  ...klendLendingCases(),
  ...klendPositionCases(),
  ...klendFlashCases(),
  ...klendQueueCases(),
  ...kvaultCases(),
  ...farmCases(),
  ...(await generalCases()),
]);

writeVectors('described-instructions.json', {}, [
  ...klendOrderCases(),
  ...klendObligationCases(),
  ...kvaultCuratorCases(),
]);

writeVectors('addresses.json', {}, await addressCases());

await writeMathsVectors();

await writeSequenceVectors();
