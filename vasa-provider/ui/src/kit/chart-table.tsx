import { ExpandableSection } from '@patternfly/react-core';
import { useState } from 'react';
import { useText } from '../text/preferences';
import type { ChartData } from './chart-drawing';

/** The figures of a chart as a table, for those who cannot see it. It is filled when it is opened. */
export function ChartTable({ data, label }: { data: ChartData; label: string }) {
  const text = useText();
  const [open, setOpen] = useState(false);
  return (
    <ExpandableSection
      toggleText={text.overview.asTable}
      isExpanded={open}
      onToggle={(_, opened) => setOpen(opened)}
    >
      {open && (
        <div className="c-scroll" role="region" aria-label={label} tabIndex={0}>
          <table className="c-figures">
            <thead>
              <tr>
                <th scope="col">{text.overview.time}</th>
                {data.lines.map(({ name }) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {(data.lines[0]?.points ?? []).map(([at], i) => (
                <tr key={at}>
                  <th scope="row">{data.clock(at)}</th>
                  {data.lines.map(({ name, points }) => {
                    const value = points[i]?.[1] ?? null;
                    return <td key={name}>{value === null ? '–' : data.shown(value)}</td>;
                  })}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </ExpandableSection>
  );
}
