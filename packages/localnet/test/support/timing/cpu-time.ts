/**
 * Processor time of this process in milliseconds since a `process.cpuUsage()`. Unlike elapsed time it does not grow while
 * other processes use the machine.
 */
export function cpuMsSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}
