/**
 * Identity numbers and contacts: their patterns, how they are stored, and the specification's messages. The schemas of the
 * contract use them. Each check gives a message or null, in this order: required, length, pattern.
 */

/** 5 letters, 4 digits, 1 letter; upper-cased before it is compared and stored (docs/specification.md §6.2). */
export const PAN_PATTERN = /^[A-Z]{5}\d{4}[A-Z]$/;
/**
 * A PAN that the tax department can have issued: its fourth letter names a kind of holder, and its number is not 0000. A
 * PAN that somebody made up to fill the field (AAAAA0000A, ABCDE1234F) does not match. The pattern works in JavaScript and
 * in PostgreSQL.
 */
export const PLAUSIBLE_PAN = '^[A-Z]{3}[ABCFGHJLPT][A-Z](?!0000)[0-9]{4}[A-Z]$';
export const PAN_MESSAGE = 'Please enter valid PAN number (e.g., ABCDE1234F)';

/** What banks pay into: an account of 9 to 18 digits, an IFSC with a 0 as its fifth character (docs/specification.md §24). */
export const ACCOUNT_PATTERN = /^\d{9,18}$/;
export const IFSC_PATTERN = /^[A-Z]{4}0[A-Z0-9]{6}$/;

/** docs/specification.md §6.2: empty or exactly 11 characters, upper-cased. */
export const IFSC_OR_NONE = /^([A-Z0-9]{11})?$/;
export const IFSC_MESSAGE = 'IFSC code should be 11 characters';

/**
 * docs/specification.md §12.2: 2 digits, 5 letters, 4 digits, 1 letter, 1 alphanumeric other than 0, Z, 1 alphanumeric.
 */
export const GST_PATTERN = /^\d{2}[A-Z]{5}\d{4}[A-Z][1-9A-Z]Z[0-9A-Z]$/;
export const GST_LENGTH = 15;
export const GST_REQUIRED = 'GST number is required';
export const GST_LENGTH_MESSAGE = 'GST number must be exactly 15 characters';
export const GST_MESSAGE = 'Please enter a valid GST number';

/** Owners, petrol pumps and new sub-admins: exactly 10 digits. */
export const TEN_DIGITS = /^\d{10}$/;
export const TEN_DIGITS_MESSAGE = 'Please enter a valid 10-digit contact number';
/** The message of the same rule when a sub-admin is added (docs/specification.md §5.2). */
export const SUBADMIN_CONTACT_MESSAGE = 'Please enter valid 10 digit contact number';
/** Editing a sub-admin: optional plus sign, first digit 1-9, up to 15 digits. */
export const SUBADMIN_EDIT_CONTACT_PATTERN = /^\+?[1-9]\d{0,14}$/;
export const SUBADMIN_EDIT_CONTACT_MESSAGE = 'Please enter a valid contact number';
/** Profile: an optional +91, then 10 digits. */
export const PROFILE_CONTACT_PATTERN = /^(\+91)?\d{10}$/;
export const PROFILE_CONTACT_REQUIRED = 'Contact number is required';
export const PROFILE_CONTACT_MESSAGE = 'Please enter a valid Indian mobile number';

/** Whether a ten-digit contact can get a WhatsApp message: an Indian mobile number begins with 6 to 9. */
export const hasMobile = (contactNumber: string): boolean => /^[6-9]\d{9}$/.test(contactNumber);

/** Contact numbers are stored without spaces (docs/specification.md §3.5). */
export function storedContact(text: string): string {
  return text.replace(/\s/g, '');
}

/** The ten digits of a number in any form (+91 94370 22221, 094370-22221); null: it has no such form. */
export const tenDigitsOf = (text: string): string | null =>
  /^(?:\+?91|0091|0)?(\d{10})$/.exec(text.replace(/[\s().-]/g, ''))?.[1] ?? null;

/** PAN, IFSC and GST numbers are stored without spaces around them, upper-cased. */
export function storedCode(text: string): string {
  return text.trim().toUpperCase();
}

export function ifscError(text: string): string | null {
  return IFSC_OR_NONE.test(storedCode(text)) ? null : IFSC_MESSAGE;
}

export function gstError(text: string): string | null {
  const code = storedCode(text);
  if (code === '') return GST_REQUIRED;
  if (code.length !== GST_LENGTH) return GST_LENGTH_MESSAGE;
  return GST_PATTERN.test(code) ? null : GST_MESSAGE;
}
