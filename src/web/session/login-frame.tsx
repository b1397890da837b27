import type { ReactNode } from 'react';
import { Moon, Sun } from 'lucide-react';
import { IconButton } from '../ui/button.tsx';
import { defaultBrand } from './session.ts';
import { toggleTheme, useTheme } from '../shell/theme.ts';

/** The quiet page around both sign-in forms. */
export function LoginFrame({ title, children, footer }: { title: string; children: ReactNode; footer: ReactNode }) {
  const theme = useTheme();
  return (
    <main className="relative grid min-h-full place-items-center bg-canvas p-6">
      <div className="absolute top-4 right-4">
        <IconButton
          label={theme === 'dark' ? 'Light theme' : 'Dark theme'}
          icon={theme === 'dark' ? <Sun size={16} aria-hidden /> : <Moon size={16} aria-hidden />}
          onClick={toggleTheme}
        />
      </div>
      <div className="w-full max-w-88">
        <p className="mb-6 flex items-center justify-center gap-2.5 text-base font-semibold">
          <img src="/favicon.svg" alt="" className="size-7" />
          {defaultBrand}
        </p>
        <section className="rounded-xl border border-line bg-surface p-6 shadow-card">
          <h1 className="mb-4 text-lg font-semibold">{title}</h1>
          {children}
        </section>
        <div className="mt-4 text-center text-muted">{footer}</div>
      </div>
    </main>
  );
}
