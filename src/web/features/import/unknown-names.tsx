import { useState } from 'react';
import { countText, formatCount } from '../../../shared/calc/count-text.ts';
import { nameKey, vehicleKey } from '../../../shared/calc/keys.ts';
import type { ImportUnknown } from '../../../shared/contract/imports.ts';
import {
  OwnerFormDialog,
  PetrolPumpFormDialog,
  TagFormDialog,
  TruckFormDialog,
  MapDialog,
  unknownNouns,
} from '../master-data/index.ts';
import { Button } from '../../kit/ui/button.tsx';
import type { Checked, ImportWork } from './use-import.ts';

/** The fields of a row that can hold a name of each kind. */
const fieldsOf: Readonly<Record<ImportUnknown['kind'], readonly string[]>> = {
  vehicle: ['vehicleNo'],
  owner: ['ownerName', 'discounter'],
  tag: ['tag'],
  petrolPump: ['petrolPump'],
};
const maxShown = 100;

/** The rows that contain the name, with another name in its place. */
function replaceName(
  { fields, rows }: Pick<Checked, 'fields' | 'rows'>,
  { kind, name }: ImportUnknown,
  to: { text: string; contactNumber?: string | undefined },
): Map<number, readonly string[]> {
  const keyOf = kind === 'vehicle' ? vehicleKey : nameKey;
  const columns = new Set(fieldsOf[kind].map((field) => fields.indexOf(field)));
  const contact = to.contactNumber === undefined ? -1 : fields.indexOf('ownerContactNumber');
  const owner = fields.indexOf('ownerName');
  const isNamed = (text: string | undefined): boolean => text !== undefined && keyOf(text) === keyOf(name);
  return new Map(
    rows.flatMap((texts, index): [number, readonly string[]][] => {
      if (![...columns].some((column) => isNamed(texts[column]))) return [];
      const isOwner = isNamed(texts[owner]);
      return [
        [
          index,
          texts.map((text, at) => {
            if (columns.has(at) && isNamed(text)) return to.text;
            return at === contact && isOwner ? (to.contactNumber ?? text) : text;
          }),
        ],
      ];
    }),
  );
}

interface UnknownNamesProps {
  work: ImportWork;
  checked: Checked;
}

/**
 * Lists the names in the rows that match no record, each once. The user creates the record or maps the name to
 * another one.
 */
export function UnknownNames({ work, checked }: UnknownNamesProps) {
  const [creating, setCreating] = useState<ImportUnknown>();
  const [mapping, setMapping] = useState<ImportUnknown>();
  const { unknown } = checked;
  return (
    <aside
      aria-label="Not found"
      className="w-72 shrink-0 overflow-y-auto rounded-lg border border-line bg-surface px-3 py-2 shadow-card"
    >
      <h2 className="text-xs font-semibold text-muted">
        Not found <span className="nums">({formatCount(unknown.length)})</span>
      </h2>
      <ul className="divide-y divide-line">
        {unknown.slice(0, maxShown).map((one) => {
          const noun = unknownNouns[one.kind];
          return (
            <li key={`${one.kind} ${one.name}`} className="py-1">
              <span className="text-muted">{noun}</span> {one.name}{' '}
              <span className="nums text-muted">({countText(one.rows, 'row')})</span>
              <span className="mt-1 flex gap-1.5">
                <Button size="sm" onClick={() => setCreating(one)} aria-label={`Create ${noun} ${one.name}`}>
                  Create …
                </Button>
                <Button size="sm" onClick={() => setMapping(one)} aria-label={`Map ${noun} ${one.name} to another`}>
                  Map to …
                </Button>
              </span>
            </li>
          );
        })}
      </ul>
      {unknown.length > maxShown && <p className="text-muted">and {formatCount(unknown.length - maxShown)} more</p>}
      {creating && (
        <CreateUnknown
          name={creating}
          onClose={() => setCreating(undefined)}
          onSaved={(text, contactNumber) => {
            setCreating(undefined);
            if (nameKey(text) === nameKey(creating.name)) work.checkAgain();
            else work.editRows(replaceName(checked, creating, { text, contactNumber }));
          }}
        />
      )}
      {mapping && (
        <MapDialog
          name={{ kind: mapping.kind, text: mapping.name, count: mapping.rows }}
          onClose={() => setMapping(undefined)}
          onMap={(to) => {
            setMapping(undefined);
            work.editRows(replaceName(checked, mapping, to));
          }}
        />
      )}
    </aside>
  );
}

interface CreateUnknownProps {
  name: ImportUnknown;
  onClose: () => void;
  onSaved: (text: string, contactNumber?: string) => void;
}

/** The form of the record, with the name filled in. */
function CreateUnknown({ name: { kind, name }, onClose, onSaved }: CreateUnknownProps) {
  const dialogProps = { entriesKey: `import.${kind}`, onClose };
  if (kind === 'tag') return <TagFormDialog {...dialogProps} start={{ name }} onSaved={(tag) => onSaved(tag.name)} />;
  if (kind === 'petrolPump') {
    return <PetrolPumpFormDialog {...dialogProps} start={{ name }} onSaved={(pump) => onSaved(pump.name)} />;
  }
  if (kind === 'vehicle') {
    return (
      <TruckFormDialog
        {...dialogProps}
        start={{ truckNumber: name, owner: null }}
        onSaved={({ truckNumber }) => onSaved(truckNumber)}
      />
    );
  }
  return (
    <OwnerFormDialog
      {...dialogProps}
      start={{ name, contactNumber: '' }}
      onSaved={(owner) => onSaved(owner.name, owner.contactNumber)}
    />
  );
}
