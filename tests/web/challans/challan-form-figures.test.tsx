import { afterEach, beforeEach, expect, it } from 'vitest';
import { button, field, fillChallan, formDesk, goTo, keys, openNew, type } from '../support/challan-form.ts';
import { closeApp, page, userEvent } from '../support/screen.tsx';

beforeEach(() => void formDesk());
afterEach(closeApp);

const lines = () => [...document.querySelectorAll<HTMLElement>('[aria-label="Net amount line by line"] > li')];
const line = (label: string) => lines().find((item) => item.textContent?.startsWith(label))?.textContent;
const net = () => document.querySelector('main dl dd')?.textContent;

it('an amount that cannot be read leaves its line and the net unknown until it is mended', async () => {
  await openNew();
  await fillChallan();
  await expect.poll(net).toBe('₹30,358.00');
  await type('Advance Money', '12,50');
  await expect.poll(net).toBe('—');
  expect(line('Advance Money')).toBe('Advance Money, deducted—');
  expect(line('Freight')).toContain('₹32,100.00');
  await expect.element(field('Net Amount Payable')).toHaveValue('—');
  await type('TDS Percentage', '-2');
  await expect.element(field('TDS Amount')).toHaveValue('—');
  await type('TDS Percentage', '2');
  await type('Advance Money', '12.50');
  await expect.poll(net).toBe('₹31,345.50');
});

it('the error summary names the field where its message does not', async () => {
  await openNew();
  await fillChallan();
  await type('Advance Money', '12,50');
  await type('Material', '');
  await userEvent.click(button('Create Challan'));
  const alert = page.getByRole('alert');
  await expect.element(alert.getByText('Advance Money: ')).toBeVisible();
  const seen = [...document.querySelectorAll<HTMLElement>('[role="alert"] li')].map((item) =>
    [...item.children].flatMap((child) => (child.className === 'sr-only' ? [] : [child.textContent])).join(''),
  );
  expect(seen).toEqual(['Please enter material', 'Advance Money: Write decimals after a point: 12.50, not 12,50.']);
});

it('at 1366 pixels no figure of the sum is printed over another, however long', async () => {
  await openNew();
  await fillChallan();
  await type('Loading Weight (MT)', '999999.99');
  await type('Unloading Weight (MT)', '999999.90');
  await type('Rate per MT', '99999.99');
  await type('Advance Money', '999999999.99');
  await expect.poll(() => line('Advance Money')).toContain('₹99,99,99,999.99');
  const boxes = lines().flatMap((item) => {
    const figure = item.querySelector('.nums');
    const contents = document.createRange();
    if (figure) contents.selectNodeContents(figure);
    const { left, right, top } = contents.getBoundingClientRect();
    return right === 0 ? [] : [{ left, right, top }];
  });
  const overlaps = boxes.filter(({ left, top }, index) => {
    const before = boxes[index - 1];
    return before !== undefined && Math.abs(before.top - top) < 20 && left < before.right;
  });
  expect(boxes.length).toBeGreaterThanOrEqual(6);
  expect(overlaps).toEqual([]);
});

it.each(['light', 'dark'])('in the %s theme a read-only field has not the border of one to type in', async (theme) => {
  document.documentElement.dataset.theme = theme;
  try {
    await openNew();
    const border = (label: string) => getComputedStyle(field(label).element()).borderTopColor;
    expect(border('TDS Amount')).not.toBe(border('Rate per MT'));
    expect(border('HSD in Liters')).toBe(border('TDS Amount'));
  } finally {
    delete document.documentElement.dataset.theme;
  }
});

it('the rupee sign is before the figure, in fields to type in and in worked out ones', async () => {
  await openNew();
  for (const label of ['Advance Money', 'TDS Amount']) {
    const input = field(label).element();
    const sign = [...(input.parentElement?.parentElement?.querySelectorAll('[aria-hidden]') ?? [])].find(
      (item) => item.textContent === '₹',
    );
    const middle = input.getBoundingClientRect().left + input.getBoundingClientRect().width / 2;
    expect(sign?.getBoundingClientRect().right, label).toBeLessThan(middle);
  }
});

it('every label of the form takes one line, so that no field is below its neighbours', async () => {
  await page.viewport(1024, 768);
  try {
    await openNew();
    const heights = [...document.querySelectorAll('form label')].map((label) => label.getBoundingClientRect().height);
    expect(new Set(heights.filter((height) => height > 0).map(Math.round)).size).toBeLessThanOrEqual(2);
    expect(Math.max(...heights)).toBeLessThan(24);
  } finally {
    await page.viewport(1366, 768);
  }
});

it('how an amount came about is told where the bar has no room for it: on Tab to the amount', async () => {
  await openNew();
  await fillChallan();
  goTo('TDS Percentage');
  await keys('{Tab}');
  // Its own: the pointer may rest on a button, which then shows one too.
  const told = page.getByRole('tooltip').filter({ hasText: '2.0% of 32.10 MT × ₹1,000.00' });
  await expect.element(told).toBeVisible();
});
