import { readFileSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { SluiceError } from '../../errors/sluice-error.ts';

/** Long enough for another process that saw the same stale lock to have taken it, too. */
const SETTLE_MS = 100;

/** Locks that this process holds: a lock file with our own number may also be left by a process of a past boot. */
const held = new Set<string>();

/**
 * Takes the lock file of a directory that only one process may use, and returns what gives it back. The file of a
 * process that is gone is taken over. @throws SluiceError CONFIG_INVALID when a live process has it
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
    // Of several that take over a stale file, the last to rename has it; the others see that here.
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
  // The number may have been given to another process since.
  return describe(pid) === owner;
}

const pidOf = (owner: string) => Number.parseInt(owner, 10) || 0;

/** The number of a process and, where the system tells, when it started. */
function describe(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is a name that may hold anything; the start is the 20th after it.
    return `${pid} ${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}\n`;
  } catch {
    return `${pid}\n`;
  }
}

function inUse(file: string, pid: number): SluiceError {
  const allowed = `process ${pid} uses this directory (${file}). Stop it, or set DATA_DIR to another directory.`;
  return new SluiceError('CONFIG_INVALID', { variable: 'DATA_DIR', allowed });
}
