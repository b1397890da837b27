import { describe, expectTypeOf, it } from 'vitest';
import type { BankFileRow } from '../../src/shared/columns/bank-statement-columns.ts';
import type { ChallanExportRow } from '../../src/shared/columns/challan-export-columns.ts';
import type { CellMap, Column } from '../../src/shared/columns/define.ts';
import type { Challan } from '../../src/shared/contract/challan.ts';
import type { ChallanValues, TypedValues } from '../../src/shared/contract/challan-fields.ts';
import type { ChallanFormValues, challanCreateForm } from '../../src/shared/contract/challan-form.ts';
import type {
  AnswerOf,
  BodyInput,
  BodyOf,
  CallArguments,
  Endpoint,
  ParamsOf,
  QueryInput,
  QueryOf,
} from '../../src/shared/contract/define.ts';
import type { Contract } from '../../src/shared/contract/index.ts';
import type { z } from 'zod';

/** Checked by tsc (npm run types): a wrong type does not compile. */
describe('types of the contract', () => {
  it('ties a call to its parts', () => {
    expectTypeOf<CallArguments<Contract['challans']['get']>>().toExtend<{ params: { id: string } }>();
    expectTypeOf<ParamsOf<Contract['challans']['get']>>().toEqualTypeOf<{ id: string }>();
    expectTypeOf<ParamsOf<Contract['challans']['list']>>().toEqualTypeOf<undefined>();
    expectTypeOf<CallArguments<Contract['challans']['list']>['query']>().toEqualTypeOf<
      QueryInput<Contract['challans']['list']> | undefined
    >();
    expectTypeOf<CallArguments<Contract['owners']['search']>>().toExtend<{ query: { q: string } }>();
    expectTypeOf<CallArguments<Contract['session']['logout']>['body']>().toEqualTypeOf<undefined>();
  });

  it('keeps money a string and counts numbers', () => {
    expectTypeOf<BodyInput<Contract['challans']['create']>['loadingWeight']>().toEqualTypeOf<string>();
    expectTypeOf<BodyInput<Contract['challans']['create']>['vehicleWheel']>().toEqualTypeOf<
      number | null | undefined
    >();
    expectTypeOf<Challan['netAmountPayable']>().toEqualTypeOf<string>();
    expectTypeOf<Challan['version']>().toEqualTypeOf<number>();
    expectTypeOf<AnswerOf<Contract['challans']['list']>['summary']['totalAmount']>().toEqualTypeOf<string>();
  });

  it('types a parsed query as what the handler uses', () => {
    type Query = QueryOf<Contract['challans']['list']>;
    expectTypeOf<Query['page']>().toEqualTypeOf<number>();
    expectTypeOf<Query['paymentStatus']>().toEqualTypeOf<boolean | undefined>();
    expectTypeOf<Query['sortOrder']>().toEqualTypeOf<string>();
    expectTypeOf<QueryOf<Contract['trucks']['list']>['sortBy']>().extract<'password'>().toBeNever();
    expectTypeOf<QueryInput<Contract['challans']['list']>['page']>().toEqualTypeOf<string | number | undefined>();
  });

  it('leaves ownerId out of a change', () => {
    expectTypeOf<BodyInput<Contract['challans']['update']>>().not.toHaveProperty('ownerId');
    expectTypeOf<BodyInput<Contract['challans']['create']>['ownerId']>().toEqualTypeOf<string>();
    expectTypeOf<BodyOf<Contract['challans']['update']>['tpNo']>().toEqualTypeOf<string | undefined>();
  });

  it('has no JSON answer where there is a file or nothing', () => {
    expectTypeOf<AnswerOf<Contract['challans']['exportCsv']>>().toEqualTypeOf<undefined>();
    expectTypeOf<AnswerOf<Contract['session']['logout']>>().toEqualTypeOf<undefined>();
  });

  it('is made of endpoints throughout', () => {
    type Every = { [Group in keyof Contract]: Contract[Group][keyof Contract[Group]] }[keyof Contract];
    expectTypeOf<Every>().toExtend<Endpoint>();
  });

  it('gives the form text and takes the body from it', () => {
    expectTypeOf<z.input<typeof challanCreateForm>>().toEqualTypeOf<ChallanFormValues>();
    expectTypeOf<z.output<typeof challanCreateForm>>().toEqualTypeOf<BodyOf<Contract['challans']['create']>>();
  });
});

describe('types of the challan fields', () => {
  it('are exact in what is stored, sent, answered and written to a file', () => {
    expectTypeOf<ChallanValues['tagId']>().toEqualTypeOf<string | null>();
    expectTypeOf<ChallanValues['vehicleWheel']>().toEqualTypeOf<number | null>();
    expectTypeOf<ChallanValues['loadingDate']>().toEqualTypeOf<string>();
    expectTypeOf<ChallanValues>().not.toHaveProperty('paymentStatus');
    expectTypeOf<TypedValues>().not.toHaveProperty('netAmountPayable');
    expectTypeOf<Challan['petrolPump']>().toEqualTypeOf<{ id: string; name: string } | null>();
    expectTypeOf<Challan['owner']>().toEqualTypeOf<{
      id: string;
      name: string;
      contactNumber: string;
      holdReason: string;
    }>();
    expectTypeOf<Challan['tdsPercentage']>().toEqualTypeOf<string | null>();
    expectTypeOf<BodyInput<Contract['challans']['create']>['discounterId']>().toEqualTypeOf<
      string | null | undefined
    >();
    expectTypeOf<BodyInput<Contract['challans']['create']>>().not.toHaveProperty('hsdVerified');
    expectTypeOf<ChallanExportRow['tagName']>().toEqualTypeOf<string | null>();
    expectTypeOf<ChallanExportRow['paymentStatus']>().toEqualTypeOf<boolean>();
    expectTypeOf<ChallanExportRow>().not.toHaveProperty('owner');
  });
});

describe('types of the columns', () => {
  it('let a column name only a field that holds what its kind needs', () => {
    expectTypeOf<{ key: 'netAmountPayable'; label: string; kind: 'money'; width: number }>().toExtend<
      Column<BankFileRow>
    >();
    expectTypeOf<{ key: 'paymentStatus'; label: string; kind: 'money'; width: number }>().not.toExtend<
      Column<BankFileRow>
    >();
    expectTypeOf<{ key: 'nothing'; label: string; kind: 'text'; width: number }>().not.toExtend<Column<BankFileRow>>();
    expectTypeOf<{ key: 'tpNo'; label: string; kind: 'unheard-of'; width: number }>().not.toExtend<
      Column<BankFileRow>
    >();
  });

  it('ask a map of kinds for every kind', () => {
    expectTypeOf<Omit<CellMap<string>, 'tag'>>().not.toExtend<CellMap<string>>();
  });
});
