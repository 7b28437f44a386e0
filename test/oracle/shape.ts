/**
 * Shape that a borsh layout of the SDK describes, read from the layout object itself. Values are generated and
 * normalised by walking this, so a field that the SDK knows cannot be forgotten.
 */
export type Shape =
  | { kind: 'int'; bits: number; signed: boolean }
  | { kind: 'big'; bits: number; signed: boolean }
  | { kind: 'bool' }
  | { kind: 'address' }
  | { kind: 'bytes'; length: number }
  | { kind: 'array'; length: number; element: Shape }
  | { kind: 'struct'; fields: { name: string; shape: Shape }[] };

interface RawLayout {
  span: number;
  property?: string;
  signed?: boolean;
  fields?: RawLayout[];
  layout?: RawLayout;
  elementLayout?: RawLayout;
  count?: number;
}

export function shapeOf(layout: unknown): Shape {
  const raw = layout as RawLayout;
  const type = raw.constructor.name;
  switch (type) {
    case 'UInt':
      return { kind: 'int', bits: raw.span * 8, signed: false };
    case 'Int':
      return { kind: 'int', bits: raw.span * 8, signed: true };
    case 'BNLayout':
      return { kind: 'big', bits: raw.span * 8, signed: raw.signed === true };
    case 'Structure':
      return { kind: 'struct', fields: (raw.fields ?? []).map(fieldOf) };
    case 'WrappedLayout':
      return wrappedShape(raw);
    default:
      throw new Error(`no shape for layout ${type} of ${raw.property}`);
  }
}

function fieldOf(raw: RawLayout): { name: string; shape: Shape } {
  if (!raw.property) throw new Error('a field without a name');
  return { name: raw.property, shape: shapeOf(raw) };
}

/** The SDK wraps three things: a 32 byte blob (address), a u8 (bool) and a sequence (fixed array). */
function wrappedShape(raw: RawLayout): Shape {
  const inner = raw.layout;
  const type = inner?.constructor.name;
  if (type === 'Blob' && inner?.span === 32) return { kind: 'address' };
  if (type === 'UInt') return { kind: 'bool' };
  const sequence = inner?.fields?.[0];
  if (type !== 'Structure' || sequence?.property !== 'values' || typeof sequence.count !== 'number') {
    throw new Error(`no shape for wrapped layout of ${raw.property}`);
  }
  const element = shapeOf(sequence.elementLayout);
  if (element.kind === 'int' && element.bits === 8 && !element.signed) {
    return { kind: 'bytes', length: sequence.count };
  }
  return { kind: 'array', length: sequence.count, element };
}
