// Plays a case and judges what ran.
import type { App } from '../harness/app-shape.ts'
import { factory } from '../harness/subject.ts'
import { turnsUntil } from './clients.ts'
import type { Lane } from './clients.ts'
import { createStage, defineApp } from './define-app.ts'
import type { Fault, Stage, Story } from './define-app.ts'
import { handlesPart, isCut, PATH } from './draw.ts'
import type { Case } from './draw.ts'

/** A case that takes so long hangs, also on a busy machine. */
const HANG_MS = 30_000

/** Plays a case over a transport. @returns what is wrong */
export async function playCase(lane: Lane, given: Case, fault?: Fault): Promise<readonly string[]> {
  const deadline = given.leaves === 'stops in body' ? { requestTimeout: 1000 } : {}
  const app = factory({ ...lane.options, ...deadline, logger: false, forceCloseConnections: true })
  const stage = createStage()
  defineApp(app, given, stage, fault)
  let timer: NodeJS.Timeout | undefined
  const hangs = new Promise<readonly string[]>((resolve) => {
    timer = setTimeout(() => resolve(['the client hangs']), HANG_MS)
  })
  const faults = await Promise.race([lane.play(app, given, stage), hangs])
  clearTimeout(timer)
  const judge = (): string[] => {
    const found = [...stage.stories.values()].flatMap((story) => judgeStory(given, story))
    const expected = given.leaves === 'in head' ? 0 : given.requests
    return stage.stories.size === expected ? found : [...found, `${stage.stories.size} requests ran`]
  }
  await turnsUntil(() => judge().length === 0)
  const open = await connectionsOf(app)
  const found = [...faults, ...judge(), ...(open > 0 ? [`${open} connections are open`] : [])]
  releaseAll(stage)
  await app.close()
  return found
}

function releaseAll({ left, arrived }: Stage): void {
  left.open()
  arrived.open()
}

async function connectionsOf(app: App): Promise<number> {
  let open = 0
  const ask = (): void => void app.server.getConnections((_error, count) => (open = count ?? 0))
  await turnsUntil(() => {
    ask()
    return open === 0
  })
  return open
}

function judgeStory(given: Case, story: Story): string[] {
  const found: string[] = []
  const { ran } = story
  const of = (start: string): string[] => ran.filter((one) => one.startsWith(start))
  const count = (name: string): number => ran.filter((one) => one === name).length
  if (story.taken !== story.given) found.push(`taken ${story.taken}, given ${story.given}`)
  if (story.sources !== 0) found.push(`${story.sources} sources are open`)
  if (given.plugin === 'session' && isSessionLost(given, story)) found.push('the session was not saved')
  if (story.guards !== 0) found.push(`${story.guards} guards are held`)
  const isPart = isCut(given.leaves)
  const hooks = expectedHooks(given)
  if (!isPart && of('hook').join() !== hooks.join()) found.push(`path: ${of('hook').join()}`)
  if (isPart && !hooks.join().startsWith(of('hook').join())) found.push(`path: ${of('hook').join()}`)
  const handled = count('handler')
  if (!isPart && handled !== (given.refusal === -1 ? 1 : 0)) found.push(`the handler ran ${handled} times`)
  if (isPart && !handlesPart(given.handler) && handled > 0) found.push('the handler ran without a whole body')
  if (!isOnSendRight(given, of('onSend'))) found.push(`onSend: ${of('onSend').join()}`)
  const aborts = count('onRequestAbort')
  const hasLeft = given.leaves !== 'stays'
  const mayAbort = given.leaves === 'half-closes' || given.leaves === 'stops in body'
  const isRight = mayAbort ? aborts <= 1 : aborts === (hasLeft ? 1 : 0)
  if (!isRight) found.push(`onRequestAbort ran ${aborts} times`)
  const responses = count('onResponse')
  if (responses + aborts !== 1) found.push(`onResponse ran ${responses} times, onRequestAbort ${aborts}`)
  return found
}

/** The session is changed in the last `preHandler`, and saved before the response is sent. */
function isSessionLost({ handler, leaves, refusal }: Case, { saved }: Story): boolean {
  return handler !== 'hijacks' && !isCut(leaves) && refusal === -1 && saved === 0
}

function expectedHooks({ hooks, refusal }: Case): string[] {
  const order = [...hooks.keys()].sort((a, b) => stageOf(hooks[a]) - stageOf(hooks[b]) || a - b)
  const ran = refusal === -1 ? order : order.slice(0, order.indexOf(refusal) + 1)
  return ran.map((index) => `hook ${index}`)
}

function stageOf(hook: Case['hooks'][number] | undefined): number {
  return PATH.findIndex((at) => at === hook?.at)
}

/** A payload that fails gets a second round, for the response to its error. */
function isOnSendRight({ sends, handler, leaves, refusal }: Case, ran: readonly string[]): boolean {
  const round = sends.map((_, index) => `onSend ${index}`)
  if (handler === 'hijacks' && refusal === -1) return ran.length === 0
  const isTwice = handlesPart(handler) && isCut(leaves) && ran.length === 2 * round.length
  return ran.join() === (isTwice ? [...round, ...round] : round).join()
}
