import { median } from '../support/statistics.ts'
import { formatRatio, formatTable } from '../support/table.ts'
import type { Workload } from './workload.ts'

/** One measurement: a subject under one workload in one round. */
export interface Sample {
  readonly subject: string
  readonly workload: string
  readonly requestsPerSecond: number
  readonly cpuMicrosPerRequest: number
}

/** Prints a table per workload: medians over the rounds and their ratios to the first subject. */
export function printReport(
  samples: readonly Sample[],
  subjects: readonly string[],
  workloads: readonly Workload[],
): void {
  const reference = subjects[0] ?? ''
  for (const workload of workloads) {
    const of = (subject: string, figure: (sample: Sample) => number): number =>
      median(samples.filter((s) => s.subject === subject && s.workload === workload.name).map(figure))
    const rate = (sample: Sample): number => sample.requestsPerSecond
    const cpu = (sample: Sample): number => sample.cpuMicrosPerRequest
    const spread = (subject: string): string => {
      const all = samples.filter((s) => s.subject === subject && s.workload === workload.name).map(cpu)
      return `${Math.min(...all).toFixed(1)}..${Math.max(...all).toFixed(1)}`
    }
    const rows = subjects.map((subject) => [
      subject,
      of(subject, rate).toFixed(0),
      of(subject, cpu).toFixed(1),
      spread(subject),
      formatRatio(of(subject, rate) / of(reference, rate)),
      formatRatio(of(subject, cpu) / of(reference, cpu)),
    ])
    console.log(`\n${workload.name} (${workload.method} ${workload.path})`)
    console.log(
      formatTable(
        [
          'server',
          'requests/s',
          'CPU µs/request',
          'least..most',
          `requests/s to ${reference}`,
          `CPU to ${reference}`,
        ],
        rows,
      ),
    )
  }
}
