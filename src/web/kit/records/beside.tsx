import { lazy, Suspense } from 'react';
import type { BesideProps } from './beside-panel.tsx';
import { readPreference } from '../api/account-storage.ts';
import { besideChoice } from '../ui/dialog-stack.ts';

const near = Promise.withResolvers<void>();
/** Loads the panel and its button. */
export const loadBeside = near.resolve;

const Part = lazy(async () => {
  // Who does not want the panel does not wait for it: it loads when the table is entered.
  if (!readPreference(besideChoice, false)) await near.promise;
  return import('./beside-panel.tsx');
});

/** The details of the focused row beside its list (docs/specification.md §37): with `rows` the panel, else its button. */
export const Beside = <Row extends { id: string }>(props: BesideProps<Row>) => (
  <Suspense fallback={null}>
    <Part {...(props as unknown as BesideProps<{ id: string }>)} />
  </Suspense>
);
