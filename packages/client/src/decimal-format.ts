/** Options of `Decimal.format`. */
export interface DecimalFormat {
  /** BCP 47 language tag. Defaults to that of the runtime. */
  readonly locale?: string;
  /** Digits after the decimal point, at most. Defaults to 2. */
  readonly places?: number;
  /** Digits after the decimal point, at least. Defaults to 0, and to `places` for a currency that is not compact. */
  readonly minPlaces?: number;
  /** At most this many digits from the first one that is not 0, for small numbers. Overrides `places`. */
  readonly significant?: number;
  /** `percent` multiplies by 100. Defaults to `number`. */
  readonly style?: 'number' | 'percent' | 'usd';
  /** Writes 1.2M instead of 1,200,000. */
  readonly compact?: boolean;
  /** When to write a sign. Defaults to `negative`: a number that is rounded to 0 has none. */
  readonly sign?: 'negative' | 'always' | 'exceptZero';
  /** Defaults to `halfEven`. `trunc` for an amount that a user can spend, which must not be rounded up. */
  readonly rounding?: 'halfEven' | 'trunc';
}

const STYLES = {
  number: { style: 'decimal' },
  percent: { style: 'percent' },
  usd: { style: 'currency', currency: 'USD' },
} as const;

/** @param value a decimal number in plain notation */
export function formatDecimal(
  value: string,
  {
    locale,
    style = 'number',
    compact = false,
    places = 2,
    minPlaces = style === 'usd' && !compact ? places : 0,
    significant,
    sign = 'negative',
    rounding = 'halfEven',
  }: DecimalFormat,
): string {
  const digits =
    significant === undefined
      ? { maximumFractionDigits: places, minimumFractionDigits: Math.min(places, minPlaces) }
      : { maximumSignificantDigits: significant };
  const options: Intl.NumberFormatOptions = {
    ...STYLES[style],
    ...digits,
    ...(compact ? { notation: 'compact' } : {}),
    signDisplay: sign,
    roundingMode: rounding,
  };
  // A string keeps every digit; a number would be rounded to a float first.
  return formatterOf(locale, options).format(value as Intl.StringNumericLiteral);
}

/** A formatter costs much more to create than to use, and a page has few formats. */
const formatters = new Map<string, Intl.NumberFormat>();

function formatterOf(locale: string | undefined, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = JSON.stringify([locale, options]);
  const known = formatters.get(key);
  if (known !== undefined) return known;
  const created = new Intl.NumberFormat(locale, options);
  formatters.set(key, created);
  return created;
}
