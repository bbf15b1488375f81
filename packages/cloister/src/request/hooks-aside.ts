import { callHookWithDone } from '../hooks/request-hook.ts'
import type { HookReceiver, RequestHook } from '../hooks/request-hook.ts'
import { isThenable, whenSettled } from '../functions.ts'
import type { ReplyState } from './state.ts'

/** A value that a hook has thrown. */
export interface HookFailure {
  readonly thrown: unknown
}

/** Told when the last hook is done, with what one of them threw if it did, and with the note of who ran them. */
export type HooksSettled<Note> = (reply: ReplyState, failure: HookFailure | null, note: Note) => void

/** Runs the hooks beside the path (`onResponse`, `onTimeout`, `onRequestAbort`): nothing waits for them. */
export function runHooksAside<Note>(
  hooks: readonly RequestHook[],
  reply: ReplyState,
  settled: HooksSettled<Note>,
  note: Note,
): void {
  new AsideRun(hooks, reply, settled, note).hookSettled()
}

class AsideRun<Note> implements HookReceiver {
  private readonly hooks: readonly RequestHook[]
  private readonly reply: ReplyState
  private readonly settled: HooksSettled<Note>
  private readonly note: Note
  private index: number

  constructor(hooks: readonly RequestHook[], reply: ReplyState, settled: HooksSettled<Note>, note: Note) {
    this.hooks = hooks
    this.reply = reply
    this.settled = settled
    this.note = note
    this.index = 0
  }

  /** Calls the hooks that are left, up to one that must be waited for. */
  hookSettled(): void {
    const { hooks, reply } = this
    const { request } = reply
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
        whenSettled(
          result,
          () => this.hookSettled(),
          (thrown) => this.hookFailed(thrown),
        )
        return
      }
    }
    this.settled(this.reply, null, this.note)
  }

  hookFailed(thrown: unknown): void {
    this.settled(this.reply, { thrown }, this.note)
  }
}
