import { expect } from 'vitest';
import type { ErrorCode } from '../../../src/shared/contract/errors.ts';
import type { Answer } from './api.ts';

/** A well-formed id that nobody has. */
export const unknownId = '7b0c3f5e-2f0a-4a52-9f6e-0123456789ab';

export function expectRefusal(answer: Answer<unknown>, status: number, code: ErrorCode, message?: string): void {
  expect({ status: answer.status, code: answer.error.code }).toEqual({ status, code });
  if (message !== undefined) expect(answer.error.message).toBe(message);
}

/** An error answer as a caller may compare it: everything but the request's own id. */
export function withoutRequestId(answer: Answer<unknown>): { status: number; body: unknown } {
  const { requestId, ...body } = answer.error;
  expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
  return { status: answer.status, body };
}

/** The statuses of calls made at once, sorted. */
export async function statusesOf(calls: readonly Promise<Answer<unknown>>[]): Promise<number[]> {
  return (await Promise.all(calls)).map(({ status }) => status).sort();
}
