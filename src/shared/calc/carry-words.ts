import type { PaymentCarry } from '../contract/payment-batches.ts';

/** What a carry is called on screens and paper; the payment's file says the same (queries/payment-batches.ts). */
export const carryWords = ({ kind, otherNumber }: Pick<PaymentCarry, 'kind' | 'otherNumber'>): string =>
  kind === 'carry' ? 'Carried into the next payment' : `Deduction: carried from ${otherNumber ?? ''}`;
