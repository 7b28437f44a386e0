import { type ReactNode, useEffect, useRef, useState } from 'react';
import { part } from '../../format/numbers.ts';
import { type Box, treemap } from '../../ui/treemap.ts';
import type { BehindPlace } from './behind.ts';

const HEIGHT = 360;
const GAP = 4;
/** Height of the name of a place above its cells. */
const HEAD = 24;
/** Width of a letter, roughly: text that does not fit is left out, and the list has it. */
const LETTER = 6.6;
const LINE = 16;
const INSET = 8;

/** Places as boxes, and in each what stands behind it. It is laid out for its width: text never shrinks. */
export function BehindMap({
  places,
  label,
}: {
  readonly places: readonly BehindPlace[];
  readonly label: string;
}): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const watch = new ResizeObserver(() => setWidth(element.clientWidth));
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
  const fields = treemap(
    places.map(({ share }) => share.toApproximateNumber()),
    { x: 0, y: 0, width, height: HEIGHT },
  );
  return (
    <div ref={box} className="treemap" style={{ minBlockSize: HEIGHT }}>
      {width > 0 && (
        <svg width={width} height={HEIGHT} viewBox={`0 0 ${width} ${HEIGHT}`} role="img" aria-label={label}>
          {places.map((place, index) => (
            <Place key={place.key} place={place} field={fields[index]} />
          ))}
        </svg>
      )}
    </div>
  );
}

function Place({
  place,
  field,
}: {
  readonly place: BehindPlace;
  readonly field: Box | undefined;
}): ReactNode {
  if (field === undefined) return null;
  const outer = inset(field, GAP / 2);
  const hasHead = outer.height > 2 * HEAD && outer.width > 5 * LETTER;
  const inner = hasHead ? { ...outer, y: outer.y + HEAD, height: outer.height - HEAD } : outer;
  const cells = treemap(
    place.cells.map(({ share }) => share.toApproximateNumber()),
    inner,
  );
  const share = part(place.share).text;
  const name = fitting(place.name, outer.width);
  const hasShare = name === place.name && fits(share, outer.width - name.length * LETTER - INSET);
  return (
    <>
      {hasHead && (
        <>
          <text x={outer.x + 2} y={outer.y + 17} className="place">
            {name}
          </text>
          {hasShare && (
            <text x={outer.x + outer.width - 2} y={outer.y + 17} textAnchor="end">
              {share}
            </text>
          )}
        </>
      )}
      {place.cells.map((cell, index) => {
        const area = inset(cells[index] ?? inner, 1);
        const share = part(cell.share).text;
        const text = fits(cell.label, area.width - 2 * INSET) ? cell.label : '';
        const lines = area.height > 2 * LINE + INSET ? 2 : area.height > LINE + INSET ? 1 : 0;
        return (
          <g key={cell.key}>
            <title>{`${place.name}, ${cell.name}: ${share}`}</title>
            <rect
              x={area.x}
              y={area.y}
              width={area.width}
              height={area.height}
              rx={Math.min(3, area.width / 2, area.height / 2)}
              style={{
                fill: `color-mix(in srgb, var(${cell.color}) 26%, var(--surface))`,
                stroke: `var(${cell.color})`,
              }}
            />
            {lines > 0 && text !== '' && (
              <text x={area.x + INSET} y={area.y + LINE} className="what">
                {text}
              </text>
            )}
            {lines > 1 && text !== '' && fits(share, area.width - 2 * INSET) && (
              <text x={area.x + INSET} y={area.y + 2 * LINE}>
                {share}
              </text>
            )}
          </g>
        );
      })}
    </>
  );
}

const inset = ({ x, y, width, height }: Box, by: number): Box => ({
  x: x + by,
  y: y + by,
  width: Math.max(0, width - 2 * by),
  height: Math.max(0, height - 2 * by),
});

const fits = (text: string, most: number): boolean => text.length * LETTER <= most;

/** The text, or its first words that fit. */
function fitting(text: string, most: number): string {
  const words = text.split(' ');
  while (words.length > 0 && !fits(words.join(' '), most)) words.pop();
  return words.join(' ').replace(/,$/, '');
}
