import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode, type SyntheticEvent } from 'react';
import { Link } from 'react-router-dom';
import { clsx } from 'clsx';
import { useAnchored } from '../../kit/ui/anchored.ts';
import { dispatchKey, useKeyHelp, type KeyTable } from '../../kit/ui/key-table.ts';

/** One mark of a plot: a value that can be focused, read and opened. */
export interface Mark {
  key: string;
  /** Marks of one row are side by side. Up and Down move between rows. */
  row: number;
  /** What the value belongs to: '13/04/2026 to 19/04/2026'. */
  title: string;
  /** Its values by name, for the tooltip and for the label that a screen reader reads. */
  values: readonly (readonly [name: string, value: string])[];
  /** The list of challans that the value counts. */
  to: string;
}

interface PlotFrameProps {
  /** What the plot shows. A screen reader reads it before the first mark. */
  label: string;
  /** The minimum height. The plot grows with its card. */
  height: number;
  marks: readonly Mark[];
  draw: DrawPlot;
}

/** Draws the plot in the given size, in pixels. `mark` wraps the shapes that belong to one mark. */
export type DrawPlot = (
  size: { width: number; height: number },
  mark: (key: string, shapes: ReactNode) => ReactNode,
) => ReactNode;

/**
 * A plot with a single Tab stop. The marks are links: arrow keys move between them, Enter opens the list behind one,
 * Escape hides the tooltip. Pointing at a mark shows the same tooltip. The table beside the plot has the same
 * figures.
 */
export function PlotFrame({ label, height, marks, draw }: PlotFrameProps) {
  const box = useRef<HTMLDivElement>(null);
  useKeyHelp('Plots', plotKeys);
  const [size, setSize] = useState({ width: 0, height: 0 });
  const [focusedKey, setFocusedKey] = useState<string>();
  const [shownKey, setShownKey] = useState<string>();
  const anchor = useRef<Element | null>(null);
  const marksByKey = new Map(marks.map((mark) => [mark.key, mark]));
  const tabStop = focusedKey !== undefined && marksByKey.has(focusedKey) ? focusedKey : marks[0]?.key;
  const shownMark = shownKey === undefined ? undefined : marksByKey.get(shownKey);

  useEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(() => setSize({ width: element.clientWidth, height: element.clientHeight }));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  const markAt = (event: SyntheticEvent): Element | null =>
    event.target instanceof Element ? event.target.closest('[data-mark]') : null;
  const show = (element: Element | null): void => {
    anchor.current = element;
    setShownKey(element?.getAttribute('data-mark') ?? undefined);
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    const all = [...(box.current?.querySelectorAll<SVGElement>('[data-mark]') ?? [])];
    const at = all.findIndex((element) => element === document.activeElement);
    const goTo = (next: Element | undefined): boolean => {
      if (at >= 0 && next instanceof SVGElement) next.focus();
      return at >= 0 && next !== undefined;
    };
    const isHandled = dispatchKey(plotKeys, event, {
      walk: () => goTo(all[nextMark(event.key, at, marks)]),
      edge: () => goTo(all.at(event.key === 'End' ? -1 : 0)),
      hide: () => {
        setShownKey(undefined);
        return shownKey !== undefined;
      },
    });
    if (isHandled) event.preventDefault();
  };

  const mark = (key: string, shapes: ReactNode): ReactNode => {
    const item = marksByKey.get(key);
    if (!item) return shapes;
    return (
      <Link
        key={key}
        to={item.to}
        data-mark={key}
        tabIndex={key === tabStop ? 0 : -1}
        aria-label={`${item.title}: ${item.values.map(([name, text]) => `${name} ${text}`).join(', ')}`}
        className="group outline-offset-2"
      >
        {shapes}
      </Link>
    );
  };

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- walks and shows the links inside it
    <div
      ref={box}
      role="group"
      aria-label={`${label}. Arrow keys move between marks, Enter opens the challans.`}
      style={{ minHeight: height }}
      className="relative min-w-0 flex-1"
      onKeyDown={onKeyDown}
      onFocus={(event) => {
        const element = markAt(event);
        setFocusedKey(element?.getAttribute('data-mark') ?? undefined);
        show(element);
      }}
      onBlur={() => show(null)}
      onMouseOver={(event) => show(markAt(event))}
      onMouseLeave={() => show(null)}
    >
      {size.width > 0 && (
        // Positioned absolutely, so that the drawing never keeps its own frame from shrinking.
        <svg {...size} className="absolute inset-0 overflow-visible">
          {draw(size, mark)}
        </svg>
      )}
      {shownMark && <MarkTooltip key={shownMark.key} mark={shownMark} anchor={anchor} />}
    </div>
  );
}

