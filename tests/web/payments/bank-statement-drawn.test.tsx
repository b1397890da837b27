import { startTransition, Suspense, use } from 'react';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import { selectedCount, setSelected } from '../../../src/shared/calc/selection.ts';
import { noFilters } from '../../../src/shared/filters/filter-texts.ts';
import { makeQueryClient } from '../../../src/web/kit/api/query-client.ts';
import { notify } from '../../../src/web/kit/feedback/toast.ts';
import {
  screenFilters,
  useStatement,
  type Filters,
} from '../../../src/web/features/payments/bank-statement/use-statement.ts';

interface PageProps {
  filters: Filters;
  /** Until then the page is drawn and not shown. */
  ready: Promise<void>;
}

function SlowRows({ ready }: Pick<PageProps, 'ready'>) {
  use(ready);
  return null;
}

const ticked = (n: number) => [{ challanId: `challan ${n}`, netAmountPayable: '1.00' }];

function StatementPage({ filters, ready }: PageProps) {
  const { selection, setSelection } = useStatement(filters, 1, 10);
  const count = selectedCount(selection);
  return (
    <Suspense>
      <button type="button" onClick={() => setSelection((now) => setSelected(now, 'owner', ticked(count), true))}>
        {count}
      </button>
      <SlowRows ready={ready} />
    </Suspense>
  );
}

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

test('what is ticked while the page of another filter is drawn and not yet shown is selected, and ends with the filter', async () => {
  vi.stubGlobal('fetch', () => new Promise(() => undefined));
  const info = vi.spyOn(notify, 'info').mockReturnValue(undefined);
  const client = makeQueryClient();
  const shown = (filters: Filters, ready: Promise<void>) => (
    <QueryClientProvider client={client}>
      <StatementPage filters={filters} ready={ready} />
    </QueryClientProvider>
  );
  const all = noFilters(screenFilters);
  const { rerender } = await act(async () => render(shown(all, Promise.resolve())));
  const button = screen.getByRole('button');
  const tick = () => act(async () => void fireEvent.click(button));
  await tick();
  await tick();
  expect(button.textContent).toBe('2');
  // As the router follows: in a transition.
  const { promise, resolve } = Promise.withResolvers<void>();
  await act(async () => startTransition(() => rerender(shown({ ...all, tagId: 'none' }, promise))));
  await tick();
  expect(button.textContent).toBe('3');
  expect(info).not.toHaveBeenCalled();
  await act(async () => resolve());
  expect(button.textContent).toBe('0');
  expect(info.mock.calls.flat()).toEqual(['Selection cleared because the filter changed (3 challans were selected).']);
});
