/** The digit zero in the scripts that our users' keyboards may produce: Devanagari, Bengali, Odia, full width. */
const SCRIPT_ZEROS = [0x0966, 0x09e6, 0x0b66, 0xff10];

/** Writes the digits of Indian scripts as 0-9, so that '१२' and '୧୨' are read as 12. All other text stays as it is. */
export function asciiDigits(text: string): string {
  return text.replace(/[\u0966-\u096f\u09e6-\u09ef\u0b66-\u0b6f\uff10-\uff19]/g, (digit) => {
    const code = digit.charCodeAt(0);
    const zero = SCRIPT_ZEROS.find((start) => code >= start && code <= start + 9) ?? code;
    return String(code - zero);
  });
}
