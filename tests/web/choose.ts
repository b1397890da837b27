import { page, userEvent, type Locator } from 'vitest/browser';

/** Opens a select by mouse and takes the option of this label. */
export async function choose(select: Locator, option: string): Promise<void> {
  await userEvent.click(select);
  await userEvent.click(page.getByRole('option', { name: option, exact: true }));
}
