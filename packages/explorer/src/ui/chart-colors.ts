/**
 * The colour that a CSS expression stands for in the current theme. A canvas cannot read custom properties, and
 * `getPropertyValue` returns `light-dark(...)` as it is written.
 */
export function resolvedColor(element: HTMLElement, expression: string): string {
  const probe = document.createElement('span');
  probe.style.color = expression;
  element.append(probe);
  const color = getComputedStyle(probe).color;
  probe.remove();
  return color;
}
