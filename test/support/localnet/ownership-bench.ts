import { lendingGlobalConfigAddress } from '@sluice/protocol/klend/addresses';
import { lendingGlobalConfig } from '@sluice/protocol/klend/global-config';
import { borrowOrder, obligation } from '@sluice/protocol/klend/obligation';
import {
  abortObligationOwnershipTransfer,
  acceptObligationOwnership,
  approveObligationOwnershipTransfer,
  initiateObligationOwnershipTransfer,
} from '@sluice/protocol/klend/obligation-instructions';
import type { EncodedInstruction } from '@sluice/protocol/layout/instruction';
import type { StructInput } from '@sluice/protocol/layout/struct';
import { INSTRUCTIONS_SYSVAR, MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import {
  addressNumber,
  type LendingSetting,
  lendingRequest,
  reserveAddress,
  WALLET,
} from '../builders/lending-accounts.ts';
import { LendingBench } from './lending-bench.ts';
import { PAIR } from './order-bench.ts';

const { klend } = MAINNET_PROGRAMS;

export const ADMIN = addressNumber(970);
export const NEW_OWNER = addressNumber(971);

/** An obligation with a deposit and a debt, and the settings of the lending program. */
export class OwnershipBench extends LendingBench {
  constructor(setting: LendingSetting = PAIR) {
    super(setting, lendingRequest('borrow', { reserve: reserveAddress(1) }));
    this.set(lendingGlobalConfigAddress(klend).address, {
      owner: klend,
      lamports: 10n ** 7n,
      data: lendingGlobalConfig.encode({ globalAdmin: ADMIN }),
      executable: false,
    });
  }

  changeObligation(fields: StructInput<typeof obligation.body.fields>): void {
    this.change(obligation, this.obligationAddress, fields);
  }

  /** Places a borrow order. @param lasts seconds from now @param remaining base units of debt that are not filled */
  placeBorrowOrder(index: number, lasts: bigint, remaining = 5n): void {
    const order = {
      debtLiquidityMint: addressNumber(980 + index),
      remainingDebtAmount: remaining,
      requestedDebtAmount: 9n,
      fillableUntilTimestamp: this.clock.unixTimestamp + lasts,
      maxBorrowRateBps: 700,
      active: 1,
    };
    const data = this.account(this.obligationAddress).data.slice();
    const bytes = Uint8Array.from({ length: borrowOrder.size });
    borrowOrder.write(new DataView(bytes.buffer), 0, order);
    const start =
      index === 0
        ? obligation.offsetOf('headBorrowOrder')
        : obligation.offsetOf('tailBorrowOrders') + (index - 1) * borrowOrder.size;
    data.set(bytes, start);
    this.set(this.obligationAddress, { ...this.account(this.obligationAddress), data });
  }

  /** @param newOwner also of an approval, in its account */
  initiating(newOwner: Address = NEW_OWNER, owner: Address = WALLET): EncodedInstruction {
    return initiateObligationOwnershipTransfer.encode(klend, this.#named({ owner }), { newOwner });
  }

  approving(globalAdmin: Address = ADMIN, pendingOwner: Address = NEW_OWNER): EncodedInstruction {
    const globalConfig = lendingGlobalConfigAddress(klend).address;
    const accounts = this.#named({ globalAdmin, globalConfig, pendingOwner });
    return approveObligationOwnershipTransfer.encode(klend, accounts, {});
  }

  accepting(pendingOwner: Address = NEW_OWNER): EncodedInstruction {
    return acceptObligationOwnership.encode(klend, this.#named({ pendingOwner }), {});
  }

  aborting(owner: Address = WALLET): EncodedInstruction {
    return abortObligationOwnershipTransfer.encode(klend, this.#named({ owner }), {});
  }

  #named<T extends object>(accounts: T) {
    return {
      ...accounts,
      obligation: this.obligationAddress,
      instructionSysvarAccount: INSTRUCTIONS_SYSVAR,
    };
  }
}
