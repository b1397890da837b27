import { afterEach, expect, test, vi } from 'vitest';
import { cleanup, render } from '@testing-library/react';
import { page, userEvent } from 'vitest/browser';
import { useState } from 'react';
import { parseTypedDate } from '../../../../src/shared/reading/day.ts';
import { addDays, formatDate } from '../../../../src/shared/calc/dates.ts';
import { MoneyField, PercentField } from '../../../../src/web/kit/forms/amount-fields.tsx';
import { DateField } from '../../../../src/web/kit/ui/date-field.tsx';
import { withoutPause } from '../../in-the-gap.ts';
import '../../../../src/web/theme.css';

afterEach(cleanup);

let value = '';
let arrive: (text: string) => void = () => undefined;
function Money({ start = '', percent = false }: { start?: string; percent?: boolean }) {
  const [text, setText] = useState(start);
  // oxlint-disable-next-line react/globals -- read by the tests
  value = text;
  // oxlint-disable-next-line react/globals -- as above
  arrive = setText;
  const Field = percent ? PercentField : MoneyField;
  return (
    <>
      <Field label="Amount" value={text} onValueChange={setText} hint="In rupees" />
      <button type="button" onClick={() => setText('77')}>
        Prefill
      </button>
    </>
  );
}
const field = () => page.getByRole('textbox');
const leave = () => userEvent.keyboard('{Tab}');

test('typed with commas, shown grouped, kept plain', async () => {
  render(<Money />);
  await userEvent.fill(field(), '1,23,456.5');
  await leave();
  await expect.element(field()).toHaveValue('1,23,456.50');
  expect(value).toBe('123456.50');
  await userEvent.click(field());
  await expect.element(field()).toHaveValue('123456.50');
});

test('more decimals are rounded half-up on leaving, and the field says so until it changes', async () => {
  render(<Money />);
  await userEvent.fill(field(), '1.005');
  await leave();
  expect(value).toBe('1.01');
  await expect.element(page.getByText('Rounded to 1.01')).toBeInTheDocument();
  await userEvent.fill(field(), '2');
  await leave();
  await expect.element(page.getByText('In rupees')).toBeInTheDocument();
});

test('what is no number stays as typed, with the reason, until it is mended or replaced', async () => {
  render(<Money />);
  await userEvent.fill(field(), '12,50');
  await leave();
  await expect.element(field()).toHaveValue('12,50');
  await expect.element(field()).toHaveAttribute('aria-invalid', 'true');
  await expect.element(page.getByText('Write decimals after a point: 12.50, not 12,50.')).toBeInTheDocument();
  await userEvent.click(page.getByRole('button', { name: 'Prefill' }));
  await expect.element(field()).not.toHaveAttribute('aria-invalid');
  await expect.element(field()).toHaveValue('77.00');
});

test('two numbers pasted are not joined into one', async () => {
  render(<Money />);
  await userEvent.fill(field(), '1500 2000');
  await leave();
  await expect.element(field()).toHaveValue('1500 2000');
  await expect.element(page.getByText('Enter a number such as 12345.50.')).toBeInTheDocument();
});

test('a value that comes while the field has the focus is selected: typing replaces it', async () => {
  render(<Money />);
  await userEvent.click(field());
  arrive('1.00');
  await expect.element(field()).toHaveValue('1.00');
  await userEvent.keyboard('25');
  await leave();
  expect(value).toBe('25.00');
});

test('wheel and arrow keys never change a number', async () => {
  render(<Money start="100.00" />);
  await userEvent.click(field());
  await userEvent.keyboard('{ArrowUp}{ArrowUp}{ArrowDown}{PageUp}');
  field()
    .element()
    .dispatchEvent(new WheelEvent('wheel', { deltaY: 100, bubbles: true }));
  await leave();
  expect(value).toBe('100.00');
});

test('the percentage has one decimal, and may carry its sign', async () => {
  render(<Money percent />);
  await userEvent.fill(field(), '2%');
  await leave();
  expect(value).toBe('2.0');
  await userEvent.fill(field(), 'two');
  await leave();
  await expect.element(page.getByText('Enter a percentage such as 1.5.')).toBeInTheDocument();
  await userEvent.fill(field(), '2.25');
  await leave();
  expect(value).toBe('2.3');
});

const today = '2026-11-20';
const onProblem = vi.fn<(problem: string | undefined) => void>();
function Day({ start = '' }: { start?: string }) {
  const [day, setDay] = useState(start);
  // oxlint-disable-next-line react/globals -- read by the tests
  value = day;
  return (
    <>
      <DateField
        label="Loading Date"
        value={day}
        onValueChange={setDay}
        parse={(text, own) => parseTypedDate(text, today, own)}
        format={formatDate}
        onProblem={onProblem}
      />
      <button type="button">Next</button>
    </>
  );
}

