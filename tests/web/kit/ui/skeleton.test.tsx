import { afterEach, expect, test } from 'vitest';
import { cleanup, render } from '@testing-library/react';
import { Skeleton } from '../../../../src/web/kit/ui/skeleton.tsx';
import '../../../../src/web/theme.css';

afterEach(() => {
  cleanup();
  delete document.documentElement.dataset['theme'];
});

/** The relative luminance of WCAG, of 'rgb(1, 2, 3)'. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = (color.match(/\d+/g) ?? []).map((text) => {
    const part = Number(text) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** What the bar's darkest and lightest part, and a row's ground, are in this theme. */
function contrastsOf(theme: 'light' | 'dark'): number[] {
  document.documentElement.dataset['theme'] = theme;
  const { container } = render(
    <div className="bg-surface">
      <Skeleton className="h-3 w-32" />
    </div>,
  );
  const ground = getComputedStyle(container.querySelector('.bg-surface') ?? container).backgroundColor;
  const bar = getComputedStyle(container.querySelector('.skeleton') ?? container).backgroundImage;
  const colors = bar.match(/rgb\([^)]*\)/g) ?? [];
  cleanup();
  return colors.slice(0, 2).map((color) => contrast(color, ground));
}

test('a placeholder bar stands out from the rows in both themes alike', () => {
  const [light, dark] = [contrastsOf('light'), contrastsOf('dark')];
  expect(light).toHaveLength(2);
  for (const [at, ratio] of light.entries()) {
    expect(ratio).toBeGreaterThan(1.12);
    expect(dark[at]).toBeGreaterThanOrEqual(ratio);
    expect(dark[at]).toBeLessThan(ratio * 1.1);
  }
});
