import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Memory of a gateway in bytes, by owner. */
export interface MemoryParts {
  /** Of the whole process. */
  readonly rss: number;
  /** Of the main thread. */
  readonly main: NodeJS.MemoryUsage;
  /** Heaps of the other threads: the embedded database has one. */
  readonly threadHeaps: number;
  /** Resident linear memory of WebAssembly: PGlite. */
  readonly wasm: number;
  /** Resident memory of the C library's allocator: buffers, native objects, and what it keeps for reuse. */
  readonly malloc: number;
}

/** V8 reserves this much address space behind a linear memory, so that no access needs a check of its bounds. */
const WASM_GUARD_BYTES = 2 ** 32;
/** glibc aligns the arenas of threads to this. */
const ARENA_BYTES = 2n ** 26n;

/** Memory of a process whose threads report to a folder by `report-memory.mjs`. */
export function memoryParts(pid: number, folder: string): MemoryParts {
  const of = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as NodeJS.MemoryUsage;
  const main = of(`${pid}-0.json`);
  const threads = readdirSync(folder).filter(
    (file) => file.startsWith(`${pid}-`) && file.endsWith('.json') && file !== `${pid}-0.json`,
  );
  return {
    rss: main.rss,
    main,
    threadHeaps: threads.reduce((sum, file) => sum + of(file).heapTotal, 0),
    ...residentParts(readFileSync(`/proc/${pid}/smaps`, 'latin1')),
  };
}

interface Mapping {
  readonly from: bigint;
  readonly bytes: number;
  readonly access: string;
  readonly name: string;
  readonly resident: number;
}

/** Resident bytes of linear memories and of the allocator, in the text of `/proc/PID/smaps`. */
export function residentParts(smaps: string): Pick<MemoryParts, 'wasm' | 'malloc'> {
  const mappings = mappingsIn(smaps);
  const sum = (isPart: (mapping: Mapping, next: Mapping | undefined) => boolean) =>
    mappings
      .filter((mapping, i) => mapping.access.startsWith('rw') && isPart(mapping, mappings[i + 1]))
      .reduce((total, { resident }) => total + resident, 0);
  return {
    wasm: sum((_, next) => next?.access === '---p' && next.bytes >= WASM_GUARD_BYTES),
    malloc: sum(({ name, from }) => name === '[heap]' || (name === '' && from % ARENA_BYTES === 0n)),
  };
}

const mappingsIn = (smaps: string): Mapping[] =>
  [...smaps.matchAll(/^([0-9a-f]+)-([0-9a-f]+) (\S+) \S+ \S+ \d+ *(.*)\n[\s\S]*?^Rss:\s+(\d+) kB/gm)].map(
    ([, from = '', to = '', access = '', name = '', kb = '']) => ({
      from: BigInt(`0x${from}`),
      bytes: Number(BigInt(`0x${to}`) - BigInt(`0x${from}`)),
      access,
      name,
      resident: Number(kb) * 1_024,
    }),
  );
