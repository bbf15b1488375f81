// What `explain` says of hooks is what requests run: random trees of contexts, each route requested once.
import fc from 'fast-check'
import { cloister, definePlugin } from 'cloister'
import type { HookDescription } from 'cloister/types'
import { describe, expect, it } from 'vitest'
import { PATH_HOOKS } from '../harness/path-hooks.ts'
import { isPeer } from '../harness/subject.ts'

const STAGES = [...PATH_HOOKS, 'onResponse'] as const
type Stage = (typeof STAGES)[number]

type Action =
  | { readonly kind: 'hook'; readonly stage: Stage }
  | { readonly kind: 'route'; readonly own: readonly Stage[]; readonly fails: boolean }
  | { readonly kind: 'child'; readonly wrapped: boolean; readonly actions: readonly Action[] }

const stage = fc.constantFrom(...STAGES)
const { action } = fc.letrec<{ action: Action }>((tie) => ({
  action: fc.oneof(
    { depthSize: 'small', maxDepth: 3, withCrossShrink: true },
    fc.record({ kind: fc.constant('hook' as const), stage }),
    fc.record({
      kind: fc.constant('route' as const),
      own: fc.array(stage, { maxLength: 3 }),
      fails: fc.boolean(),
    }),
    fc.record({
      kind: fc.constant('child' as const),
      wrapped: fc.boolean(),
      actions: fc.array(tie('action'), { maxLength: 5 }),
    }),
  ),
}))

/** Stages whose hooks get the payload and return it. */
const TAKES_PAYLOAD: ReadonlySet<Stage> = new Set(['preParsing', 'preSerialization', 'onSend'])

/** A hook that notes its name when it runs. */
type TracingHook = (request: unknown, reply: unknown, payload?: unknown) => Promise<unknown>

/** An app made of actions, and what its requests run. */
class TracedApp {
  readonly app = cloister()
  readonly ran: string[] = []
  readonly routes: string[] = []
  /** name of a hook -> path of the plugin that added it */
  readonly pluginOf = new Map<string, string>()
  #count = 0

  constructor(actions: readonly Action[]) {
    this.#perform(this.app, actions, 'root')
  }

  #perform(app: Instance, actions: readonly Action[], plugin: string): void {
    for (const one of actions) {
      if (one.kind === 'hook') app.addHook(one.stage, this.#hook(one.stage, plugin))
      else if (one.kind === 'route') this.#route(app, one.own, one.fails, plugin)
      else this.#child(app, one, plugin)
    }
  }

  #hook(name: Stage, plugin: string): TracingHook {
    const label = `${name}${++this.#count}`
    this.pluginOf.set(label, plugin)
    const note = (): number => this.ran.push(label)
    const hook = TAKES_PAYLOAD.has(name)
      ? async (_request: unknown, _reply: unknown, payload: unknown): Promise<unknown> => note() && payload
      : async (_request: unknown, _reply: unknown): Promise<unknown> => void note()
    return Object.defineProperty(hook, 'name', { value: label })
  }

  #route(app: Instance, own: readonly Stage[], fails: boolean, plugin: string): void {
    const url = `/r${++this.#count}`
    const hooks: Partial<Record<Stage, TracingHook[]>> = {}
    for (const name of own) (hooks[name] ??= []).push(this.#hook(name, plugin))
    app.route({
      method: 'POST',
      url,
      ...hooks,
      handler: async () => {
        if (fails) throw new Error('on purpose')
        return { ok: true }
      },
    })
    this.routes.push(url)
  }

  #child(app: Instance, { wrapped, actions }: Extract<Action, { kind: 'child' }>, plugin: string): void {
    const name = `p${++this.#count}`
    const fill = async (child: Instance): Promise<void> =>
      this.#perform(child, actions, `${plugin} > ${name}`)
    app.register(definePlugin({ name, encapsulate: !wrapped, plugin: fill }))
  }
}

type Instance = Pick<ReturnType<typeof cloister>, 'addHook' | 'route' | 'register'>

function explainedHooks({ app }: TracedApp, url: string): readonly HookDescription[] {
  const explanation = app.explain('POST', url)
  if (explanation.kind !== 'route') throw new Error(`no route ${url}`)
  return explanation.hooks
}

/** The names by stage, in order: an error changes when a stage runs, not what runs in it. */
function byStage(names: readonly string[]): Record<string, string[]> {
  const groups: Record<string, string[]> = {}
  for (const name of names) (groups[name.replace(/\d+$/, '')] ??= []).push(name)
  return groups
}

async function checkTree(actions: readonly Action[]): Promise<number> {
  const traced = new TracedApp(actions)
  await traced.app.ready()
  for (const url of traced.routes) {
    traced.ran.length = 0
    const { statusCode } = await traced.app.inject({ method: 'POST', url, payload: {} })
    const hooks = explainedHooks(traced, url)
    const names = hooks.map(({ fn }) => fn)
    if (statusCode === 200) expect(traced.ran).toEqual(names)
    else expect(byStage(names)).toMatchObject(byStage(traced.ran))
    for (const { fn, plugin } of hooks) expect(plugin).toBe(traced.pluginOf.get(fn))
  }
  await traced.app.close()
  return traced.routes.length
}

describe.skipIf(isPeer)('the hooks that explain lists', () => {
  it('are those that a request runs, in order, each with its plugin, in 500 random trees', async () => {
    let routes = 0
    const check = async (actions: readonly Action[]): Promise<void> => {
      routes += await checkTree(actions)
    }
    await fc.assert(fc.asyncProperty(fc.array(action, { minLength: 1, maxLength: 6 }), check), {
      numRuns: 500,
    })
    expect(routes).toBeGreaterThan(500)
  })
})
