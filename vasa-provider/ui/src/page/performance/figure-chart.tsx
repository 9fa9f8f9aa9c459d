import { ExpandableSection, Title } from '@patternfly/react-core';
import { useState } from 'react';
import { Chart } from '../../kit/chart';
import type { ChartData } from '../../kit/chart-drawing';
import { useText } from '../../text/preferences';
import { PointTable } from './point-table';

interface Props {
  title: string;
  data: ChartData;
  /** What the chart is of, for those who do not see it. */
  alt: string;
  /** What it is right now, and the name of it for programs; none: nothing is said about now. */
  now?: { name: string; text: string } | undefined;
  zoom?: ((from: number, to: number) => void) | undefined;
}

/** A chart of one figure over time with its title, and the same as a table. */
export function FigureChart({ title, data, alt, now, zoom }: Props) {
  const text = useText();
  const [tabled, setTabled] = useState(false);
  return (
    <section aria-label={title}>
      <Title headingLevel="h3" size="md">
        {title}
      </Title>
      {now !== undefined && (
        <p className="c-large" data-now={now.name}>
          {now.text}
        </p>
      )}
      <Chart data={data} label={`${title}: ${alt}`} zoom={zoom} />
      <ExpandableSection
        toggleText={text.overview.asTable}
        isExpanded={tabled}
        onToggle={(_, open) => setTabled(open)}
      >
        {tabled && <PointTable title={title} data={data} />}
      </ExpandableSection>
    </section>
  );
}
