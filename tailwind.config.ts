import type { Config } from 'tailwindcss';

/** Design tokens; the colours are CSS variables so that both themes share every class (src/web/theme.css). */
export default {
  content: ['./src/web/**/*.{ts,tsx,html}'],
  darkMode: ['selector', '[data-theme="dark"]'],
  theme: {
    extend: {
      colors: {
        canvas: 'var(--canvas)',
        surface: 'var(--surface)',
        raised: 'var(--raised)',
        line: 'var(--line)',
        ink: 'var(--ink)',
        muted: 'var(--muted)',
        primary: 'var(--primary)',
        'primary-ink': 'var(--primary-ink)',
        danger: 'var(--danger)',
        good: 'var(--good)',
        warn: 'var(--warn)',
      },
    },
  },
} satisfies Config;
