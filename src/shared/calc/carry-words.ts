/** What a carry is called on screens and paper; the payment's file says the same (queries/payment-batches.ts). */
export const carryWords = (carry: { kind: 'carry' | 'deduct'; otherNumber: string | null }): string =>
  carry.kind === 'carry' ? 'Carried into the next payment' : `Deduction: carried from ${carry.otherNumber ?? ''}`;
