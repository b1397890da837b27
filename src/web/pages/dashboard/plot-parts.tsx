import { useId, type ReactNode } from 'react';
import { clsx } from 'clsx';

/** Paid is filled, unpaid is hatched: the two are told apart without colour as well (docs/specification.md §19.5). */
export const paidLook = 'fill-good forced-colors:fill-[Highlight]';
export const countLook = 'fill-primary forced-colors:fill-[CanvasText]';
const unpaidLine = 'stroke-warn forced-colors:stroke-[CanvasText]';

/** Once in each plot; give its id to the bars as fill. */
export function Hatching({ id }: { id: string }) {
  return (
    <defs>
      <pattern id={id} width={6} height={6} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect width={6} height={6} className="fill-warn-soft forced-colors:fill-[Canvas]" />
        <line x1={0} y1={0} x2={0} y2={6} strokeWidth={4} className={unpaidLine} />
      </pattern>
    </defs>
  );
}

export function useHatching(): { id: string; fill: string } {
  const id = `hatching-${useId().replaceAll(/[^\w-]/g, '')}`;
  return { id, fill: `url(#${id})` };
}

export const unpaidLook = clsx(unpaidLine, 'stroke-1');

interface PlotCardProps {
  title: string;
  /** What is drawn and what is not: 'The 12 largest of 34 tags'. */
  note?: ReactNode;
  children: ReactNode;
}

export function PlotCard({ title, note, children }: PlotCardProps) {
  const hatching = useHatching();
  return (
    <figure className="m-0 flex min-w-0 flex-col gap-2 rounded-lg border border-line bg-surface px-4 pt-3 pb-2 shadow-card">
      <figcaption className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <h3 className="text-xs font-semibold">{title}</h3>
        <span className="ml-auto flex items-center gap-3 text-xs text-muted">
          <svg width={0} height={0} aria-hidden className="absolute">
            <Hatching id={hatching.id} />
          </svg>
          <Key name="Paid">
            <rect x={0.5} y={0.5} width={11} height={11} className={paidLook} />
          </Key>
          <Key name="Unpaid">
            <rect x={0.5} y={0.5} width={11} height={11} fill={hatching.fill} className={unpaidLook} />
          </Key>
        </span>
        {note && <p className="w-full text-xs text-muted">{note}</p>}
      </figcaption>
      {children}
    </figure>
  );
}

function Key({ name, children }: { name: string; children: ReactNode }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      <svg width={12} height={12} aria-hidden>
        {children}
      </svg>
      {name}
    </span>
  );
}

/** Whole rupees along an axis, grouped by lakhs like every amount (docs/specification.md §1.3). */
export const rupeeTick = (value: number): string => `₹${value.toLocaleString('en-IN', { maximumFractionDigits: 2 })}`;
