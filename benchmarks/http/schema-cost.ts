import { median } from '../support/statistics.ts'
import { formatRatio, formatTable } from '../support/table.ts'
import { lists } from './lists.ts'
import type { Sample } from './report.ts'

/** Prints what the response schema of a list costs each server; the floor, which has no schemas, is left out. */
export function printSchemaCost(samples: readonly Sample[], subjects: readonly string[]): void {
  const rows = lists.flatMap((list) =>
    subjects
      .filter((subject) => subject !== 'node-http')
      .map((subject) => {
        const [plain, checked] = ['no schema', 'response schema'].map((kind) =>
          median(
            samples
              .filter((s) => s.subject === subject && s.workload === `${list.name}, ${kind}`)
              .map((s) => s.cpuMicrosPerRequest),
          ),
        )
        return { list: list.name, subject, plain: plain ?? Number.NaN, checked: checked ?? Number.NaN }
      }),
  )
  console.log('\nWhat the response schema costs: CPU µs per request')
  console.log(
    formatTable(
      ['list', 'no schema', 'response schema', 'schema/no schema'],
      rows.map(({ list, subject, plain, checked }) => [
        `${list}, ${subject}`,
        plain.toFixed(1),
        checked.toFixed(1),
        formatRatio(checked / plain),
      ]),
    ),
  )
}
