export interface VaultSpec {
  readonly name: string;
  readonly token: string;
  /** Maximum number of reserves; fewer if the token has fewer. */
  readonly allocations: number;
  /** Thousands of USD of the first large deposit; 0 for none. */
  readonly startKiloUsd: number;
  readonly farm: boolean;
  readonly performanceFeeBps: number;
  readonly managementFeeBps: number;
  readonly penaltyBps: number;
  readonly penaltyUnits: bigint;
  readonly unallocatedWeight: number;
  readonly crankFeePerReserve: bigint;
  /** Whole tokens that the vault still takes in when the chain starts; absent for no cap. */
  readonly room?: bigint;
  /** `empty` never had a deposit; `dust` has one just above the minimum. */
  readonly size: 'usual' | 'empty' | 'dust';
}

type Row = readonly [
  name: string,
  token: string,
  allocations: number,
  startKiloUsd: number,
  more?: Partial<VaultSpec>,
];

const ROWS: readonly Row[] = [
  ['Harbor USDC Prime', 'USDC', 6, 18_000, { performanceFeeBps: 1000 }],
  ['Breakwater USDC', 'USDC', 8, 9_000, { performanceFeeBps: 1500, managementFeeBps: 25 }],
  ['Compass USDC Wide', 'USDC', 25, 6_000, { performanceFeeBps: 500 }],
  ['Lantern USDC', 'USDC', 4, 4_200, { performanceFeeBps: 1000, penaltyBps: 5, room: 25_000n }],
  ['Anchor USDC Conservative', 'USDC', 2, 7_500, { performanceFeeBps: 250 }],
  ['Pilot USDC', 'USDC', 1, 800, { farm: false }],
  ['Spinnaker USDC', 'USDC', 5, 2_600, { performanceFeeBps: 2000, managementFeeBps: 100 }],
  ['Jetty USDC', 'USDC', 3, 1_100, { farm: false, unallocatedWeight: 200 }],
  ['Keel USDC Term', 'USDC', 12, 1_900, { performanceFeeBps: 800 }],
  ['Mooring USDC', 'USDC', 7, 3_300, { performanceFeeBps: 1200, penaltyUnits: 50n }],
  ['Quay USDC', 'USDC', 3, 0, { size: 'empty', farm: false }],
  ['Sandbar USDC', 'USDC', 2, 0, { size: 'dust', farm: false }],
  ['Harbor USDT', 'USDT', 4, 5_200, { performanceFeeBps: 1000 }],
  ['Breakwater USDT', 'USDT', 5, 2_100, { performanceFeeBps: 1500, managementFeeBps: 50 }],
  ['Lantern USDT', 'USDT', 2, 900, { farm: false }],
  ['Harbor SOL', 'SOL', 5, 12_000, { performanceFeeBps: 1000 }],
  ['Breakwater SOL', 'SOL', 3, 5_400, { performanceFeeBps: 1500 }],
  ['Compass SOL', 'SOL', 6, 2_300, { performanceFeeBps: 500, penaltyBps: 10 }],
  ['Pilot SOL', 'SOL', 1, 700, { farm: false }],
  ['Harbor HUSD', 'HUSD', 3, 4_800, { performanceFeeBps: 700 }],
  ['Lantern HUSD', 'HUSD', 2, 1_500, { managementFeeBps: 30, farm: false }],
  ['Anchor Staked SOL', 'jitoSOL', 2, 3_900, { performanceFeeBps: 600 }],
  ['Harbor Staked SOL', 'hbSOL', 2, 1_700, { farm: false }],
  ['Marina mSOL', 'mSOL', 2, 1_200, { performanceFeeBps: 900 }],
  ['Bitcoin Cove', 'wBTC', 4, 6_600, { performanceFeeBps: 1000 }],
  ['Ether Cove', 'wETH', 3, 2_500, { performanceFeeBps: 1000 }],
  ['Synthetic Dollar Yield', 'sDOL', 1, 2_000, { performanceFeeBps: 1000 }],
  ['Reef Growth', 'REEF', 2, 300, { performanceFeeBps: 2000, managementFeeBps: 200, penaltyBps: 50 }],
  ['Kelp Forest', 'KELP', 2, 250, { farm: false }],
  ['Keel Euro', 'EURK', 1, 600, { performanceFeeBps: 400 }],
  ['Treasury Ladder', 'ssDOL', 2, 1_400, { performanceFeeBps: 300, farm: false }],
  ['Brine Pool', 'BRINE', 1, 120, { performanceFeeBps: 2500, farm: false }],
];

/** The vaults of one cell. */
export const VAULT_SPECS: readonly VaultSpec[] = ROWS.map(
  ([name, token, allocations, startKiloUsd, more]) => ({
    name,
    token,
    allocations,
    startKiloUsd,
    farm: true,
    performanceFeeBps: 0,
    managementFeeBps: 0,
    penaltyBps: 1,
    penaltyUnits: 1n,
    unallocatedWeight: 0,
    crankFeePerReserve: 1n,
    size: 'usual',
    ...more,
  }),
);
