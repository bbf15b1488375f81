import type { Finding, Change, Comparison, Failure, SentRequest } from '@cloister/cli/internal'
import type { TypeFault } from './observe.ts'
import { rowOf, rowOfStart } from './rows.ts'
import type { Row } from './rows.ts'
import type { WebPlan } from './web/plan.ts'
import { PLAN_TITLE, planCall, planItems } from './web/print.ts'

/** The result of proving a move. */
export interface Proof {
  readonly from: string
  readonly to: string
  /**
   * The number of passed tests, and of all tests; `null` if the project has none, or the runner does not print names.
   */
  readonly tests: { readonly before: Count; readonly after: Count } | null
  readonly codes: readonly [number | null, number | null]
  /** Tests that passed twice on the old framework, and fail twice on the new one. */
  readonly lost: readonly string[]
  /** Tests whose results change without a change of framework. */
  readonly flaky: readonly string[]
  /** New compiler errors; `null` without TypeScript. */
  readonly types: {
    readonly before: number
    readonly after: number
    readonly added: readonly TypeFault[]
  } | null
  readonly recorded: Comparison
  readonly drawn: Comparison
  readonly failures: readonly Failure[]
  /** Code that a row of the guide affects. */
  readonly code: readonly Finding[]
  readonly unseen: readonly string[]
}

interface Count {
  readonly passed: number
  readonly all: number
}

interface Group {
  readonly row: Row | null
  readonly route: string
  readonly callSite: string
  readonly request: SentRequest
  readonly changes: readonly Change[]
  readonly count: number
}

/** Groups the differences with the same row and call site. */
export function groupsOf({ recorded, drawn }: Pick<Proof, 'recorded' | 'drawn'>): Group[] {
  const groups = new Map<string, Group>()
  for (const difference of [...drawn.differences, ...recorded.differences]) {
    const { exchange, changes } = difference
    const route = exchange.route ?? `${exchange.request.method} ${exchange.request.url}`
    // The same code serves HEAD and GET, and a response to HEAD shows less.
    const isSeen = [...groups.values()].some((one) => one.callSite === exchange.callSite)
    if (exchange.request.method === 'HEAD' && isSeen) continue
    const row = rowOf(difference)
    const what = row?.row ?? changes.map((change) => change.what).join()
    const key = `${route} ${exchange.callSite} ${what}`
    const count = (groups.get(key)?.count ?? 0) + 1
    const { request, callSite } = exchange
    const first = groups.get(key) ?? { row, route, callSite, request, changes, count }
    groups.set(key, { ...first, count })
  }
  return [...groups.values()]
}

/** Whether a user must look at a group: all but those for which the guide requires no change. */
export function asksForALook({ row }: Group): boolean {
  return row === null || row.todo !== null
}

/** Whether anything shows that the behaviour is equal: a test that has passed, or an equal response. */
export function hasEvidence({ tests, codes, recorded, drawn }: Proof): boolean {
  const passed = tests === null ? codes[0] === 0 : tests.before.passed > 0
  return passed || recorded.equal + drawn.equal > 0
}

/** Whether something was compared, and no difference needs a look. */
export function isProven(proof: Proof): boolean {
  return (
    hasEvidence(proof) &&
    proof.codes[1] === (proof.tests === null ? proof.codes[0] : proof.codes[1]) &&
    proof.lost.length === 0 &&
    (proof.types?.added.length ?? 0) === 0 &&
    proof.failures.length === 0 &&
    !groupsOf(proof).some(asksForALook)
  )
}

