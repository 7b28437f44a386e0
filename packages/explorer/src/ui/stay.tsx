import { type ReactNode, useLayoutEffect, useRef } from 'react';

/**
 * A column that stays in view while the page scrolls, on wide screens. One that is taller than the window scrolls with the
 * page until its end is seen, so that nothing of it is out of reach.
 */
export function Stay({ children }: { readonly children: ReactNode }): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const place = () => element.style.setProperty('--stay-height', `${element.offsetHeight}px`);
    place();
    const watch = new ResizeObserver(place);
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
  return (
    <div ref={box} className="stay">
      {children}
    </div>
  );
}
