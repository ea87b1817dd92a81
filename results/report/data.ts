// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The form of the report's data, as results/report/data.cpp writes it.
export interface Bounded {
  value: number | null;
  lower: number | null;
  upper: number | null;
}

export interface GemmPoint extends Partial<Bounded> {
  back_end: string;
  series: string;
  layer: string;
  tp: number;
  tflops: number | null;
}

export interface MatmulPoint extends Bounded {
  back_end: string;
  kernel: string; // dtype
  series: string;
  size: number;
  of_peak: number | null; // percent
}

export interface MatmulData {
  points: MatmulPoint[];
  same: string;
  size: string; // "m = n = k": what was swept
}

export interface FootprintPoint extends Bounded {
  back_end: string;
  kernel: string;
  series: string;
  bytes: number;
  ceiling?: number | null; // GB/s
}

export interface FabricPoint extends FootprintPoint {
  link_class: string; // clean, congested, unknown, lossy, faulty
  p99?: number | null; // us
}

export interface PipelinePoint extends Bounded {
  back_end: string;
  series: string;
  kernel: string;
  cap: string; // GB/s of each direction, or "unlimited"
  compute_only: number | null; // ms
  predicted: number | null; // ms
}

export interface InterferencePoint extends Bounded {
  back_end: string;
  series: string;
  victim: string;
  aggressor: string;
  spinning: number | null; // slowdown beside as many idle spinning threads
  of?: string; // "32 blocks": how many the aggressor has
}

export interface SlowdownPoint extends InterferencePoint {
  word: string; // "blocks", "threads"
  count: number;
  control: boolean; // nobody beside the victim
  predicted: number | null; // slowdown
}

export interface MatrixCell extends Bounded {
  row: string;
  column: string;
  remark: string;
}

export interface Matrices {
  matrices: { title: string; cells: MatrixCell[] }[];
  same: string; // axes that do not vary
}

export interface TimeHistogram {
  label: string;
  n: number;
  edges_s: number[]; // one more than counts
  counts: number[];
  median_s: number | null;
  p99_s: number | null;
}

export interface SampleSet extends Partial<Bounded> {
  case: string;
  point: string;
  label: string;
  drifting: boolean;
  stop: string;
  n: number;
  samples_s: (number | null)[];
}

export interface Chart<Point> {
  points: Point[];
  same: string; // axes that do not vary
}

export interface Win {
  series: string;
  kernel: string;
  bytes: number;
  decided: boolean; // the runner-up's interval lies above the winner's
}

export interface Reign {
  series: string;
  kernel: string;
  first: number; // bytes
  last: number;
}

export interface Regret extends Bounded {
  series: string;
  kernel: string; // the library
  bytes: number;
}

export interface CrossoverData extends Chart<FootprintPoint> {
  wins: Win[];
  reigns: Reign[];
  regrets: Regret[];
}

export interface Flow {
  from: number; // ranks
  to: number;
  value: number | null; // GB/s among the others
  alone: number | null; // GB/s, run again by itself
  of_median: number | null; // percent
  suspect: boolean;
}

export interface FlowMap {
  series: string;
  median: number | null; // GB/s
  link_class: string;
  ranks: { rank: number; name: string }[];
  flows: Flow[];
}

export interface Spread {
  level: string; // gpu, host
  metric: string;
  units: number;
  sd: number | null; // robust, percent
  percent: (number | null)[]; // worst, 1, 25, 50, 75, 99 %, best
}

export interface SpreadData {
  spreads: Spread[];
  worst: { unit: string; metric: string; percent: number | null }[];
}

export interface TimelineSpan {
  lane: string; // rounds, or a module
  label: string;
  how: string; // ended, cut, or why there is no answer
  from_s: number;
  to_s: number;
}

export interface TimelineMark {
  lane: string; // checks, findings
  label: string;
  status: string;
  at_s: number;
  text: string;
}

export interface TimelineCurve {
  kind: string;
  unit: string;
  points: [number, number][]; // seconds, value
}

export interface TimelineData {
  spans: TimelineSpan[];
  marks: TimelineMark[];
  curves: TimelineCurve[];
}

export interface CacheLevel {
  back_end: string;
  name: string;
  bytes: number;
}

export interface ReportData {
  run_id: string;
  origin: string;
  gemm: Chart<GemmPoint>;
  matmul: MatmulData;
  bandwidth: Chart<FootprintPoint>;
  latency: Chart<FootprintPoint>;
  cache_levels: CacheLevel[];
  copies: Chart<FootprintPoint>;
  copy_matrices: Matrices;
  peer_matrices: Matrices;
  rdma_bandwidth: Chart<FabricPoint>;
  rdma_latency: Chart<FabricPoint>;
  rdma_times: TimeHistogram[];
  rdma_pairs: FlowMap[];
  spread: SpreadData; // of a fleet's page, which has none of a run's charts
  timeline: TimelineData; // of a burn-in's
  crossover: CrossoverData;
  pipeline: Chart<PipelinePoint>;
  interference: Chart<InterferencePoint>;
  slowdown: Chart<SlowdownPoint>;
  samples: SampleSet[];
}

/** The distinct values, in order of first appearance. */
export function distinct<Item>(items: Item[]): Item[] {
  return [...new Set(items)];
}

/** 65536 to "64 KiB". */
export function bytesText(bytes: number): string {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let unit = 0;
  while (bytes >= 1024 && unit + 1 < units.length) {
    bytes /= 1024;
    ++unit;
  }
  return `${Number(bytes.toPrecision(4))} ${units[unit]}`;
}

export function numberText(value: number): string {
  return String(Number(value.toPrecision(4)));
}
