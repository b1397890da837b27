import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type Api, type Tenant } from '../support/api.ts';
import { addHsdChallans, uploadFile } from '../support/hsd-desk.ts';
import { convertWithLibreOffice, type OfficeFile } from '../support/libreoffice.ts';

/** Real workbooks, made by LibreOffice at the time of the test from what a pump would type. */
let api: Api;
let tenant: Tenant;
const wanted = [
  { tpNo: '240901234567', amount: '9264.00' },
  { tpNo: 'KJR/24-25/0123456', amount: '123456.50' },
  { tpNo: '000123', amount: '500.00' },
  { tpNo: '୨୪୦୯', amount: '77.00' },
];
const rows = [
  'Keonjhar Fuels,,',
  'T.P. No,Driver,HSD Amount (Rs)',
  '240901234567,Müller ଓଡ଼ିଶା,9264',
  'KJR/24-25/0123456,x,"1,23,456.50"',
  "'000123,x,=250*2",
  ',,',
  '୨୪୦୯,x,₹ 77.00',
  'UNKNOWN,x,1',
  ',Total,133297.5',
];
const sources: OfficeFile[] = [{ name: 'bill.csv', content: `\ufeff${rows.join('\r\n')}\r\n` }];
// Comma, quotation mark, UTF-8, from line 1; the columns' types left to it; formulas worked out.
const inFilter = 'Text - txt - csv (StarCalc):44,34,76,1,1/1/2/1/3/1,,false,true,false,false,false,-1,true';

beforeAll(async () => {
  api = await startApi();
  tenant = await api.addTenant();
  await addHsdChallans(api, tenant, wanted);
});
afterAll(() => api.close());

describe('a workbook saved by LibreOffice', () => {
  it.each([
    ['xlsx', 'xlsx:Calc MS Excel 2007 XML'],
    ['xls', 'xls:MS Excel 97'],
    ['csv', 'csv:Text - txt - csv (StarCalc):59,34,76'],
    ['ods', 'ods'],
    ['xls', 'html:HTML (StarCalc)'],
    ['xls', 'xls:MS Excel 2003 XML'],
  ])('as .%s (%s) is compared row by row', async (extension, filter) => {
    const [file] = await convertWithLibreOffice(sources, filter, { inFilter });
    const { status, text, data } = await uploadFile(api, tenant, `bill.${extension}`, file ?? '');
    expect([status, status === 200 ? '' : text]).toEqual([200, '']);
    expect(data.results.validMatches.map(({ tpNo, uploadedAmount }) => [tpNo, uploadedAmount])).toEqual([
      ['240901234567', '9264.00'],
      ['KJR/24-25/0123456', '123456.50'],
      ['000123', '500.00'],
      ['2409', '77.00'],
    ]);
    expect(data.results.discrepancies.tpNotFound).toContain('UNKNOWN');
    expect(data.processingErrors).toContain('Row 9: TP No is empty');
    expect(data.totalRecords).toBe(6);
  });
});
