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

/** What a subject allocated, and did beside responding, for each request of a workload. */
export interface Allocation {
  readonly subject: string
  readonly workload: string
  readonly bytesPerRequest: number
  readonly hooksPerRequest: number
  readonly linesPerRequest: number
  readonly spansPerRequest: number
}

/** Makes one figure of the CPU times of many rounds: their median, or the least of them. */
export type Pick = (values: readonly number[]) => number

/** Prints a table per workload: the picked figure of the rounds and its ratio to the first subject. */
export function printReport(
  samples: readonly Sample[],
  subjects: readonly string[],
  workloads: readonly Workload[],
  pick: Pick,
): void {
  const reference = subjects[0] ?? ''
  for (const workload of workloads) {
    const of = (subject: string, figure: (sample: Sample) => number, choose: Pick = median): number =>
      choose(samples.filter((s) => s.subject === subject && s.workload === workload.name).map(figure))
    const rate = (sample: Sample): number => sample.requestsPerSecond
    const cpu = (sample: Sample): number => sample.cpuMicrosPerRequest
    const spread = (subject: string): string => {
      const all = samples.filter((s) => s.subject === subject && s.workload === workload.name).map(cpu)
      return `${Math.min(...all).toFixed(1)}..${Math.max(...all).toFixed(1)}`
    }
    const rows = subjects.map((subject) => [
      subject,
      of(subject, rate).toFixed(0),
      of(subject, cpu, pick).toFixed(1),
      spread(subject),
      formatRatio(of(subject, rate) / of(reference, rate)),
      formatRatio(of(subject, cpu, pick) / of(reference, cpu, pick)),
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

/**
 * Prints what each subject allocates for a request.
 *
 * @throws when two subjects have run another number of hooks, or written another number of lines
 */
export function printAllocation(
  allocations: readonly Allocation[],
  subjects: readonly string[],
  workloads: readonly Workload[],
): void {
  const rows = workloads.map(({ name }) => {
    const all = subjects.map((subject) => find(allocations, subject, name))
    // The floor does nothing beside responding.
    const done = all.filter((one) => one !== undefined).filter(({ subject }) => subject !== 'net')
    const work = new Set(done.map((one) => workOf(one)))
    if (work.size !== 1) throw new Error(`${name}: the subjects did other work: ${[...work].join(' / ')}`)
    return [name, ...all.map((one) => (one?.bytesPerRequest ?? Number.NaN).toFixed(0)), ...work]
  })
  console.log('\nBytes allocated on the heap per request, and what was done beside the response')
  console.log(formatTable(['workload', ...subjects, 'beside'], rows))
}

const workOf = ({ hooksPerRequest, linesPerRequest, spansPerRequest }: Allocation): string =>
  `${hooksPerRequest} hooks, ${linesPerRequest} lines, ${spansPerRequest} spans`

/** Prints the ratios of the first subject to each other one: CPU and allocation per request. */
export function printSummary(
  samples: readonly Sample[],
  allocations: readonly Allocation[],
  subjects: readonly string[],
  workloads: readonly Workload[],
  pick: Pick,
): void {
  const [first = '', ...others] = subjects
  const cpu = (subject: string, workload: string): number =>
    pick(
      samples
        .filter((s) => s.subject === subject && s.workload === workload)
        .map((s) => s.cpuMicrosPerRequest),
    )
  const bytes = (subject: string, workload: string): number =>
    find(allocations, subject, workload)?.bytesPerRequest ?? Number.NaN
  const rows = workloads.map(({ name }) => [
    name,
    ...others.flatMap((other) => [
      formatRatio(cpu(first, name) / cpu(other, name)),
      formatRatio(bytes(first, name) / bytes(other, name)),
    ]),
  ])
  console.log(`\n${first} to each other server: below 1.00x it spends less`)
  console.log(
    formatTable(['workload', ...others.flatMap((other) => [`CPU / ${other}`, `bytes / ${other}`])], rows),
  )
}

function find(allocations: readonly Allocation[], subject: string, workload: string): Allocation | undefined {
  return allocations.find((one) => one.subject === subject && one.workload === workload)
}
