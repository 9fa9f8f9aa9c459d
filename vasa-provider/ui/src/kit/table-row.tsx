import { memo, useLayoutEffect, useRef } from 'react';
import type { Column } from './data-table';

interface RowProps<T> {
  id: string;
  row: T;
  index: number;
  start: number;
  htmlId: string;
  active: boolean;
  selected: boolean | undefined;
  columns: readonly Column<T>[];
  template: string;
  selectLabel: string;
  toggle: () => void;
  activate: () => void;
  open: (() => void) | undefined;
}

/** A row of a table. What it does is the same as long as row and index are, so its functions do not count. */
export const TableRow = memo(PlainRow, (a, b) =>
  (['row', 'index', 'start', 'active', 'selected', 'columns', 'template'] as const).every(
    (name) => a[name] === b[name],
  ),
) as typeof PlainRow;

function PlainRow<T>(props: RowProps<T>) {
  const { id, row, index, start, columns, selected, active } = props;
  const element = useRef<HTMLDivElement>(null);
  const last = useRef(id);
  // Only what is in the active row can be reached by Tab: rows stand in the document in any order.
  useLayoutEffect(() => {
    for (const control of element.current!.querySelectorAll<HTMLElement>('a, button')) {
      control.tabIndex = active ? 0 : -1;
    }
  });
  useLayoutEffect(() => {
    if (last.current !== id) {
      last.current = id;
      leave(element.current!);
    }
  }, [id]);
  useLayoutEffect(() => {
    const place = element.current!;
    return () => leave(place);
  }, []);
  return (
    <div
      ref={element}
      role="row"
      id={props.htmlId}
      aria-rowindex={index + 2}
      aria-selected={selected}
      className={active ? 'c-row c-active' : 'c-row'}
      style={{ gridTemplateColumns: props.template, transform: `translateY(${start}px)` }}
      onClick={props.activate}
      onDoubleClick={props.open}
    >
      {selected !== undefined && (
        <div role="gridcell">
          <input
            type="checkbox"
            tabIndex={-1}
            aria-label={props.selectLabel}
            checked={selected}
            onChange={props.toggle}
          />
        </div>
      )}
      {columns.map((column) => (
        <div key={column.key} role="gridcell" className={column.right ? 'c-right' : undefined}>
          {column.cell(row)}
        </div>
      ))}
    </div>
  );
}

/** Gives the keyboard back to the table if something in a place has it that shows another row now, or none. */
function leave(place: HTMLElement): void {
  if (place.contains(document.activeElement)) {
    place.closest<HTMLElement>('[role=grid]')?.focus({ preventScroll: true });
  }
}
