import {
  Button,
  EmptyState,
  SearchInput,
  Spinner,
  Toolbar,
  ToolbarContent,
  ToolbarGroup,
  ToolbarItem,
} from '@patternfly/react-core';
import SortDown from '@patternfly/react-icons/dist/esm/icons/long-arrow-alt-down-icon';
import SortUp from '@patternfly/react-icons/dist/esm/icons/long-arrow-alt-up-icon';
import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { Rows } from '../api/lists';
import { useText } from '../text/preferences';
import { useNarrow } from './narrow';
import { searched, sorted } from './row-order';
import { RowSlots } from './row-slots';
import { TableRow } from './table-row';
import { useUrlState } from './url-state';

/** A column of a table. */
export interface Column<T> {
  key: string;
  title: string;
  /** What rows are sorted by; none: not sortable. */
  by?: (row: T) => string | number;
  cell: (row: T) => ReactNode;
  /** The least width, in rem. */
  width: number;
  /** Its part of the room that is left; none: it does not grow. */
  grow?: number;
  /** Whether it stays where there is little room. */
  always?: boolean;
  right?: boolean;
}

interface Props<T> {
  label: string;
  list: Rows<T> | undefined;
  columns: readonly Column<T>[];
  idOf: (row: T) => string;
  nameOf: (row: T) => string;
  /** What a search looks in. */
  textOf: (row: T) => string;
  /** The usual order: the key of a column, `-` before it for the largest first. */
  usualSort: string;
  /** Which rows are selected; none: rows cannot be selected. */
  selection?: { ids: ReadonlySet<string>; set: (ids: ReadonlySet<string>) => void };
  /** Opens a row. */
  open?: (row: T) => void;
  /** Beside the search. */
  actions?: ReactNode;
}

const ROW_PIXELS = 40;
const CHECKBOX_REM = 2.5;
const MOST_PRINTED = 500;
const OVERSCAN = 6;

/** A table of any length: only the rows that are seen are in the document. */
export function DataTable<T>(props: Props<T>) {
  const { list, columns, textOf, usualSort, label, idOf } = props;
  const text = useText();
  const narrow = useNarrow();
  const [query, setQuery] = useUrlState('q', '');
  const [sort, setSort] = useUrlState('sort', usualSort);
  const shown = useMemo(() => columns.filter((c) => !narrow || c.always), [columns, narrow]);
  const rows = useMemo(() => {
    const by = columns.find((column) => column.key === sort.replace(/^-/, ''))?.by;
    return sorted(searched(list?.rows ?? [], query, textOf), by, sort.startsWith('-'));
  }, [list, columns, query, sort, textOf]);

  return (
    <>
      <Toolbar inset={{ default: 'insetNone' }}>
        <ToolbarContent>
          <ToolbarItem>
            <SearchInput
              aria-label={text.table.search}
              placeholder={text.table.searchHint}
              resetButtonLabel={text.table.clear}
              value={query}
              onChange={(_, value) => setQuery(value)}
              onClear={() => setQuery('')}
            />
          </ToolbarItem>
          <ToolbarGroup>{props.actions}</ToolbarGroup>
          <ToolbarItem align={{ default: 'alignEnd' }} alignSelf="center">
            <span role="status" className="c-quiet">
              {list === undefined
                ? text.common.loading
                : list.complete
                  ? text.table.rows(rows.length, list.total)
                  : text.table.loadingRows(list.rows.length, list.total)}
            </span>
          </ToolbarItem>
        </ToolbarContent>
      </Toolbar>
      {list === undefined ? (
        <Spinner aria-label={text.common.loading} />
      ) : rows.length === 0 ? (
        <EmptyState
          headingLevel="h2"
          titleText={query === '' ? text.table.empty : text.table.nothingFound}
        />
      ) : (
        <Grid
          {...props}
          key={label}
          columns={shown}
          rows={rows}
          sort={sort}
          setSort={setSort}
          all={() => rows.map(idOf)}
        />
      )}
    </>
  );
}

interface GridProps<T> extends Omit<Props<T>, 'list'> {
  rows: readonly T[];
  sort: string;
  setSort: (sort: string) => void;
  all: () => string[];
}