test.each([
  ['5/3', '2026-03-05', '05/03/2026'],
  ['05032026', '2026-03-05', '05/03/2026'],
  ['2026-03-05', '2026-03-05', '05/03/2026'],
  ['7', '2026-11-07', '07/11/2026'],
])('%s is a date', async (typed, day, shown) => {
  render(<Day />);
  await userEvent.fill(field(), typed);
  await leave();
  expect(value).toBe(day);
  await expect.element(field()).toHaveValue(shown);
});

test('t, + and - act at once over an empty or wholly selected field, Ctrl+; always', async () => {
  render(<Day />);
  await userEvent.click(field());
  await userEvent.keyboard('t');
  await expect.poll(() => value).toBe('2026-11-20');
  await expect.poll(() => window.getSelection()?.toString()).toBe('20/11/2026');
  await userEvent.keyboard('+');
  await expect.poll(() => value).toBe('2026-11-21');
  await expect.poll(() => window.getSelection()?.toString()).toBe('21/11/2026');
  await userEvent.keyboard('-');
  await expect.poll(() => value).toBe('2026-11-20');
  await userEvent.keyboard('5-{Control>};{/Control}');
  await expect.poll(() => value).toBe('2026-11-20');
});

test.each([
  ['Ctrl+;', '{Control>};{/Control}', '2026-11-20'],
  ['a whole date typed', '{Control>}a{/Control}22/11/2026', '2026-11-22'],
  ['the cursor behind the date', '{Control>};{/Control}{End}', '2026-11-20'],
])('after %s, - and + step the day', async (_how, typed, day) => {
  render(<Day start="2026-01-01" />);
  await userEvent.click(field());
  await userEvent.keyboard(`${typed}-`);
  await expect.poll(() => value).toBe(addDays(day, -1));
  await expect.element(field()).toHaveValue(formatDate(addDays(day, -1)));
  await userEvent.keyboard('++');
  await expect.poll(() => value).toBe(addDays(day, 1));
});

test('a minus inside a date is part of it', async () => {
  render(<Day start="2026-01-01" />);
  await userEvent.click(field());
  await userEvent.keyboard('5-3-26');
  await leave();
  expect(value).toBe('2026-03-05');
});

test('an impossible date stays as typed and says so; Escape brings the date back', async () => {
  render(<Day start="2026-01-01" />);
  await userEvent.fill(field(), '31/02/2026');
  await leave();
  await expect.element(page.getByText('This date does not exist.')).toBeInTheDocument();
  expect(onProblem).toHaveBeenLastCalledWith('This date does not exist.');
  expect(value).toBe('2026-01-01');
  await userEvent.click(field());
  await userEvent.keyboard('{Escape}');
  await expect.element(field()).toHaveValue('01/01/2026');
  expect(onProblem).toHaveBeenLastCalledWith(undefined);
});

test('F4 opens the calendar on the field’s month; a day picked there comes back with the focus', async () => {
  render(<Day start="2026-03-05" />);
  await userEvent.click(field());
  await userEvent.keyboard('{F4}');
  await expect.element(page.getByRole('dialog')).toBeVisible();
  await vi.waitFor(() => expect(document.activeElement?.closest('[role="dialog"]')).not.toBeNull());
  await userEvent.keyboard('{ArrowRight}{Enter}');
  await expect.poll(() => value).toBe('2026-03-06');
  await expect.element(field()).toHaveFocus();
  await userEvent.keyboard('{F4}');
  await vi.waitFor(() => expect(document.activeElement?.closest('[role="dialog"]')).not.toBeNull());
  await userEvent.keyboard('{Escape}');
  await expect.element(field()).toHaveFocus();
  expect(value).toBe('2026-03-06');
});

test('another month and year are chosen in the calendar without a native select', async () => {
  render(<Day start="2026-03-05" />);
  await userEvent.click(field());
  await userEvent.keyboard('{F4}');
  await userEvent.click(page.getByRole('combobox', { name: 'Month' }));
  await withoutPause(() => userEvent.keyboard('no{Enter}'));
  await userEvent.click(page.getByRole('combobox', { name: 'Year' }));
  await withoutPause(() => userEvent.keyboard('2025{Enter}'));
  await userEvent.click(page.getByRole('button', { name: 'Previous month' }));
  await userEvent.click(page.getByRole('button', { name: /^Friday, October 17th, 2025/ }));
  await expect.poll(() => value).toBe('2025-10-17');
  await expect.element(field()).toHaveFocus();
});
