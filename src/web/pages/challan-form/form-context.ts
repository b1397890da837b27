import { createContext, useContext } from 'react';
import type { ChallanAmounts } from '../../../shared/calc/challan-amounts.ts';
import type { FieldName } from './form-values.ts';
import type { FormModel } from './use-form-model.ts';
import type { VehicleNews } from './use-vehicle-lookup.ts';

/** What is made in place, from the field that lacks it. */
export type Creation =
  { kind: 'owner' | 'discounter' | 'tag' | 'petrolPump'; text: string } | { kind: 'truck'; text: string };

interface FormContextValue {
  model: FormModel;
  vehicle: VehicleNews;
  onVehicleLeft: () => void;
  /** TP No, Vehicle No or Loading Date was left: the same trip may be there already. */
  onTripLeft: () => void;
  /** After Enter has picked: on to the next field. */
  advance: (from: FieldName) => void;
  create: (creation: Creation) => void;
}

const FormContext = createContext<FormContextValue | undefined>(undefined);
export const FormProvider = FormContext.Provider;

export function useFormParts(): FormContextValue {
  const value = useContext(FormContext);
  if (!value) throw new Error('A section of the challan form stands outside the form');
  return value;
}

/** The figures, worked out once per keystroke for everything that shows them. */
const FiguresContext = createContext<ChallanAmounts | undefined>(undefined);
export const FiguresProvider = FiguresContext.Provider;

export function useFigures(): ChallanAmounts {
  const value = useContext(FiguresContext);
  if (!value) throw new Error('Figures are shown outside the challan form');
  return value;
}
