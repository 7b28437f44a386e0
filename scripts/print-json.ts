const LINE_LENGTH = 110;

/** Prints JSON, each object and list on one line if it fits. */
export function printJson(value: object): string {
  // Drops undefined fields, as JSON does.
  return printed(JSON.parse(JSON.stringify(value)), '', 0);
}

/** @param used characters that the line already has */
function printed(value: unknown, indent: string, used: number): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const keys = Array.isArray(value) ? null : Object.keys(value).map((key) => `${JSON.stringify(key)}: `);
  const items: readonly unknown[] = Object.values(value);
  const [open, close] = keys === null ? ['[', ']'] : ['{ ', ' }'];
  if (items.length === 0) return `${open}${close}`.replace(/ +/, '');
  const line = `${open}${items.map((item, i) => `${keys?.[i] ?? ''}${printed(item, '', -Infinity)}`).join(', ')}${close}`;
  if (used + line.length <= LINE_LENGTH) return line;
  const inner = `${indent}  `;
  const lines = items.map((item, i) => {
    const start = `${inner}${keys?.[i] ?? ''}`;
    return `${start}${printed(item, inner, start.length)}`;
  });
  return `${open.trim()}\n${lines.join(',\n')}\n${indent}${close.trim()}`;
}
