import { useEffect, useId, useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import { useAnchored } from '../ui/anchored.ts';
import { PickerList } from '../ui/picker-list.tsx';
import { resultText } from '../ui/picker-state.ts';
import type { SheetKeys } from './sheet-keys.ts';
import type { NameList } from './sheet-names.ts';

/** The list of names below the cell editor. The editor's input keeps the focus and handles the keys. */
export function SheetNameList({ keys }: { keys: SheetKeys }) {
  const list = useSyncExternalStore(keys.editor.names.subscribe, keys.editor.names.snapshot);
  return (
    <>
      {list && <OpenList list={list} keys={keys} />}
      <span role="status" className="sr-only">
        {list && resultText(list.names.length, list.total, false)}
      </span>
    </>
  );
}

function OpenList({ list: { input, names, total, active }, keys }: { list: NameList; keys: SheetKeys }) {
  const id = useId();
  const anchor = useRef<Element | null>(null);
  useLayoutEffect(() => {
    anchor.current = input;
  });
  const floating = useAnchored<HTMLDivElement>(anchor, { isOpen: true, align: 'fill', gap: 2 });
  useEffect(() => {
    input.setAttribute('aria-expanded', 'true');
    input.setAttribute('aria-controls', id);
    return () => {
      input.setAttribute('aria-expanded', 'false');
      input.removeAttribute('aria-controls');
      input.removeAttribute('aria-activedescendant');
    };
  }, [input, id]);
  useEffect(() => {
    if (active >= 0) input.setAttribute('aria-activedescendant', `${id}-${active}`);
    else input.removeAttribute('aria-activedescendant');
  }, [input, id, active]);
  return (
    <PickerList
      ref={floating}
      id={id}
      label={input.ariaLabel ?? ''}
      rows={names.map((name) => ({
        key: name.key,
        text: name.text,
        detail: name.detail || undefined,
        mark: name.color && (
          <span aria-hidden className="size-2.5 shrink-0 rounded-full" style={{ backgroundColor: name.color }} />
        ),
        isSelected: false,
        onPick: () => keys.pick(name),
      }))}
      create={undefined}
      active={active}
      isPending={false}
      total={total}
      error={undefined}
      requestId={undefined}
    />
  );
}
