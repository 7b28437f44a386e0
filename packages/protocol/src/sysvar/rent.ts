const OVERHEAD_BYTES = 128n;
/** Two years of rent for one byte. */
const LAMPORTS_PER_BYTE = 6960n;

/** The lamports that exempt an account of so many bytes from rent. */
export function rentExemptLamports(bytes: number): bigint {
  return (OVERHEAD_BYTES + BigInt(bytes)) * LAMPORTS_PER_BYTE;
}
