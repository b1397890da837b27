import { z } from 'zod';
import { endpoint } from './define.ts';
import { instant, message, password, text } from './scalars.ts';
import { adminLogin, subadminLogin } from './session.ts';

/** The second step at sign-in: codes of an authenticator app (docs/specification.md §28.8). */

export const RECOVERY_CODES = 10;

/** Six digits of the app, or a recovery code; spaces and dashes do not matter. */
const code = text(40, { required: 'Please enter the code' });

/** What is shown once, until a code of the app confirms it. */
const begun = z.object({
  /** For typing it into the app, in groups of four. */
  secret: z.string(),
  /** The same as a picture: black modules of a QR code as the path of an SVG of `size` by `size`. */
  qr: z.object({ size: z.number(), path: z.string() }),
});
const newCodes = z.object({ data: z.object({ recoveryCodes: z.array(z.string()) }) });

const secondStepState = z.object({
  isOn: z.boolean(),
  since: instant.nullable(),
  codesLeft: z.number(),
  /** The business, or the server's setting, demands it: it cannot be turned off. */
  isDemanded: z.boolean(),
});
export type SecondStepState = z.output<typeof secondStepState>;

const codeInput = z.strictObject({ code });
/** The answer to a right password of who has a second step has the token. */
const signInCode = z.strictObject({ token: text(100, { required: 'Please sign in again' }), code });
/** The password, or for who has a second step a code. */
const whoItIs = z.strictObject({ password: password('Please enter your password').optional(), code: code.optional() });

const touches = ['second-step', 'people'] as const;
const signInErrors = ['INVALID_CREDENTIALS', 'WRONG_CODE'] as const;

export const secondStep = {
  get: endpoint('second-step', 'GET /second-step', {
    summary: 'Whether the caller has a second step at sign-in, and how many recovery codes are left',
    answer: z.object({ data: secondStepState }),
  }),
  begin: endpoint('second-step', 'POST /second-step/begin', {
    summary: 'Make a new secret for an authenticator app; it counts once a code has confirmed it',
    asksAgain: 'always',
    answer: z.object({ data: begun }),
    errors: ['SECOND_STEP_ON'],
  }),
  confirm: endpoint('second-step', 'POST /second-step', {
    summary:
      'Confirm the new secret by a code, from when on signing in asks for one; the answer has the recovery codes',
    body: codeInput,
    answer: newCodes,
    errors: ['WRONG_CODE', 'SECOND_STEP_ON'],
    touches,
  }),
  renewCodes: endpoint('second-step', 'POST /second-step/recovery-codes', {
    summary: 'Make ten new recovery codes; the earlier ones end',
    asksAgain: 'always',
    answer: newCodes,
    errors: ['NOT_FOUND'],
    touches,
  }),
  turnOff: endpoint('second-step', 'DELETE /second-step', {
    summary: 'Turn the own second step off, unless it is demanded',
    asksAgain: 'always',
    answer: message,
    touches,
  }),
  signInAdmin: endpoint('second-step', 'POST /admin/login/code', {
    summary: 'Finish the sign-in of an admin who has a second step',
    roles: 'public',
    body: signInCode,
    answer: adminLogin,
    errors: signInErrors,
  }),
  signInSubadmin: endpoint('second-step', 'POST /subadmins/login/code', {
    summary: 'Finish the sign-in of a sub-admin who has a second step',
    roles: 'public',
    body: signInCode,
    answer: subadminLogin,
    errors: signInErrors,
  }),
  confirmAgain: endpoint('second-step', 'POST /sessions/confirm', {
    summary:
      'Say again who the caller is: by the password, or by a code for who has a second step; counts for 10 minutes',
    body: whoItIs,
    answer: message,
    errors: ['WRONG_CODE', 'WRONG_PASSWORD'],
  }),
};
