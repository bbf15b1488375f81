/**
 * A server process: `node server.js <subject>`. It starts one subject and answers questions about itself
 * over the IPC channel; it ends when the channel closes.
 */
import { startCpuProfile } from '../support/cpu-profile.ts'
import type { Answer, Question } from './messages.ts'
import { isSubjectName, loadSubject, subjectNames } from './subject.ts'

const name = process.argv[2] ?? ''
if (!isSubjectName(name)) throw new Error(`No subject "${name}"; known: ${subjectNames.join(', ')}`)
const subject = await loadSubject(name)
const port = await subject.start()

let stopProfile: Awaited<ReturnType<typeof startCpuProfile>> | undefined

process.on('message', (question: Question) => {
  void answer(question).then(tell)
})
process.on('disconnect', () => process.exit(0))
tell({ tell: 'listening', port })

async function answer(question: Question): Promise<Answer> {
  switch (question.ask) {
    case 'cpu': {
      const usage = process.cpuUsage()
      return { tell: 'cpu', micros: usage.user + usage.system }
    }
    case 'startProfile':
      stopProfile = await startCpuProfile()
      return { tell: 'profiling' }
    case 'stopProfile': {
      if (stopProfile === undefined) throw new Error('No profile was started; ask startProfile first')
      return { tell: 'profile', profile: await stopProfile() }
    }
  }
}

function tell(message: Answer): void {
  process.send?.(message)
}
