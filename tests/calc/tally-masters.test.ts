import { describe, expect, it } from 'vitest';
import { ledgersOfRows, ledgersOfXml, proposedLedgers } from '../../src/shared/reading/tally-masters.ts';

describe('the masters of Tally', () => {
  it('are read from its XML: names of ledgers and nothing else', () => {
    const xml = `\ufeff<ENVELOPE><TALLYMESSAGE><GROUP NAME="Truck Owners"/>
      <LEDGER NAME="Ram &amp; &quot;Sons&quot; &#2864;" RESERVEDNAME=""><PARENT>Truck Owners</PARENT></LEDGER>
      <LEDGER RESERVEDNAME="" NAME="Cash"/><LEDGER NAME="Cash"/><LEDGERENTRY NAME="no"/></TALLYMESSAGE></ENVELOPE>`;
    expect(ledgersOfXml(xml)).toEqual(['Ram & "Sons" \u0b30', 'Cash']);
    expect(ledgersOfXml('Cash\nBank')).toBeUndefined();
  });

  it('are read from a table, by its heading or from the first column', () => {
    expect(ledgersOfRows([['Cash'], ['Bank'], ['Cash'], ['']])).toEqual(['Cash', 'Bank']);
    const rows = [['List of Ledgers'], ['No', 'Ledger Name'], ['1', ' Cash '], ['2', 'TDS Payable']];
    expect(ledgersOfRows(rows)).toEqual(['Cash', 'TDS Payable']);
  });

  it('propose the same name first, else one that is usual, else nothing', () => {
    const masters = ['FREIGHT CHARGES', 'TDS on Contractors 194C', 'Cash', 'SBI C/A 1234', 'Office'];
    const wanted = {
      freight: 'Freight Charges',
      tds: 'TDS Payable',
      advance: 'Cash',
      shortage: 'Shortage Recovered',
      some: 'sbi ca 1234',
    };
    expect(proposedLedgers(masters, wanted)).toEqual({
      freight: 'FREIGHT CHARGES',
      tds: 'TDS on Contractors 194C',
      advance: 'Cash',
      some: 'SBI C/A 1234',
    });
  });
});