export function printReport(proof: Proof, plan: WebPlan): string {
  const groups = groupsOf(proof)
  const [open, known] = [groups.filter(asksForALook), groups.filter((group) => !asksForALook(group))]
  const doubt = hasEvidence(proof)
    ? ''
    : 'Nothing shows that the app behaves the same: no test passed on Fastify, and no response was compared.\n'
  return [
    `# From Fastify ${proof.from} to Cloister, ${proof.to}\n`,
    `${summaryOf(proof)
      .map((line) => `- ${line}`)
      .join('\n')}\n`,
    doubt,
    section('Apps that do not start', proof.failures.map(printFailure)),
    section('Responses that differ', open.map(printGroup)),
    section('Responses that differ, and need no change', known.map(printGroup)),
    section(
      'Tests that fail now',
      proof.lost.map((name) => `- ${name}`),
    ),
    section(
      'Types that are refused now',
      (proof.types?.added ?? []).map(({ callSite, message }) => `- \`${callSite}\` ${message}`),
    ),
    section(
      'Code that a row of the guide affects',
      proof.code.map(({ callSite, message }) => `- \`${callSite ?? ''}\` ${message}`),
    ),
    section(PLAN_TITLE, [...planItems(plan), ...callLines(planCall(plan))]),
    section(
      'Not compared',
      proof.unseen.map((line) => `- ${line}`),
    ),
    'Rows are those of the [migration guide](https://github.com/cloisterjs/cloister/blob/main/docs/migrating.md).\n',
  ]
    .filter((text) => text !== '')
    .join('\n')
}

/** Returns the report in a few lines. */
export function summaryOf({ tests, codes, lost, flaky, types, recorded, drawn }: Proof): string[] {
  const run =
    tests === null
      ? `tests: ${codes[0] === null ? 'none' : `exit code ${codes[0]} before, ${codes[1]} after; ${reasonOf(codes[0])}`}`
      : `tests: ${tests.before.passed} of ${tests.before.all} pass before, ${tests.after.passed} of ${tests.after.all} after; ${lost.length} fail now, ${flaky.length} also differ between two runs on Fastify`
  const responses = ({ equal, differences, unsteady, unmatched }: Comparison): string =>
    `${equal} are equal, ${differences.length} differ, ${unsteady} also differ between two runs on Fastify, ${unmatched} came in only one run`
  return [
    run,
    types === null
      ? 'types: not checked, because the project has no TypeScript'
      : `types: ${types.before} errors before, ${types.after} after; ${types.added.length} are new`,
    `responses to the requests of the tests: ${responses(recorded)}`,
    `responses to generated requests: ${responses(drawn)}`,
  ]
}

/** The exit code of a shell that does not find a command (POSIX, 2.8.2). */
const NOT_FOUND = 127

const reasonOf = (code: number): string =>
  code === NOT_FOUND
    ? 'the command or one that it runs is not installed; --test names another'
    : 'the runner prints no names'

const callLines = (call: string | null): string[] => (call === null ? [] : ['', '```js', call, '```'])

function section(title: string, items: readonly string[]): string {
  return items.length === 0 ? '' : `## ${title}\n\n${items.join('\n')}\n`
}

function printFailure(failure: Failure): string {
  const row = rowOfStart(failure)
  const where = failure.callSite === '' ? '' : ` at \`${failure.callSite}\``
  return `- ${failure.code}${where}: ${failure.message.replaceAll('\n', ' ')}${row === null ? '' : ` ${nameOf(row)}: ${row.todo ?? ''}.`}`
}

/** Headers whose values are not written to a report. */
const CREDENTIALS = /auth|cookie|key|token|secret/i

function printGroup({ row, route, callSite, request, changes, count }: Group): string {
  const what =
    row === null
      ? 'no row of the guide: please report it'
      : `${nameOf(row)}${row.todo === null ? '' : `: ${row.todo}`}`
  const lines = changes
    .slice(0, 5)
    .map(({ what: where, before, after }) => `  - ${where}: \`${before}\` → \`${after}\``)
  const headers = Object.entries(request.headers).map(
    ([name, value]) => ` -H '${name}: ${CREDENTIALS.test(name) ? '…' : value}'`,
  )
  const body = request.body === null ? '' : ` --data-raw '${request.body.slice(0, 200)}'`
  const more = count === 1 ? '' : ` (${count} requests)`
  return `- **${route}**${callSite === '' ? '' : ` at \`${callSite}\``}${more}: ${what}\n  - \`curl -X ${request.method} '${request.url}'${headers.join('')}${body}\`\n${lines.join('\n')}`
}

function nameOf({ row }: Row): string {
  return typeof row === 'number' ? `row ${row}` : `"${row}"`
}
