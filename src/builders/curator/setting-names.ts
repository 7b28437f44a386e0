/** Settings of a vault, and its admin, with their descriptions. */
export const VAULT_SETTING_NAMES = {
  ADMIN: 'Wallet that runs the vault.',
  PERFORMANCE_FEE_BPS: 'Fee on what the vault earns, in basis points.',
  MANAGEMENT_FEE_BPS: 'Yearly fee on the assets, in basis points.',
  MIN_DEPOSIT: 'Smallest deposit, in whole tokens.',
  MIN_WITHDRAW: 'A withdrawal must pay more than this, in whole tokens.',
  MIN_INVEST: 'An investment must move more than this, in whole tokens.',
  MIN_INVEST_DELAY_SLOTS: 'Slots between two investments in the same reserve.',
  CRANK_FEE_PER_RESERVE: 'Tokens that a deposit adds to the crank funds for each reserve, in whole tokens.',
  PENDING_ADMIN: 'Wallet that may become the admin.',
  NAME: 'Name of the vault.',
  LOOKUP_TABLE: 'Lookup table of the vault.',
  FARM: 'Farm of the shares.',
  ALLOCATION_ADMIN: 'Wallet that may change weights and caps besides the admin.',
  UNALLOCATED_WEIGHT: 'Weight of the tokens that stay idle.',
  UNALLOCATED_CAP: 'Most tokens that stay idle by that weight, in whole tokens.',
  WITHDRAWAL_PENALTY: 'Smallest penalty of a withdrawal, in whole tokens.',
  WITHDRAWAL_PENALTY_BPS: 'Penalty of a withdrawal, in basis points.',
  FIRST_LOSS_FARM: 'Farm with the capital that bears losses first.',
  ALLOCATIONS_IN_WHITELISTED_RESERVES_ONLY: 'Whether weights and caps may grow for listed reserves alone.',
  INVESTS_IN_WHITELISTED_RESERVES_ONLY: 'Whether the vault may add tokens to listed reserves alone.',
  REWARD_PER_SECOND: 'Rewards that the vault releases each second, in whole tokens.',
  DEPOSIT_CAP: 'Assets above which the vault takes no deposit, in whole tokens.',
  PERMISSIONING_AUTHORITY: 'Address that must sign every deposit and withdrawal.',
} as const;

export type VaultSettingName = keyof typeof VAULT_SETTING_NAMES;
