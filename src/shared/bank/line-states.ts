/** Of a line at the bank; its last event is its state (docs/specification.md §24.1). */
export const lineStates = ['in-file', 'executed', 'failed', 'returned'] as const;
export type LineState = (typeof lineStates)[number];

export const accountPattern = /^\d{9,18}$/;
export const ifscPattern = /^[A-Z]{4}0[A-Z0-9]{6}$/;
