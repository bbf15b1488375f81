import { callHookWithDone } from '../context/request-hook.ts'
import type { HookReceiver, RequestHook } from '../context/request-hook.ts'
import { isThenable } from '../functions.ts'
import type { ReplyImpl } from './reply.ts'
import type { RequestImpl } from './request.ts'

/** What a hook has thrown, which may be anything. */
export interface HookFailure {
  readonly thrown: unknown
}

/** Told when the last hook is done, with what one of them threw if it did. */
export type HooksSettled = (failure: HookFailure | null) => void

/** Runs the hooks beside the path (`onResponse`, `onTimeout`, `onRequestAbort`): nobody waits for them. */
export function runHooksAside(
  hooks: readonly RequestHook[],
  request: RequestImpl,
  reply: ReplyImpl,
  settled: HooksSettled,
): void {
  new AsideRun(hooks, request, reply, settled).hookSettled()
}

class AsideRun implements HookReceiver {
  private readonly hooks: readonly RequestHook[]
  private readonly request: RequestImpl
  private readonly reply: ReplyImpl
  private readonly settled: HooksSettled
  private index: number

  constructor(hooks: readonly RequestHook[], request: RequestImpl, reply: ReplyImpl, settled: HooksSettled) {
    this.hooks = hooks
    this.request = request
    this.reply = reply
    this.settled = settled
    this.index = 0
  }

  /** Calls the hooks that are left, up to one that must be waited for. */
  hookSettled(): void {
    const { hooks, request, reply } = this
    while (this.index < hooks.length) {
      const hook = hooks[this.index++]
      if (hook === undefined) break
      if (hook.takesDone) {
        callHookWithDone(hook, request, reply, undefined, this)
        return
      }
      let result: unknown
      try {
        result = hook.args === 1 ? hook.call(request) : hook.call(request, reply)
      } catch (thrown) {
        this.hookFailed(thrown)
        return
      }
      if (isThenable(result)) {
        result.then(
          () => this.hookSettled(),
          (thrown: unknown) => this.hookFailed(thrown),
        )
        return
      }
    }
    this.settled(null)
  }

  hookFailed(thrown: unknown): void {
    this.settled({ thrown })
  }
}
