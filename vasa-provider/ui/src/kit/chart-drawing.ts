import { LineChart } from 'echarts/charts';
import { GridComponent, LegendComponent, TooltipComponent } from 'echarts/components';
import * as echarts from 'echarts/core';
import { CanvasRenderer } from 'echarts/renderers';
import { isDark } from '../text/preferences';

echarts.use([LineChart, GridComponent, LegendComponent, TooltipComponent, CanvasRenderer]);

/** A time in milliseconds and the value then; null where nothing is known. */
export type ChartPoint = readonly [number, number | null];

export interface ChartData {
  lines: readonly { name: string; points: readonly ChartPoint[] }[];
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
    this.chart.setOption({
      animation: false,
      backgroundColor: 'transparent',
      grid: { left: 8, right: 8, top: 32, bottom: 8, containLabel: true },
      legend: { top: 0 },
      // As text on the canvas: the page's policy forbids styles within HTML.
      tooltip: {
        trigger: 'axis',
        renderMode: 'richText',
        valueFormatter: (value: unknown) => (typeof value === 'number' ? data.shown(value) : '–'),
      },
      xAxis: { type: 'time', axisLabel: { formatter: (at: number) => data.clock(at), hideOverlap: true } },
      yAxis: { type: 'value', min: 0, axisLabel: { formatter: data.shown } },
      series: data.lines.map(({ name, points }) => ({
        name,
        type: 'line',
        showSymbol: false,
        data: points,
      })),
    });
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
