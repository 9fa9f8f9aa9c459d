import { LineChart } from 'echarts/charts';
import {
  GridComponent,
  LegendComponent,
  MarkLineComponent,
  TooltipComponent,
} from 'echarts/components';
import * as echarts from 'echarts/core';
import { CanvasRenderer } from 'echarts/renderers';
import { isDark } from '../text/preferences';

echarts.use([
  LineChart,
  GridComponent,
  LegendComponent,
  MarkLineComponent,
  TooltipComponent,
  CanvasRenderer,
]);

const LONGEST_NAME = 28;

/** A time in milliseconds and the value then; null where nothing is known. */
export type ChartPoint = readonly [number, number | null];

/** A line with its name. No other line of the chart has the same. */
export interface ChartLine {
  name: string;
  points: readonly ChartPoint[];
}

/** A moment at which something happened. */
export interface ChartMark {
  at: number;
  label: string;
}

export interface ChartData {
  lines: readonly ChartLine[];
  /** Whether the lines are parts of a sum, and lie upon each other. All have points at the same times then. */
  stacked?: boolean;
  /** Within the span. */
  marks?: readonly ChartMark[];
  /** What the chart reaches over, in milliseconds; none: what its points do. */
  span?: { from: number; to: number } | undefined;
  /** The text of a value, with its unit. */
  shown: (value: number) => string;
  clock: (at: number) => string;
}

/** A chart in an element. */
export class Drawing {
  private readonly element: HTMLElement;
  private chart: echarts.ECharts;
  private data: ChartData | undefined;

  constructor(element: HTMLElement) {
    this.element = element;
    this.chart = this.begin();
  }

  private begin(): echarts.ECharts {
    return echarts.init(this.element, isDark() ? 'dark' : undefined);
  }

  show(data: ChartData): void {
    this.data = data;
    this.chart.setOption(
      {
        animation: false,
        backgroundColor: 'transparent',
        grid: { left: 8, right: 8, top: 32, bottom: 8, containLabel: true },
        legend: { type: 'scroll', top: 0, formatter: cut, tooltip: { show: true } },
        // As text on the canvas: the page's policy forbids styles within HTML.
        tooltip: {
          trigger: 'axis',
          renderMode: 'richText',
          valueFormatter: (value: unknown) => (typeof value === 'number' ? data.shown(value) : '–'),
        },
        xAxis: {
          type: 'time',
          min: data.span?.from ?? null,
          max: data.span?.to ?? null,
          axisLabel: { formatter: (at: number) => data.clock(at), hideOverlap: true },
        },
        yAxis: { type: 'value', min: 0, axisLabel: { formatter: data.shown } },
        series: data.lines.map((line, i) => seriesOf(line, data, i === 0)),
      },
      { replaceMerge: ['series'] }, // lines that are not there any more go
    );
  }

  /** The time at so many pixels from the left edge, in milliseconds. */
  timeAt(pixels: number): number {
    return this.chart.convertFromPixel({ xAxisIndex: 0 }, pixels);
  }

  /** Draws it anew as the page looks now. */
  restyle(): void {
    this.chart.dispose();
    this.chart = this.begin();
    if (this.data !== undefined) {
      this.show(this.data);
    }
  }

  resize(): void {
    this.chart.resize();
  }

  end(): void {
    this.chart.dispose();
  }
}

function seriesOf({ name, points }: ChartLine, data: ChartData, withMarks: boolean) {
  return {
    name,
    type: 'line',
    showSymbol: false,
    data: points,
    ...(data.stacked === true ? { stack: 'sum', areaStyle: {} } : {}),
    ...(withMarks ? { markLine: marksOf(data.marks ?? []) } : {}),
  };
}

function marksOf(marks: readonly ChartMark[]) {
  return {
    silent: true,
    symbol: 'none',
    animation: false,
    label: { formatter: '{b}', position: 'insideEndTop' },
    data: marks.map(({ at, label }) => ({ name: label, xAxis: at })),
  };
}

function cut(name: string): string {
  return name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME - 1)}…` : name;
}
