import type { ReactNode } from 'react';

/** Outlines on a field of 16 by 16, drawn with a line of 1.5. */
const LINES = {
  home: 'M2.5 7.2 8 2.5l5.5 4.7v6.3h-4V9.8h-3v3.7h-4z',
  earn: 'M2 12.2 6.2 8l2.6 2.6L14 4.8m-3.6 0H14v3.6',
  borrow: 'M2.5 5.2h9.2M9.4 2.8l2.4 2.4-2.4 2.4m4.1 3.2H4.300M6.600 8.400 4.200 10.800l2.400 2.400',
  risk: 'M8 1.800 13 3.600v4.100c0 3.200-2 5.300-5 6.500-3-1.200-5-3.300-5-6.500V3.600z',
  wallet: 'M2.500 4.500h10v9h-10zm0 0 7.500-2.500v2.500m2.500 3.200h-3v2.600h3',
  search: 'M7 2.500a4.500 4.500 0 1 0 0 9a4.500 4.500 0 0 0 0-9m3.300 7.800 3.400 3.400',
  theme: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2m0 0v12',
  menu: 'M2.500 4.500h11M2.500 8h11m-11 3.500h11',
  copy: 'M5.500 5.500v-3h8v8h-3m-8-5h8v8h-8z',
  close: 'm4 4 8 8m0-8-8 8',
  arrow: 'M6 3.500 10.500 8 6 12.500',
  protect: 'M8 1.800 13 3.600v4.100c0 3.200-2 5.300-5 6.500-3-1.200-5-3.300-5-6.500V3.600z',
  leave: 'M6.500 2.500h-4v11h4M6.500 8h7m-2.500-2.500L13.500 8 11 10.500',
  swap: 'M2.500 5.200h10m-2.200-2.400 2.400 2.400-2.400 2.400M13.500 10.800h-10m2.200 2.400-2.400-2.400 2.400-2.400',
  share:
    'M6.500 9.500 9.500 6.500M7 4.500l1.300-1.300a3 3 0 0 1 4.300 4.300L11.300 8.800M9 11.500l-1.300 1.300a3 3 0 0 1-4.300-4.300L4.700 7.200',
} as const;

/** Filled shapes with a hole for their sign: they stand for a state without its colour. */
const SHAPES = {
  safe: 'M8 1.200a6.800 6.800 0 1 0 0 13.600A6.800 6.800 0 0 0 8 1.200m3.500 5.100-4 4.500a.8.8 0 0 1-1.200 0L4.500 9a.8.8 0 0 1 1.100-1.200l1.300 1.200 3.400-3.800a.8.8 0 1 1 1.200 1.100',
  caution:
    'M9.200 1.900a1.400 1.400 0 0 0-2.400 0L.9 12.400a1.400 1.400 0 0 0 1.200 2.100h11.800a1.400 1.400 0 0 0 1.200-2.100zM7.200 6a.8.8 0 1 1 1.600 0v3a.8.8 0 1 1-1.600 0zm.8 4.800a.9.9 0 1 1 0 1.800.9.9 0 0 1 0-1.800',
  danger:
    'M5.200 1.200h5.600l4 4v5.600l-4 4H5.200l-4-4V5.200zM7.200 4.800a.8.8 0 1 1 1.600 0v3.900a.8.8 0 1 1-1.600 0zM8 10.400a.9.9 0 1 1 0 1.800.9.9 0 0 1 0-1.800',
  info: 'M8 1.200a6.800 6.800 0 1 0 0 13.600A6.800 6.800 0 0 0 8 1.200M8 4a.9.9 0 1 1 0 1.800A.9.9 0 0 1 8 4m-.8 3.700a.8.8 0 1 1 1.600 0v3.600a.8.8 0 1 1-1.600 0z',
  seal: 'M8 .9 9.800 2.300l2.200-.2.700 2.100 1.900 1.200-.6 2.200.6 2.200-1.900 1.200-.7 2.100-2.200-.2L8 14.300l-1.800-1.400-2.200.2-.7-2.100-1.900-1.200.6-2.200-.6-2.200 1.900-1.200.7-2.100 2.200.2zm3.200 4.800a.8.8 0 0 0-1.200-1L7.300 7.900 6 6.700a.8.8 0 1 0-1.100 1.200l1.900 1.800a.8.8 0 0 0 1.200-.1z',
} as const;

export type IconName = keyof typeof LINES | keyof typeof SHAPES;

/** A picture beside a word, which says the same: it is hidden from screen readers. */
export function Icon({ name }: { readonly name: IconName }): ReactNode {
  return (
    <svg className="icon" viewBox="0 0 16 16" aria-hidden="true">
      {name in SHAPES ? (
        <path d={SHAPES[name as keyof typeof SHAPES]} fill="currentcolor" fillRule="evenodd" />
      ) : (
        <path
          d={LINES[name as keyof typeof LINES]}
          fill="none"
          stroke="currentcolor"
          strokeWidth="1.5"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      )}
    </svg>
  );
}
