interface SpinnerProps {
  /** Pixels. */
  size?: number;
  /** The name for screen readers. Omit it where the busy control announces itself. */
  label?: string;
}

export function Spinner({ size = 16, label }: SpinnerProps) {
  return (
    <svg
      className="busy-spin shrink-0"
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      {...(label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true })}
    >
      <circle cx="8" cy="8" r="6.5" stroke="currentColor" strokeOpacity="0.25" strokeWidth="2" />
      <path d="M14.5 8A6.5 6.5 0 0 0 8 1.5" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
    </svg>
  );
}
