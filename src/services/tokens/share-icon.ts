import { type Address, getAddressEncoder } from '@solana/kit';
import type { View } from '../../chain/view/view.ts';
import type { VaultRecord } from '../request/records.ts';
import { displayText, escapeXml } from './display-text.ts';
import { darkened, hex, readableUnderWhite } from './icon-colours.ts';
import { shortened, textWidth, wrapped } from './icon-text.ts';
import { tokenNames } from './tokens.ts';

/** The icon of a vault's shares: a self-contained SVG document. */
export function shareIcon(view: View, { address, value }: VaultRecord): string {
  const { name, symbol } = tokenNames(view, value.sharesMint);
  return drawIcon({ address, token: tokenNames(view, value.tokenMint).symbol, name, symbol });
}

export interface IconSubject {
  /** Determines the colours. */
  readonly address: Address;
  /** Ticker of the vault's deposit token. */
  readonly token: string;
  /** Name and ticker of the shares. */
  readonly name: string;
  readonly symbol: string;
}

const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Helvetica Neue', Arial, sans-serif";
const MAX_TOKEN = 10;
/** Long tickers are illegible at favicon size. */
const MAX_SMALL_TOKEN = 7;
const SMALL_CUT = 4;
const MAX_TITLE = 120;
const NAME_SIZE = 36;
/** In units of the font size, narrower towards the bottom of the circle. */
const NAME_WIDTHS = [10.4, 9.4, 7.6];

/**
 * Draws everything inside a circle, because wallets crop to one. Below 96 pixels only the ticker is shown, as large as
 * possible. Defaults are attributes, so a renderer without CSS draws the large form.
 */
export function drawIcon({ address, token, name, symbol }: IconSubject): string {
  const bytes = getAddressEncoder().encode(address);
  const id = `kv-${address}`;
  const ticker = displayText(token);
  const title = shortened(`${displayText(name)} (${displayText(symbol)})`, MAX_TITLE);
  const [top, bottom] = colours(bytes);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" id="${id}" width="512" height="512" viewBox="0 0 512 512" role="img" aria-labelledby="${id}-title">`,
    `<title id="${id}-title">${escapeXml(title)}</title>`,
    `<style>${styles(id, hex(darkened(top, DARK)), hex(darkened(bottom, DARK)))}</style>`,
    '<defs>',
    `<linearGradient id="${id}-water" x1="0.15" y1="0" x2="0.85" y2="1"><stop class="top" offset="0" stop-color="${hex(top)}"/><stop class="bottom" offset="1" stop-color="${hex(bottom)}"/></linearGradient>`,
    `<clipPath id="${id}-rim"><circle cx="256" cy="256" r="256"/></clipPath>`,
    '</defs>',
    `<g clip-path="url(#${id}-rim)">`,
    `<rect width="512" height="512" fill="url(#${id}-water)"/>`,
    waves(bytes),
    `<path class="large" d="${ticks(bytes)}" fill="none" stroke="#fff" stroke-opacity="0.55" stroke-width="7" stroke-linecap="round"/>`,
    '<circle class="edge" cx="256" cy="256" r="253" fill="none" stroke="#000" stroke-opacity="0.14" stroke-width="6"/>',
    `<g fill="#fff" font-family="${FONT}" text-anchor="middle">`,
    line(shortened(ticker, MAX_TOKEN), {
      y: 246,
      size: fitted(shortened(ticker, MAX_TOKEN), 350, 128),
      weight: 700,
      show: 'large',
    }),
    ...nameLines(displayText(name)),
    smallTicker(ticker),
    '</g></g></svg>',
    '',
  ].join('\n');
}

const DARK = 0.72;

function styles(id: string, top: string, bottom: string): string {
  return [
    `#${id} text{unicode-bidi:plaintext}`,
    `@media (max-width:96px){#${id} .large{display:none}#${id} .small{display:inline}}`,
    `@media (prefers-color-scheme:dark){#${id} .top{stop-color:${top}}#${id} .bottom{stop-color:${bottom}}#${id} .edge{stroke:#fff;stroke-opacity:.3}}`,
  ].join('');
}

type Bytes = ArrayLike<number>;

const byteAt = (bytes: Bytes, i: number) => bytes[i] ?? 0;

function colours(bytes: Bytes) {
  const hue = ((byteAt(bytes, 0) * 256 + byteAt(bytes, 1)) * 360) / 65_536;
  const turn = 28 + byteAt(bytes, 2) / 6;
  const saturation = 0.58 + byteAt(bytes, 3) / 900;
  return [
    readableUnderWhite(hue, saturation),
    readableUnderWhite((hue + (byteAt(bytes, 4) % 2 === 0 ? turn : 360 - turn)) % 360, saturation),
  ] as const;
}

/** Two waves darken the lower half, so the name on them is as legible as the ticker. */
function waves(bytes: Bytes): string {
  const wave = (level: number, shift: number, height: number) =>
    `M${-shift} ${level}q64 ${-height} 128 0t128 0t128 0t128 0t128 0t128 0V512H${-shift}Z`;
  const [shift, height] = [byteAt(bytes, 5) / 2, 16 + byteAt(bytes, 6) / 10];
  return `<path d="${wave(286, shift, height)}${wave(318, (shift + 70) % 128, height)}" fill="#000" fill-opacity="0.13"/>`;
}

/** A tick per byte of the address around the rim, with its value as length: unique for each vault. */
function ticks(bytes: Bytes): string {
  const at = (angle: number, radius: number) =>
    `${(256 + radius * Math.sin(angle)).toFixed(1)} ${(256 - radius * Math.cos(angle)).toFixed(1)}`;
  return Array.from({ length: bytes.length }, (_, i) => {
    const angle = (2 * Math.PI * i) / bytes.length;
    return `M${at(angle, 238 - byteAt(bytes, i) / 12)}L${at(angle, 239)}`;
  }).join('');
}

interface Line {
  readonly y: number;
  readonly size: number;
  readonly weight: number;
  readonly show: 'large' | 'small';
}

function line(text: string, { y, size, weight, show }: Line): string {
  const hidden = show === 'small' ? ' display="none"' : '';
  return `<text class="${show}" x="256" y="${y}" font-size="${size}" font-weight="${weight}"${hidden}>${escapeXml(text)}</text>`;
}

/** The largest font size up to `max` at which the text is at most `width` pixels wide. */
function fitted(text: string, width: number, max: number): number {
  return Math.min(max, Math.floor(width / Math.max(1, textWidth(text))));
}

function nameLines(name: string): string[] {
  const lines = wrapped(name, NAME_WIDTHS);
  const first = lines.length === 1 ? 334 : 322;
  return lines.map((text, i) =>
    line(text, { y: first + i * 43, size: NAME_SIZE, weight: 600, show: 'large' }),
  );
}

function smallTicker(ticker: string): string {
  const text = textOfSmall(ticker);
  const size = fitted(text, 420, 200);
  return line(text, { y: 256 + Math.round(size * 0.35), size, weight: 700, show: 'small' });
}

function textOfSmall(ticker: string): string {
  const cut = shortened(ticker, MAX_SMALL_TOKEN);
  return cut === ticker ? ticker : shortened(ticker, SMALL_CUT + 1).slice(0, -1);
}
