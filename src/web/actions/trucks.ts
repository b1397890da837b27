import { recordListActions, type RecordListCommands } from './record-list.ts';
import { useActions } from './registry.ts';

/** The commands of the trucks screen as data. */
export function useTruckActions(commands: RecordListCommands) {
  const words = { id: 'trucks', scope: 'Trucks', noun: 'truck', create: 'Add New Truck' };
  const actions = recordListActions(words, commands);
  useActions(Object.values(actions));
  return actions;
}
