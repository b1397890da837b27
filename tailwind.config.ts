import type { Config } from 'tailwindcss';

/** Design tokens; the colours are CSS variables so that both themes share every class (src/web/theme.css). */
export default {
  content: ['./src/web/**/*.{ts,tsx,html}'],
  theme: {
    extend: {
      colors: {
        canvas: 'var(--canvas)',
        surface: 'var(--surface)',
        raised: 'var(--raised)',
        sunken: 'var(--sunken)',
        hover: 'var(--hover)',
        line: 'var(--line)',
        control: 'var(--control)',
        ink: 'var(--ink)',
        muted: 'var(--muted)',
        primary: 'var(--primary)',
        'primary-strong': 'var(--primary-strong)',
        'primary-soft': 'var(--primary-soft)',
        'primary-ink': 'var(--primary-ink)',
        danger: 'var(--danger)',
        'danger-soft': 'var(--danger-soft)',
        'danger-ink': 'var(--danger-ink)',
        good: 'var(--good)',
        'good-soft': 'var(--good-soft)',
        warn: 'var(--warn)',
        'warn-soft': 'var(--warn-soft)',
      },
      boxShadow: {
        card: 'var(--shadow-card)',
        float: 'var(--shadow-float)',
      },
    },
  },
} satisfies Config;
