import { createContext, useContext } from 'react';
import type { ShownAmounts } from '../../../shared/calc/shown-amounts.ts';
import type { FieldName } from './form-values.ts';
import type { FormModel } from './use-form-model.ts';
import type { VehicleNews } from './use-vehicle-lookup.ts';

/** What is made in place, from the field that lacks it. */
export interface Creation {
  kind: 'owner' | 'discounter' | 'tag' | 'petrolPump' | 'truck';
  text: string;
}

interface FormContextValue {
  model: FormModel;
  vehicle: VehicleNews;
  /** Why the TDS percentage is empty, when it should have come by itself. */
  tdsHint: string | undefined;
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
const FiguresContext = createContext<ShownAmounts | undefined>(undefined);
export const FiguresProvider = FiguresContext.Provider;

export function useFigures(): ShownAmounts {
  const value = useContext(FiguresContext);
  if (!value) throw new Error('Figures are shown outside the challan form');
  return value;
}
