import type { z } from 'zod';

/** What a schema says about an input: field path → its messages, in order. Nothing: the input is accepted. */
export function messagesOf(schema: z.ZodType, input: unknown): Record<string, string[]> {
  const result = schema.safeParse(input);
  const messages: Record<string, string[]> = {};
  for (const issue of result.error?.issues ?? []) (messages[issue.path.join('.')] ??= []).push(issue.message);
  return messages;
}

/** The keys a schema refuses as unknown. */
export function unknownKeys(schema: z.ZodType, input: unknown): string[] {
  const issues = schema.safeParse(input).error?.issues ?? [];
  return issues.flatMap((issue) => (issue.code === 'unrecognized_keys' ? issue.keys : []));
}

export const someId = '3f2b8c1e-7d4a-4e9b-9a6f-0c5d1e2f3a4b';
export const otherId = 'a1b2c3d4-e5f6-4a7b-8c9d-0e1f2a3b4c5d';
