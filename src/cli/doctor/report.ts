import type { Finding, Level } from './finding.ts';

export interface Report {
  readonly findings: readonly Finding[];
  readonly faults: number;
  readonly warnings: number;
}

export function reportOf(findings: readonly Finding[]): Report {
  const count = (level: Level) => findings.filter((finding) => finding.level === level).length;
  return { findings, faults: count('fault'), warnings: count('warning') };
}

/** One line per check and a summary. */
export function toText({ findings, faults, warnings }: Report): string {
  const width = Math.max(...findings.map(({ subject, check }) => `${subject} ${check}`.length));
  const lines = findings.map(({ level, subject, check, says }) => {
    return `${level.padEnd(7)}  ${`${subject} ${check}`.padEnd(width)}  ${says}`;
  });
  const verdict =
    faults === 0
      ? 'The gateway can run with these settings.'
      : 'Fix the faults before you rely on the gateway.';
  return `${[...lines, '', `${counted(faults, 'fault')}, ${counted(warnings, 'warning')}. ${verdict}`].join('\n')}\n`;
}

export function toJson(report: Report): string {
  return `${JSON.stringify(report, null, 2)}\n`;
}

/** `1 fault`, `2 faults`. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}

/** In the unit that gives one to three digits before the decimal point. */
export function sizeText(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  const power = Math.min(Math.max(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), 0), units.length - 1);
  const value = bytes / 1000 ** power;
  return `${value.toFixed(power === 0 || value >= 100 ? 0 : 1)} ${units[power]}`;
}
