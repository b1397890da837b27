import { useFormParts } from './form-context.ts';
import type { FieldName } from './form-values.ts';

/** How a picker of the form takes part in walking and saving; spread beside its own value. */
export function usePickerParts(name: FieldName) {
  const { model, advance } = useFormParts();
  const { form, track } = model;
  return {
    name,
    onAdvance: () => advance(name),
    onPending: track.pickers.add,
    onProblem: (problem: string | undefined) => {
      const before = track.problems[name];
      track.setProblem(name, problem);
      // No value changes while other text is typed: what was said of the text before would stay.
      if (before !== undefined && before !== problem) form.clearErrors(name);
    },
  };
}
