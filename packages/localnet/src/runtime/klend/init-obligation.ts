import { obligationAddress, userMetadataAddress } from '@sluice/protocol/klend/addresses';
import { obligation } from '@sluice/protocol/klend/obligation';
import { initObligation as layout } from '@sluice/protocol/klend/setup-instructions';
import { userMetadata } from '@sluice/protocol/klend/user-metadata';
import { NO_ADDRESS, RENT_SYSVAR, SYSTEM_PROGRAM } from '@sluice/protocol/program-ids';
import { aborted, anchorInstruction, load } from '../anchor.ts';
import { checkProgram, checkSeeds, checkSysvar, loadMint } from '../anchor-accounts.ts';
import { initAccount } from '../anchor-init.ts';
import type { InstructionAccount } from '../instruction-account.ts';
import { InstructionError } from '../instruction-error.ts';
import { loadMarket } from './market.ts';

/** Kinds of position whose seeds the program checks. The fixed-rate kinds above may have any. */
const VANILLA = 0;
const LENDING = 2;
const LEVERAGE = 3;

/** Opens an empty position of a wallet in a market. */
export const initObligation = anchorInstruction(layout, 22_000, ({ invocation, accounts, args }) => {
  const { program, clock } = invocation;
  const { obligationOwner, ownerUserMetadata, seed1Account, seed2Account } = accounts;
  loadMarket(accounts.lendingMarket);
  const metadata = load(ownerUserMetadata, userMetadata, program);
  checkSysvar(accounts.rent, RENT_SYSVAR);
  checkProgram(accounts.systemProgram, SYSTEM_PROGRAM);
  checkSeeds(ownerUserMetadata, userMetadataAddress(program, obligationOwner.address));
  const key = { tag: args.tag, id: args.id, seed1: seed1Account.address, seed2: seed2Account.address };
  const market = accounts.lendingMarket.address;
  checkSeeds(accounts.obligation, obligationAddress(program, obligationOwner.address, market, key));
  initAccount(invocation, accounts.feePayer, accounts.obligation, obligation.size);
  checkKey(args.tag, seed1Account, seed2Account);
  const value = {
    tag: BigInt(args.tag),
    lastUpdate: { slot: clock.slot, stale: 1, timestamp: Number(clock.unixTimestamp) },
    lendingMarket: market,
    owner: obligationOwner.address,
    referrer: metadata.referrer,
  };
  accounts.obligation.write(obligation.encode(value));
});

/** The program unwraps the result of this check, so a violation has no error number. */
function checkKey(tag: number, seed1: InstructionAccount, seed2: InstructionAccount): void {
  if (tag === VANILLA && (seed1.address !== NO_ADDRESS || seed2.address !== NO_ADDRESS)) throw aborted();
  if (tag === VANILLA || tag > LEVERAGE) return;
  checkMint(seed1);
  if (tag !== LENDING) checkMint(seed2);
  else if (seed1.address !== seed2.address) throw aborted();
}

function checkMint(account: InstructionAccount): void {
  try {
    loadMint(account);
  } catch (error) {
    if (error instanceof InstructionError) throw aborted();
    throw error;
  }
}
