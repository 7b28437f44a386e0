import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file system in memory with a fixed size. */
export interface SmallDisk {
  readonly path: string;
  /** Leaves at most so many bytes free. */
  fill(freeBytes: number): Promise<void>;
  /** Removes what `fill` wrote. */
  clear(): Promise<void>;
  unmount(): void;
}

/** Null where this user may not mount a file system. */
export function mountSmallDisk(megabytes: number): SmallDisk | null {
  const path = mkdtempSync(join(tmpdir(), 'sluice-disk-'));
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path]);
  if (mounted.status !== 0) {
    rmSync(path, { recursive: true });
    return null;
  }
  const filler = join(path, 'filler');
  return {
    path,
    async fill(freeBytes) {
      await rm(filler, { force: true });
      const { bavail, bsize } = await statfs(path);
      await writeFile(filler, Buffer.alloc(Math.max(0, bavail * bsize - freeBytes)));
    },
    clear: () => rm(filler, { force: true }),
    unmount() {
      spawnSync('umount', ['--lazy', path]);
      rmSync(path, { recursive: true, force: true });
    },
  };
}
