/**
 * Challans worked by hand. Every expected figure was written down from the sum in `working` (and a pocket calculator),
 * never copied from a run of the program. Short names: L loading, U unloading, R rate per MT, T TDS percentage, P HSD
 * price, Q HSD liters, A advance, O office charges, D discount weight, M material rate, S material shortage as given.
 * Expected: diff, gross (charged weight × rate), tds, hsd, short, mat, net; what is left out is 0.00 (null: not known).
 */
export interface WorkedChallan {
  name: string;
  working: string;
  in: Partial<Record<'L' | 'U' | 'R' | 'T' | 'P' | 'Q' | 'A' | 'O' | 'D' | 'M' | 'S', string>>;
  out: {
    diff?: string | null;
    gross: string | null;
    tds?: string;
    hsd?: string;
    short?: string;
    mat?: string;
    net: string | null;
  };
}

export const workedChallans: WorkedChallan[] = [
  {
    name: 'equal weights, TDS 1 %',
    working: '27.50 × 1450 = 39875; 1 % = 398.75; 39875 − 398.75 = 39476.25',
    in: { L: '27.50', U: '27.50', R: '1450', T: '1' },
    out: { gross: '39875.00', tds: '398.75', net: '39476.25' },
  },
  {
    name: 'a loss is charged at the unloading weight, shortage is not deducted',
    working: '29.90 × 1000 = 29900; 1 % = 299; shortage 0.10 × 1000 = 100 only shown; 29900 − 299 − 100 office = 29501',
    in: { L: '30', U: '29.90', R: '1000', T: '1', O: '100' },
    out: { diff: '0.10', gross: '29900.00', tds: '299.00', short: '100.00', net: '29501.00' },
  },
  {
    name: 'discount weight lessens the shortage, not the net',
    working: '(0.10 − 0.05) × 1000 = 50; net as before 29501',
    in: { L: '30', U: '29.90', R: '1000', T: '1', O: '100', D: '0.05' },
    out: { diff: '0.10', gross: '29900.00', tds: '299.00', short: '50.00', net: '29501.00' },
  },
  {
    name: 'discount above the difference: shortage is 0, not negative',
    working: '0.10 − 0.20 = −0.10 → 0',
    in: { L: '30', U: '29.90', R: '1000', T: '1', O: '100', D: '0.20' },
    out: { diff: '0.10', gross: '29900.00', tds: '299.00', net: '29501.00' },
  },
  {
    name: 'discount equal to the difference',
    working: '0.10 − 0.10 = 0, also with a material rate',
    in: { L: '30', U: '29.90', R: '1000', T: '1', O: '100', D: '0.10', M: '5000' },
    out: { diff: '0.10', gross: '29900.00', tds: '299.00', net: '29501.00' },
  },
  {
    name: 'material shortage is deducted',
    working: '(0.10 − 0.05) × 5000 = 250; 29900 − 299 − 250 − 100 = 29251',
    in: { L: '30', U: '29.90', R: '1000', T: '1', O: '100', D: '0.05', M: '5000' },
    out: { diff: '0.10', gross: '29900.00', tds: '299.00', short: '50.00', mat: '250.00', net: '29251.00' },
  },
  {
    name: 'a gain is charged at the loading weight',
    working: 'min(29.90, 30.00) = 29.90; 29900 − 299 = 29601; difference −0.10, nothing short',
    in: { L: '29.90', U: '30', R: '1000', T: '1', M: '5000' },
    out: { diff: '-0.10', gross: '29900.00', tds: '299.00', net: '29601.00' },
  },
  {
    name: 'a gain with TDS 10 %: TDS on the loading weight too',
    working: '20 × 100 = 2000; 10 % = 200 (on 25 MT it would be 250); 1800',
    in: { L: '20', U: '25', R: '100', T: '10' },
    out: { diff: '-5.00', gross: '2000.00', tds: '200.00', net: '1800.00' },
  },
  {
    name: 'a gain and a discount weight',
    working: '−0.10 − 0.05 < 0 → nothing short; 29900 − 299 = 29601',
    in: { L: '29.90', U: '30', R: '1000', T: '1', D: '0.05', M: '5000' },
    out: { diff: '-0.10', gross: '29900.00', tds: '299.00', net: '29601.00' },
  },
  {
    name: 'HSD is deducted',
    working: '20 × 500 = 10000; 2 % = 200; 92.64 × 100 = 9264; 10000 − 200 − 9264 = 536',
    in: { L: '20', U: '20', R: '500', T: '2', P: '92.64', Q: '100' },
    out: { gross: '10000.00', tds: '200.00', hsd: '9264.00', net: '536.00' },
  },
  {
    name: 'net below zero is allowed',
    working: '92.64 × 120 = 11116.80; 10000 − 200 − 11116.80 = −1316.80',
    in: { L: '20', U: '20', R: '500', T: '2', P: '92.64', Q: '120' },
    out: { gross: '10000.00', tds: '200.00', hsd: '11116.80', net: '-1316.80' },
  },
  {
    name: 'advance and office charges',
    working: '9.70 × 320 = 3104; 1 % = 31.04; short 0.05 × 320 = 16; 3104 − 31.04 − 1500 − 50 = 1522.96',
    in: { L: '9.75', U: '9.70', R: '320', T: '1', A: '1500', O: '50' },
    out: { diff: '0.05', gross: '3104.00', tds: '31.04', short: '16.00', net: '1522.96' },
  },
  {
    name: 'half a paisa in the freight goes up',
    working: '0.15 × 0.30 = 0.045 → 0.05; 100 % TDS the same 0.05; net 0',
    in: { L: '0.15', U: '0.15', R: '0.30', T: '100' },
    out: { gross: '0.05', tds: '0.05', net: '0.00' },
  },
  {
    name: '1.005 is 1.01 (a float makes 1.00 of it)',
    working: '2.01 × 0.50 = 1.005 → 1.01; TDS 0.1 % = 0.001005 → 0.00',
    in: { L: '2.01', U: '2.01', R: '0.50', T: '0.1' },
    out: { gross: '1.01', net: '1.01' },
  },
  {
    name: '1.015 is 1.02',
    working: '2.03 × 0.50 = 1.015 → 1.02; 1 % of 1.015 = 0.01015 → 0.01; 1.01',
    in: { L: '2.03', U: '2.03', R: '0.50', T: '1' },
    out: { gross: '1.02', tds: '0.01', net: '1.01' },
  },
  {
    name: 'half a paisa of TDS goes up',
    working: '1 % of 0.50 = 0.005 → 0.01; 0.50 − 0.01 = 0.49',
    in: { L: '1', U: '1', R: '0.50', T: '1' },
    out: { gross: '0.50', tds: '0.01', net: '0.49' },
  },
  {
    name: 'just under half a paisa of TDS goes down',
    working: '1 % of 0.49 = 0.0049 → 0.00',
    in: { L: '1', U: '1', R: '0.49', T: '1' },
    out: { gross: '0.49', net: '0.49' },
  },
  {
    name: 'TDS is worked from weight × rate, not from the rounded freight',
    working: '0.15 × 0.30 = 0.045 (freight 0.05); 10 % of 0.045 = 0.0045 → 0.00, of 0.05 it would be 0.01',
    in: { L: '0.15', U: '0.15', R: '0.30', T: '10' },
    out: { gross: '0.05', net: '0.05' },
  },
  {
    name: 'blank unloading weight: TDS 0 and no net',
    working: 'nothing to charge yet; never −600',
    in: { L: '30', R: '1000', T: '1', A: '500', O: '100', M: '5000' },
    out: { diff: null, gross: null, net: null },
  },
  {
    name: 'blank loading weight: no net',
    working: 'net is computed only if loading weight and rate are present',
    in: { U: '30', R: '1000', T: '1' },
    out: { diff: null, gross: null, net: null },
  },
  {
    name: 'blank rate: no net, the material shortage is known already',
    working: 'difference 0.10; 0.10 × 5000 = 500',
    in: { L: '30', U: '29.90', T: '1', M: '5000' },
    out: { diff: '0.10', gross: null, mat: '500.00', net: null },
  },
  {
    name: 'blank TDS percentage: TDS 0',
    working: '10 × 100 = 1000',
    in: { L: '10', U: '10', R: '100' },
    out: { gross: '1000.00', net: '1000.00' },
  },
  {
    name: 'TDS percentage 0: TDS 0',
    working: '10 × 100 = 1000',
    in: { L: '10', U: '10', R: '100', T: '0' },
    out: { gross: '1000.00', net: '1000.00' },
  },
  {
    name: 'unloading weight 0 is a weight, not a blank',
    working: 'charged 0; short 10 × 100 = 1000 shown; 0 − 50 = −50',
    in: { L: '10', U: '0', R: '100', T: '1', O: '50' },
    out: { diff: '10.00', gross: '0.00', short: '1000.00', net: '-50.00' },
  },
  {
    name: 'rate 0 is a rate',
    working: '10 × 0 = 0; 0 − 200 = −200',
    in: { L: '10', U: '10', R: '0', T: '1', A: '200' },
    out: { gross: '0.00', net: '-200.00' },
  },
  {
    name: 'TDS 100 %, the most there is',
    working: '1000 − 1000 = 0',
    in: { L: '10', U: '10', R: '100', T: '100' },
    out: { gross: '1000.00', tds: '1000.00', net: '0.00' },
  },
  {
    name: 'TDS 0.1 %, the least there is',
    working: '33.33 × 1234.56 = 40740.48 + 407.4048 = 41147.8848 → 41147.88; 0.1 % = 41.1478848 → 41.15; 41106.73',
    in: { L: '33.33', U: '33.33', R: '1234.56', T: '0.1' },
    out: { gross: '41147.88', tds: '41.15', net: '41106.73' },
  },
  {
    name: 'long haul with everything',
    working:
      '35.12 × 1875.50 = 65642.50 + 225.06 = 65867.56; 2 % = 1317.3512 → 1317.35; 94.10 × 210 = 19761; short 0.08 × 1875.50 = 150.04; 0.08 × 6200 = 496; 65867.56 − 1317.35 − 19761 − 10000 − 496 − 200 = 34093.21',
    in: { L: '35.20', U: '35.12', R: '1875.50', T: '2', P: '94.10', Q: '210', A: '10000', O: '200', M: '6200' },
    out: {
      diff: '0.08',
      gross: '65867.56',
      tds: '1317.35',
      hsd: '19761.00',
      short: '150.04',
      mat: '496.00',
      net: '34093.21',
    },
  },
  {
    name: 'half a paisa of HSD goes up',
    working: '92.65 × 0.10 = 9.265 → 9.27; 100 − 1 − 9.27 = 89.73',
    in: { L: '1', U: '1', R: '100', T: '1', P: '92.65', Q: '0.10' },
    out: { gross: '100.00', tds: '1.00', hsd: '9.27', net: '89.73' },
  },
  {
    name: 'HSD price remembered, no liters',
    working: '92.64 × nothing = 0; 99',
    in: { L: '1', U: '1', R: '100', T: '1', P: '92.64' },
    out: { gross: '100.00', tds: '1.00', net: '99.00' },
  },
  {
    name: 'HSD liters without a price',
    working: 'nothing × 50 = 0; 99',
    in: { L: '1', U: '1', R: '100', T: '1', Q: '50' },
    out: { gross: '100.00', tds: '1.00', net: '99.00' },
  },
  {
    name: 'half a paisa of shortage goes up',
    working: '10 × 0.10 = 1; 1 % = 0.01; short 0.05 × 0.10 = 0.005 → 0.01; 0.99',
    in: { L: '10.05', U: '10', R: '0.10', T: '1' },
    out: { diff: '0.05', gross: '1.00', tds: '0.01', short: '0.01', net: '0.99' },
  },
  {
    name: 'half a paisa of material shortage goes up',
    working: '0.05 × 0.30 = 0.015 → 0.02; short 0.05 × 100 = 5; 1000 − 10 − 0.02 = 989.98',
    in: { L: '10.05', U: '10', R: '100', T: '1', M: '0.30' },
    out: { diff: '0.05', gross: '1000.00', tds: '10.00', short: '5.00', mat: '0.02', net: '989.98' },
  },
  {
    name: 'material rate 0: no material shortage',
    working: '1000 − 10 = 990',
    in: { L: '10.05', U: '10', R: '100', T: '1', M: '0' },
    out: { diff: '0.05', gross: '1000.00', tds: '10.00', short: '5.00', net: '990.00' },
  },
  {
    name: 'equal weights and a material rate: no material shortage',
    working: 'difference 0; 990',
    in: { L: '10', U: '10', R: '100', T: '1', M: '5000' },
    out: { gross: '1000.00', tds: '10.00', net: '990.00' },
  },
  {
    name: 'material shortage as given',
    working: '29900 − 299 − 450.25 = 29150.75',
    in: { L: '30', U: '29.90', R: '1000', T: '1', S: '450.25' },
    out: { diff: '0.10', gross: '29900.00', tds: '299.00', short: '100.00', mat: '450.25', net: '29150.75' },
  },
  {
    name: 'material shortage as given wins over a rate',
    working: '450.25, not 0.10 × 5000 = 500',
    in: { L: '30', U: '29.90', R: '1000', T: '1', M: '5000', S: '450.25' },
    out: { diff: '0.10', gross: '29900.00', tds: '299.00', short: '100.00', mat: '450.25', net: '29150.75' },
  },
  {
    name: 'material shortage given as 0',
    working: '0, not 500; 29900 − 299 = 29601',
    in: { L: '30', U: '29.90', R: '1000', T: '1', M: '5000', S: '0' },
    out: { diff: '0.10', gross: '29900.00', tds: '299.00', short: '100.00', net: '29601.00' },
  },
  {
    name: 'ten digits of rupees',
    working:
      '999999.99 × 9999.99 = 9999990000 − 99.9999 = 9999989900.0001 → 9999989900; 1 % = 99999899.000001 → 99999899; 9899990001',
    in: { L: '999999.99', U: '999999.99', R: '9999.99', T: '1' },
    out: { gross: '9999989900.00', tds: '99999899.00', net: '9899990001.00' },
  },
  {
    name: 'ten kilograms',
    working: '0.01 × 1450 = 14.50; 1 % = 0.145 → 0.15; 14.35',
    in: { L: '0.01', U: '0.01', R: '1450', T: '1' },
    out: { gross: '14.50', tds: '0.15', net: '14.35' },
  },
  {
    name: 'iron ore fines to Paradip',
    working:
      '28.39 × 1620 = 45360 + 631.80 = 45991.80; 1 % = 459.918 → 459.92; 92.64 × 85.50 = 7874.40 + 46.32 = 7920.72; (0.07 − 0.05) × 1620 = 32.40; 0.02 × 4800 = 96; 45991.80 − 459.92 − 7920.72 − 3000 − 96 − 100 = 34415.16',
    in: {
      L: '28.46',
      U: '28.39',
      R: '1620',
      T: '1',
      P: '92.64',
      Q: '85.5',
      A: '3000',
      O: '100',
      D: '0.05',
      M: '4800',
    },
    out: {
      diff: '0.07',
      gross: '45991.80',
      tds: '459.92',
      hsd: '7920.72',
      short: '32.40',
      mat: '96.00',
      net: '34415.16',
    },
  },
  {
    name: 'siding short haul',
    working: '18.90 × 168.50 = 3033 + 151.65 = 3184.65; 1 % = 31.8465 → 31.85; 0.02 × 168.50 = 3.37; 3102.80',
    in: { L: '18.92', U: '18.90', R: '168.50', T: '1', O: '50' },
    out: { diff: '0.02', gross: '3184.65', tds: '31.85', short: '3.37', net: '3102.80' },
  },
  {
    name: 'chrome ore: the dear material eats the freight',
    working:
      '35.25 × 410 = 14452.50; 2 % = 289.05; 0.70 × 410 = 287; 0.70 × 18500 = 12950; 14452.50 − 289.05 − 5000 − 12950 − 200 = −3986.55',
    in: { L: '36.05', U: '35.25', R: '410', T: '2', A: '5000', O: '200', D: '0.10', M: '18500' },
    out: { diff: '0.80', gross: '14452.50', tds: '289.05', short: '287.00', mat: '12950.00', net: '-3986.55' },
  },
  {
    name: 'sponge iron',
    working:
      '21.37 × 780.25 = 16385.25 + 288.6925 = 16673.9425 → 16673.94; 1 % = 166.739425 → 166.74; 0.60 × 780.25 = 468.15; 0.60 × 28750.40 = 17250.24; −743.04',
    in: { L: '22.00', U: '21.37', R: '780.25', T: '1', D: '0.03', M: '28750.40' },
    out: { diff: '0.63', gross: '16673.94', tds: '166.74', short: '468.15', mat: '17250.24', net: '-743.04' },
  },
  {
    name: 'each line is rounded, then subtracted',
    working: '0.15 × 0.30 = 0.045 → 0.05; 0.44 × 0.10 = 0.044 → 0.04; 0.05 − 0.04 = 0.01 (unrounded 0.001 → 0.00)',
    in: { L: '0.15', U: '0.15', R: '0.30', P: '0.44', Q: '0.10' },
    out: { gross: '0.05', hsd: '0.04', net: '0.01' },
  },
  {
    name: 'six roundings in one challan',
    working:
      '33.33 × 1.35 = 44.9955 → 45.00; 3.3 % = 1.4848515 → 1.48; 0.35 × 0.70 = 0.245 → 0.25; 0.02 × 1.35 = 0.027 → 0.03; 0.02 × 0.25 = 0.005 → 0.01; 45.00 − 1.48 − 0.25 − 0.10 − 0.01 − 0.20 = 42.96',
    in: {
      L: '33.35',
      U: '33.33',
      R: '1.35',
      T: '3.3',
      P: '0.35',
      Q: '0.70',
      A: '0.10',
      O: '0.20',
      M: '0.25',
    },
    out: { diff: '0.02', gross: '45.00', tds: '1.48', hsd: '0.25', short: '0.03', mat: '0.01', net: '42.96' },
  },
  {
    name: 'nothing filled in',
    working: 'no weights, no net',
    in: {},
    out: { diff: null, gross: null, net: null },
  },
  {
    name: 'zero in every field',
    working: 'present, and all 0',
    in: { L: '0', U: '0', R: '0', T: '0', P: '0', Q: '0', A: '0', O: '0', D: '0', M: '0' },
    out: { gross: '0.00', net: '0.00' },
  },
  {
    name: 'a quarter tonne short, blank discount weight',
    working: '25 × 400 = 10000; 1 % = 100; 0.25 × 400 = 100; 0.25 × 3000 = 750; 10000 − 100 − 750 = 9150',
    in: { L: '25.25', U: '25', R: '400', T: '1', M: '3000' },
    out: { diff: '0.25', gross: '10000.00', tds: '100.00', short: '100.00', mat: '750.00', net: '9150.00' },
  },
  {
    name: 'liters with decimals',
    working: '96.50 × 133.33 = 12799.68 + 66.665 = 12866.345 → 12866.35; 20000 − 200 − 12866.35 = 6933.65',
    in: { L: '40', U: '40', R: '500', T: '1', P: '96.50', Q: '133.33' },
    out: { gross: '20000.00', tds: '200.00', hsd: '12866.35', net: '6933.65' },
  },
];
