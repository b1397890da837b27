/** Characters of the name that the heading shows (docs/specification.md §9.2). */
const nameLength = 12;

/**
 * The ellipsis only where something was cut (docs/specification.md §9.2). Whole characters, so that no sign of Odia is
 * torn.
 */
function cutName(name: string): string {
  const signs = [...new Intl.Segmenter('en-IN', { granularity: 'grapheme' }).segment(name)];
  if (signs.length <= nameLength) return name;
  return `${signs
    .slice(0, nameLength)
    .map(({ segment }) => segment)
    .join('')}...`;
}

export function OwnerHeading({ name }: { name: string | undefined }) {
  return <span title={name}>Challan for {name === undefined ? '…' : cutName(name)}</span>;
}

/** How many challans the filter has. */
export function CountTag({ count }: { count: number | undefined }) {
  if (count === undefined) return null;
  return (
    <span className="nums rounded-full bg-primary-soft px-2.5 py-0.5 text-xs font-semibold text-primary">
      {count.toLocaleString('en-IN')} {count === 1 ? 'challan' : 'challans'}
    </span>
  );
}
