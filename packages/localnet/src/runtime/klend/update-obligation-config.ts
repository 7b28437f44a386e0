import { updateObligationConfig as layout } from '@sluice/protocol/klend/obligation-instructions';
import { viewOf } from '@sluice/protocol/layout/account';
import { u8, u32, u64 } from '@sluice/protocol/layout/codec';
import { ANCHOR_ERRORS, anchorInstruction, ensure } from '../anchor.ts';
import { checkHasOne } from '../anchor-accounts.ts';
import { InstructionError } from '../instruction-error.ts';
import { LENDING } from './lending-errors.ts';
import { checkNoEmergency, loadMarket } from './market.ts';
import { ObligationState } from './obligation-state.ts';
import { findBorrow } from './repay.ts';
import { ReserveState } from './reserve-state.ts';
import { checkRolloverConfig, type RolloverConfig, writeRollover } from './rollover-config.ts';

type Values = (value: Uint8Array) => Partial<RolloverConfig>;

interface Setting {
  readonly fields: Values;
  /** A flag that is switched off is not checked against the rest. */
  readonly isUnchecked: (config: RolloverConfig) => boolean;
}

const number =
  <K extends 'maxBorrowRateBps' | 'fixedTermRolloverWindowDurationDays'>(
    name: K,
    codec: typeof u8 | typeof u32,
  ): Values =>
  (value) => ({ [name]: read(codec, value) });

const flag =
  (name: 'autoRolloverEnabled' | 'openTermAllowed' | 'migrationToFixedEnabled'): Values =>
  (value) => {
    const given = read(u8, value);
    ensure(given <= 1, LENDING.invalidFlag);
    return { [name]: given };
  };

const never = () => false;

/** By the number of the instruction's mode. */
const SETTINGS: readonly Setting[] = [
  { fields: flag('autoRolloverEnabled'), isUnchecked: (config) => config.autoRolloverEnabled === 0 },
  { fields: number('maxBorrowRateBps', u32), isUnchecked: never },
  { fields: (value) => ({ minDebtTermSeconds: read(u64, value) }), isUnchecked: never },
  { fields: flag('openTermAllowed'), isUnchecked: never },
  { fields: flag('migrationToFixedEnabled'), isUnchecked: (config) => config.migrationToFixedEnabled === 0 },
  { fields: number('fixedTermRolloverWindowDurationDays', u8), isUnchecked: never },
];

/** Sets one of the terms on which a debt may be rolled over. Neither reserve nor obligation needs a refresh. */
export const updateObligationConfig = anchorInstruction(layout, 9_000, ({ invocation, accounts, args }) => {
  const start = layout.discriminator.length + layout.args.size;
  const setting = SETTINGS[args.mode];
  ensure(
    setting !== undefined && invocation.data.length >= start + args.valueLength,
    ANCHOR_ERRORS.instructionDidNotDeserialize,
  );
  const obligation = ObligationState.load(accounts.obligation);
  const borrowed = accounts.borrowReserve && ReserveState.load(accounts.borrowReserve);
  const deposited = accounts.depositReserve && ReserveState.load(accounts.depositReserve);
  const market = loadMarket(accounts.lendingMarket);
  checkHasOne(obligation.data.lendingMarket, accounts.lendingMarket);
  checkHasOne(obligation.data.owner, accounts.owner);
  for (const reserve of [borrowed, deposited]) {
    if (reserve !== null) checkHasOne(reserve.data.lendingMarket, accounts.lendingMarket);
  }
  checkNoEmergency(market);

  ensure(deposited === null && borrowed !== null, LENDING.invalidObligationConfigUpdateSubject);
  const index = obligation.borrows.indexOf(findBorrow(obligation, borrowed));
  const stored = obligation.data.borrows[index]?.fixedTermBorrowRolloverConfig;
  ensure(stored !== undefined, LENDING.invalidObligationLiquidity);
  const changes = setting.fields(invocation.data.subarray(start, start + args.valueLength));
  const config = { ...fieldsOf(stored), ...changes };
  if (!setting.isUnchecked(config)) checkRolloverConfig(market, config);
  writeRollover(accounts.obligation, index, config);
});

/** A decoded struct has lazy fields, which a spread would lose. */
const fieldsOf = (config: RolloverConfig): RolloverConfig => ({
  autoRolloverEnabled: config.autoRolloverEnabled,
  openTermAllowed: config.openTermAllowed,
  migrationToFixedEnabled: config.migrationToFixedEnabled,
  fixedTermRolloverWindowDurationDays: config.fixedTermRolloverWindowDurationDays,
  maxBorrowRateBps: config.maxBorrowRateBps,
  minDebtTermSeconds: config.minDebtTermSeconds,
});

/** The program reads as many bytes as it needs and ignores the rest. */
function read<T>(
  { size, read: decode }: { readonly size: number; read(view: DataView, offset: number): T },
  value: Uint8Array,
): T {
  if (value.length < size) throw new InstructionError('BorshIoError');
  return decode(viewOf(value), 0);
}
