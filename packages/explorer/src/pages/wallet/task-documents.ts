import { graphql, type ResultOf } from '@sluice/client';

/** Numbers of the three tasks of the page. Without a loan for one of them it names another, whose answer is not used. */
export const WALLET_TASKS = graphql(`
  query WalletTasks(
    $protect: Address!
    $protectDebt: Address!
    $target: Decimal!
    $leave: Address!
    $leaveDebt: Address!
    $leaveDeposit: Address!
    $all: Decimal!
    $market: Address!
  ) {
    protect: obligation(address: $protect) {
      id
      toReach(by: REPAY, healthFactor: $target, reserve: $protectDebt) {
        amount { amount usd token { id symbol } }
        healthFactor
        limit
      }
    }
    leave: obligation(address: $leave) {
      id
      toReachWithCollateral(healthFactor: $all, repayReserve: $leaveDebt, withdrawReserve: $leaveDeposit) {
        withdraw { amount token { id symbol } }
        limit
      }
    }
    market(address: $market) {
      id
      reserves {
        id
        address
        status
        token { id symbol mint }
        price { usd }
        borrowApy { total }
        borrowable { amount }
      }
    }
  }
`);

export type TaskNumbers = ResultOf<typeof WALLET_TASKS>;