/** The keys of a plot (docs/keyboard.md §10). The key handler and the help both read this table. */
export const plotKeys = {
  walk: { keys: ['←', '→', '↑', '↓'], label: 'Move between marks' },
  edge: { keys: ['Home', 'End'], label: 'First and last mark' },
  follow: { keys: 'Enter', label: 'Open the challans of the mark or figure', by: 'browser' },
  hide: { keys: 'Esc', label: 'Hide the figures of the mark' },
} as const satisfies KeyTable;

/** The index of the mark that an arrow key moves to. `marks` are in document order. */
function nextMark(key: string, at: number, marks: readonly Mark[]): number {
  const last = marks.length - 1;
  switch (key) {
    case 'ArrowRight':
      return Math.min(at + 1, last);
    case 'ArrowLeft':
      return Math.max(at - 1, 0);
    case 'ArrowDown':
    case 'ArrowUp':
      return markInNextRow(at, key === 'ArrowDown' ? 1 : -1, marks);
    default:
      return at;
  }
}

/** The mark at the same position in the next row, or the last one of that row if it is shorter. */
function markInNextRow(at: number, step: 1 | -1, marks: readonly Mark[]): number {
  const row = marks[at]?.row ?? 0;
  const place = at - marks.findIndex((mark) => mark.row === row);
  const wanted = row + step;
  const first = marks.findIndex((mark) => mark.row === wanted);
  if (first < 0) return at;
  const size = marks.filter((mark) => mark.row === wanted).length;
  return first + Math.min(place, size - 1);
}

/** Hidden from screen readers: the label of the mark tells them the same. */
function MarkTooltip({ mark, anchor }: { mark: Mark; anchor: { readonly current: Element | null } }) {
  const floating = useAnchored<HTMLDivElement>(anchor, { isOpen: true, side: 'above', align: 'center', gap: 8 });
  return (
    <div
      ref={floating}
      aria-hidden
      popover="manual"
      className="floating pointer-events-none !rounded-md px-2.5 py-1.5 text-xs leading-4"
    >
      <p className="font-semibold">{mark.title}</p>
      <dl className="nums mt-0.5 grid grid-cols-[auto_auto] gap-x-3">
        {mark.values.map(([name, text]) => (
          <div key={name} className="contents">
            <dt className="text-muted">{name}</dt>
            <dd className="text-right">{text}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

/**
 * Paid is filled and unpaid is hatched, so that the two differ without colour as well (docs/specification.md §19.5).
 */
export const paidClass = 'fill-good forced-colors:fill-[Highlight]';
export const countClass = 'fill-primary forced-colors:fill-[CanvasText]';
const unpaidStroke = 'stroke-warn forced-colors:stroke-[CanvasText]';

/** The pattern of unpaid bars. Each plot defines it once, and its bars use it as their fill. */
export function Hatching({ id }: { id: string }) {
  return (
    <defs>
      <pattern id={id} width={6} height={6} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect width={6} height={6} className="fill-warn-soft forced-colors:fill-[Canvas]" />
        <line x1={0} y1={0} x2={0} y2={6} strokeWidth={4} className={unpaidStroke} />
      </pattern>
    </defs>
  );
}

export function useHatching(): { id: string; fill: string } {
  const id = `hatching-${useId().replaceAll(/[^\w-]/g, '')}`;
  return { id, fill: `url(#${id})` };
}

export const unpaidClass = clsx(unpaidStroke, 'stroke-1');

interface PlotCardProps {
  title: string;
  /** Which rows are drawn and which are not: 'The 12 largest of 34 tags'. */
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
          <LegendItem name="Paid">
            <rect x={0.5} y={0.5} width={11} height={11} className={paidClass} />
          </LegendItem>
          <LegendItem name="Unpaid">
            <rect x={0.5} y={0.5} width={11} height={11} fill={hatching.fill} className={unpaidClass} />
          </LegendItem>
        </span>
        {note && <p className="w-full text-xs text-muted">{note}</p>}
      </figcaption>
      {children}
    </figure>
  );
}

function LegendItem({ name, children }: { name: string; children: ReactNode }) {
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
export const formatRupeeTick = (value: number): string =>
  `₹${value.toLocaleString('en-IN', { maximumFractionDigits: 2 })}`;
