import { recordListActions, type RecordListCommands } from './record-list.ts';
import { useActions } from './registry.ts';

/** The commands of the petrol pumps screen as data; the button's name is part 1 §2's. */
export function usePetrolPumpActions(commands: RecordListCommands) {
  const words = { id: 'petrol-pumps', scope: 'Petrol Pumps', noun: 'petrol pump', create: 'Add Petrol Pump' };
  const actions = recordListActions(words, commands);
  useActions(Object.values(actions));
  return actions;
}
