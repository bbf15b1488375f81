/**
 * A server process: `node server.js <subject> <kind of application>`. It starts one subject and reports about itself
 * over the IPC channel; it ends when the channel closes.
 */
import { countAllocation } from '../support/allocation.ts'
import { startCpuProfile } from '../support/cpu-profile.ts'
import { appKinds, isAppKind } from './app-kinds.ts'
import type { Allocated, Sendable, Question } from './messages.ts'
import { isSubjectName, loadSubject, subjectNames } from './subject.ts'
import type { Tally } from './tally.ts'

const name = process.argv[2] ?? ''
if (!isSubjectName(name)) throw new Error(`No subject "${name}"; known: ${subjectNames.join(', ')}`)
const kind = process.argv[3] ?? 'bare'
if (!isAppKind(kind)) throw new Error(`No kind of application "${kind}"; known: ${appKinds.join(', ')}`)
const subject = await loadSubject(name)
const tally: Tally = { hooks: 0, lines: 0, spans: 0 }
const port = await subject.start(kind, tally)

let stopAllocation: (() => Allocated) | undefined
let stopProfile: Awaited<ReturnType<typeof startCpuProfile>> | undefined

process.on('message', (question: Question) => {
  void response(question).then(tell)
})
process.on('disconnect', () => process.exit(0))
tell({ tell: 'listening', port })

async function response(question: Question): Promise<Sendable> {
  switch (question.ask) {
    case 'cpu': {
      const usage = process.cpuUsage()
      return { tell: 'cpu', micros: usage.user + usage.system }
    }
    case 'startAllocation':
      stopAllocation = startAllocation()
      return { tell: 'counting' }
    case 'stopAllocation':
      if (stopAllocation === undefined) throw new Error('Nothing is counted; ask startAllocation first')
      return { tell: 'allocated', ...stopAllocation() }
    case 'startProfile':
      stopProfile = await startCpuProfile()
      return { tell: 'profiling' }
    case 'stopProfile': {
      if (stopProfile === undefined) throw new Error('No profile was started; ask startProfile first')
      return { tell: 'profile', profile: await stopProfile() }
    }
  }
}

/** Counts what is allocated, and what is done beside responding, from now on. */
function startAllocation(): () => Allocated {
  const before = { ...tally }
  const count = countAllocation()
  return () => ({
    bytes: count(),
    hooks: tally.hooks - before.hooks,
    lines: tally.lines - before.lines,
    spans: tally.spans - before.spans,
  })
}

function tell(message: Sendable): void {
  process.send?.(message)
}
