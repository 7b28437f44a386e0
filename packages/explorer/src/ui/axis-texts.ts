/** Without the zeros after the point that all of them have: $5M and not $5.0M. */
export function axisTexts(texts: readonly string[]): string[] {
  const zeros = /\.0+(?=[KMB%]?$)/;
  const areWhole = texts.every((text) => !text.includes('.') || zeros.test(text));
  return areWhole ? texts.map((text) => text.replace(zeros, '')) : [...texts];
}
