import { useForm } from 'react-hook-form';
import { cleanup, render } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { ValueKind } from '../../../../src/shared/reading/values.ts';
import { RecordFields } from '../../../../src/web/kit/forms/record-fields.tsx';
import { readingCases } from '../../../reading-cases.ts';

afterEach(cleanup);

function Form({ reads }: { reads: ValueKind }) {
  const { control } = useForm({ defaultValues: { one: '' } });
  return <RecordFields control={control} fields={{ one: { label: 'Field', reads } }} />;
}
const field = () => page.getByLabelText('Field');

/** Leaves a field with a text. */
async function leaveWith(kind: ValueKind, text: string): Promise<void> {
  render(<Form reads={kind} />);
  await userEvent.fill(field(), text);
  await userEvent.tab();
}

const ofForms = readingCases.filter(
  ({ kind, text }) => ['phone', 'account', 'ifsc', 'pan', 'vehicle'].includes(kind) && text.trim() !== '',
);

describe('a field of a record, when it is left', () => {
  it.each(ofForms)('as $kind: $text', async ({ kind, text, outcome }) => {
    await leaveWith(kind, text);
    if (outcome instanceof RegExp) {
      // It is said, and what was typed stays to be corrected.
      await expect.element(page.getByText(outcome)).toBeVisible();
      return;
    }
    const value = typeof outcome === 'string' ? outcome : outcome.value;
    if (value !== '') await expect.element(field()).toHaveValue(value);
    if (typeof outcome !== 'string') await expect.element(page.getByText(outcome.doubt)).toBeVisible();
  });
});
