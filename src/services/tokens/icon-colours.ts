/** Icon colours, derived from numbers, so a vault always looks the same. */

export type Rgb = readonly [red: number, green: number, blue: number];

/** Legible for small white text; WCAG requires 4.5. */
const MIN_CONTRAST = 5;
const MAX_LIGHTNESS = 0.5;
const STEP = 0.01;

/** The lightest colour of a hue (degrees) on which white text is legible. */
export function readableUnderWhite(hue: number, saturation: number): Rgb {
  let lightness = MAX_LIGHTNESS;
  while (contrastWithWhite(fromHsl(hue, saturation, lightness)) < MIN_CONTRAST) lightness -= STEP;
  return fromHsl(hue, saturation, lightness);
}

export function contrastWithWhite([red, green, blue]: Rgb): number {
  const luminance = 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
  return 1.05 / (luminance + 0.05);
}

/** The colour mixed with black: a factor of 1 leaves it unchanged, 0 is black. */
export function darkened([red, green, blue]: Rgb, factor: number): Rgb {
  return [red * factor, green * factor, blue * factor];
}

export function hex(colour: Rgb): string {
  return `#${colour.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;
}

function linear(part: number): number {
  const share = part / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

function fromHsl(hue: number, saturation: number, lightness: number): Rgb {
  const reach = saturation * Math.min(lightness, 1 - lightness);
  const part = (offset: number) => {
    const k = (offset + hue / 30) % 12;
    return 255 * (lightness - reach * Math.max(-1, Math.min(k - 3, 9 - k, 1)));
  };
  return [part(0), part(8), part(4)];
}
