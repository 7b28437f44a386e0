/** Distinguishable in print and with most colour vision. The background is white, also on a dark page. */
export const COLOURS = ['#0b6e99', '#b65c1d', '#4d7d2a', '#7a4f9e', '#a8324a', '#5b6770'] as const;
export const OURS = '#0b6e99';
export const OTHERS = '#b9c2c9';
export const INK = '#1f2933';
export const FAINT = '#66727d';
export const GRID = '#e4e8eb';

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

export const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => ESCAPES[sign] ?? sign);

export function element(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  ...children: readonly string[]
): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(String(value))}"`);
  const opening = `<${name}${written.join('')}`;
  return children.length === 0 ? `${opening}/>` : `${opening}>${children.join('')}</${name}>`;
}

export interface TextStyle {
  readonly size?: number;
  readonly anchor?: 'start' | 'middle' | 'end';
  readonly fill?: string;
  readonly weight?: number;
}

export function text(x: number, y: number, content: string, style: TextStyle = {}): string {
  const { size = 12, anchor = 'start', fill = INK, weight = 400 } = style;
  const attributes = { x, y, 'font-size': size, 'text-anchor': anchor, fill, 'font-weight': weight };
  return element('text', attributes, escaped(content));
}

/** A complete SVG document with a title for screen readers. */
export function drawing(width: number, height: number, title: string, parts: readonly string[]): string {
  const attributes = {
    xmlns: 'http://www.w3.org/2000/svg',
    width,
    height,
    viewBox: `0 0 ${width} ${height}`,
    role: 'img',
    'font-family': 'system-ui, -apple-system, Segoe UI, Helvetica, Arial, sans-serif',
  };
  const ground = element('rect', { width, height, fill: '#ffffff' });
  return `${element('svg', attributes, element('title', {}, escaped(title)), ground, ...parts)}\n`;
}