function Grid<T>(props: GridProps<T>) {
  const { rows, columns, idOf, nameOf, selection, open, label, sort, setSort, all } = props;
  const text = useText();
  const base = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState(0);
  const latest = useRef(selection); // rows are drawn anew seldom, and must not forget the others
  useLayoutEffect(() => {
    latest.current = selection;
  });
  const printing = usePrinting();
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PIXELS,
    overscan: OVERSCAN,
  });
  const template: CSSProperties = {
    gridTemplateColumns: [
      ...(selection ? [`${CHECKBOX_REM}rem`] : []),
      ...columns.map(({ width, grow }) => `minmax(${width}rem, ${grow ?? 0}fr)`),
    ].join(' '),
  };
  const least = columns.reduce((sum, { width }) => sum + width, selection ? CHECKBOX_REM : 0);
  const current = Math.min(active, rows.length - 1);

  function toggle(id: string): void {
    const now = latest.current;
    if (now !== undefined) {
      const ids = new Set(now.ids);
      if (!ids.delete(id)) {
        ids.add(id);
      }
      now.set(ids);
    }
  }

  function move(to: number): void {
    const next = Math.max(0, Math.min(rows.length - 1, to));
    setActive(next);
    virtual.scrollToIndex(next);
  }

  function key(event: KeyboardEvent): void {
    if (event.target !== event.currentTarget) {
      return; // a button in a row has the keyboard
    }
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / ROW_PIXELS) - 2);
    const steps: Record<string, () => void> = {
      ArrowDown: () => move(current + 1),
      ArrowUp: () => move(current - 1),
      PageDown: () => move(current + page),
      PageUp: () => move(current - page),
      Home: () => move(0),
      End: () => move(rows.length - 1),
      ' ': () => toggle(idOf(rows[current]!)),
      Enter: () => open?.(rows[current]!),
    };
    const step = steps[event.key];
    if (step !== undefined) {
      event.preventDefault();
      step();
    }
  }

  const items = printing
    ? rows.slice(0, MOST_PRINTED).map((_, index) => ({ index, start: index * ROW_PIXELS }))
    : virtual.getVirtualItems();
  const [slots] = useState(() => new RowSlots());
  const seen = items.filter(({ index }) => index < rows.length);
  const places = slots.assign(seen.map(({ index }) => idOf(rows[index]!)));
  const height = printing ? Math.min(rows.length, MOST_PRINTED) * ROW_PIXELS : virtual.getTotalSize();
  return (
    <>
      {printing && rows.length > MOST_PRINTED && (
        <p>{text.table.printCut(MOST_PRINTED, rows.length)}</p>
      )}
      <div
        ref={scroller}
        className="c-table"
        role="grid"
        tabIndex={0}
        aria-label={label}
        aria-rowcount={rows.length + 1}
        aria-multiselectable={selection !== undefined}
        aria-activedescendant={`${base}-${current}`}
        onKeyDown={key}
      >
        <div role="rowgroup" className="c-table-head" style={{ minWidth: `${least}rem` }}>
          <div role="row" aria-rowindex={1} className="c-row" style={template}>
            {selection && (
              <div role="columnheader">
                <input
                  type="checkbox"
                  aria-label={text.table.selectAll}
                  checked={rows.length > 0 && rows.every((row) => selection.ids.has(idOf(row)))}
                  onChange={(e) => selection.set(new Set(e.target.checked ? all() : []))}
                />
              </div>
            )}
            {columns.map((column) => (
              <Header key={column.key} column={column} sort={sort} setSort={setSort} />
            ))}
          </div>
        </div>
        <div
          role="rowgroup"
          className="c-table-body"
          style={{ height, minWidth: `${least}rem` }}
          aria-owns={seen.map(({ index }) => `${base}-${index}`).join(' ')}
        >
          {places.map((at, slot) => {
            const item = at === undefined ? undefined : seen[at];
            if (item === undefined) {
              return null;
            }
            const { index, start } = item;
            const row = rows[index]!;
            return (
              <TableRow
                key={slot}
                id={idOf(row)}
                row={row}
                index={index}
                start={start}
                htmlId={`${base}-${index}`}
                active={index === current}
                selected={selection?.ids.has(idOf(row))}
                columns={columns}
                template={template.gridTemplateColumns as string}
                selectLabel={text.table.select(nameOf(row))}
                toggle={() => {
                  setActive(index);
                  toggle(idOf(row));
                }}
                activate={() => setActive(index)}
                open={open && (() => open(row))}
              />
            );
          })}
        </div>
      </div>
    </>
  );
}

function Header<T>(props: { column: Column<T>; sort: string; setSort: (sort: string) => void }) {
  const { column, sort, setSort } = props;
  const text = useText();
  const isUp = sort === column.key;
  const isDown = sort === `-${column.key}`;
  return (
    <div
      role="columnheader"
      className={column.right ? 'c-right' : undefined}
      aria-sort={isUp ? 'ascending' : isDown ? 'descending' : undefined}
    >
      {column.by === undefined ? (
        column.title
      ) : (
        <Button
          variant="plain"
          size="sm"
          isInline
          onClick={() => setSort(isUp ? `-${column.key}` : column.key)}
          icon={isUp ? <SortUp /> : isDown ? <SortDown /> : undefined}
          iconPosition="end"
        >
          {column.title}
          {(isUp || isDown) && (
            <span className="pf-v6-screen-reader">
              {isUp ? text.table.sortedUp : text.table.sortedDown}
            </span>
          )}
        </Button>
      )}
    </div>
  );
}

function usePrinting(): boolean {
  const [printing, setPrinting] = useState(false);
  useEffect(() => {
    const before = () => setPrinting(true);
    const after = () => setPrinting(false);
    window.addEventListener('beforeprint', before);
    window.addEventListener('afterprint', after);
    return () => {
      window.removeEventListener('beforeprint', before);
      window.removeEventListener('afterprint', after);
    };
  }, []);
  return printing;
}
