/** What an upload of a corpus file must answer, for the challans of `corpusChallans`. */
export interface Expected {
  /** Of validMatches, amountMismatch (with the difference), alreadyVerified, tpNotFound: the TP numbers as shown. */
  matches?: readonly string[];
  mismatches?: readonly (readonly [tpNo: string, difference: string])[];
  verified?: readonly string[];
  notFound?: readonly string[];
  errors?: readonly string[];
}

export interface CorpusFile {
  name: string;
  /** The name it is uploaded under. */
  fileName: string;
  bytes: () => Buffer;
  expected: Expected | { refused: string; status?: number };
}

/** TP No, HSD amount, and what is peculiar about the challan. */
export const corpusChallans = [
  { tpNo: '240901234567', amount: '9264.00' },
  { tpNo: 'KJR/24-25/0123456', amount: '123456.50' },
  { tpNo: '000123', amount: '500.00' },
  { tpNo: '12345', amount: '4675.80' },
  { tpNo: 'OD 77', amount: '19937.24' },
  { tpNo: '୨୪୦୯', amount: '77.00' },
  { tpNo: 'DONE-1', amount: '700.00', isVerified: true },
  { tpNo: 'DRY-1', amount: '0.00', hasNoPump: true },
  { tpNo: 'TWICE-1', amount: '100.00' },
  { tpNo: 'twice-1', amount: '200.00' },
] as const;
