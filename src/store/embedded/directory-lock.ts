import { readFileSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CodedError, SluiceError } from '../../errors/sluice-error.ts';

/** Long enough for another process that saw the same stale lock to have replaced it. */
const SETTLE_MS = 100;

/** Locks held by this process. A lock file with our pid may also be left from before a reboot. */
const held = new Set<string>();

/**
 * Locks a directory for this process and returns the function that releases it. The lock of a process that no longer runs
 * is taken over. @throws SluiceError CONFIG_INVALID when a running process holds it
 */
export async function lockDirectory(file: string): Promise<() => Promise<void>> {
  const mine = describe(process.pid);
  const release = async () => {
    held.delete(file);
    await rm(file, { force: true });
  };
  if (held.has(file)) throw inUse(file, process.pid);
  held.add(file);
  try {
    if (await create(file, mine)) return release;
    const owner = await readFile(file, 'utf8').catch(() => '');
    if (isAlive(owner)) throw inUse(file, pidOf(owner));
    const own = `${file}.${process.pid}`;
    await writeFile(own, mine);
    await rename(own, file);
    // If several processes take over a stale lock, the last rename wins and the others notice here.
    await sleep(SETTLE_MS);
    const now = await readFile(file, 'utf8').catch(() => '');
    if (now !== mine) throw inUse(file, pidOf(now));
    return release;
  } catch (error) {
    held.delete(file);
    throw error;
  }
}

async function create(file: string, content: string): Promise<boolean> {
  try {
    await writeFile(file, content, { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function isAlive(owner: string): boolean {
  const pid = pidOf(owner);
  if (pid === 0 || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  // The pid may have been reused since.
  return describe(pid) === owner;
}

const pidOf = (owner: string) => Number.parseInt(owner, 10) || 0;

/** The pid and, where /proc exists, the start time of the process. */
function describe(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is a name in parentheses that may contain anything; the start time is the 20th field after it.
    return `${pid} ${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}\n`;
  } catch {
    return `${pid}\n`;
  }
}

function inUse(file: string, pid: number): CodedError {
  const allowed = `process ${pid} uses this directory (${file}). Stop it, or set DATA_DIR to another directory.`;
  return new SluiceError('CONFIG_INVALID', { variable: 'DATA_DIR', allowed });
}
