import type { State } from '../types.ts'
import { recordOf, recordText, type IdempotencyRecord } from './record.ts'

/** What a claim needs. */
export interface ClaimContext {
  readonly state: State
  readonly key: string
  readonly hash: string
  /** names the claim */
  readonly owner: string
  readonly holdMs: number
  readonly ttlMs: number
  readonly warn: (error: unknown, message: string) => void
}

/** What becomes of a try to claim a key: a claim, or the record of another request. */
export type ClaimResult = { readonly claim: Claim } | { readonly record: IdempotencyRecord | null }

/** How often a key that vanishes between two operations is tried again. */
const MAX_TRIES = 3

/**
 * Claims a key for a request, or returns the record that it has. A record that this version can't read is `null`.
 *
 * @throws StateError if the state fails
 */
export async function claimKey(context: ClaimContext): Promise<ClaimResult> {
  const { state, key, hash, owner, holdMs } = context
  const running = recordText({ hash, owner, outcome: null })
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const sentAt = performance.now()
    const version = await state.put(key, running, { ttlMs: holdMs, if: 'absent' })
    const isLate = performance.now() - sentAt > holdMs / 2
    if (version !== null && !isLate) return { claim: new Claim(context, version) }
    // A process that stood still meanwhile: another one may have the key by now.
    if (version !== null) await state.delete(key, version)
    const entry = await state.get(key)
    if (entry !== null) return { record: recordOf(entry.value) }
  }
  return { record: { hash, owner, outcome: null } }
}

/** How long a store that failed rests before the next try, in milliseconds. */
const RETRY_MS = 1000

/**
 * Removes what a failed claim may have written, since its request was refused: a store that was slow may write it later.
 * Tries until the store responds, each time after twice the wait, or the record expires.
 */
export async function giveBack({ state, key, owner, holdMs }: ClaimContext): Promise<void> {
  for (let waitMs = Math.min(RETRY_MS, holdMs / 2); waitMs < holdMs; waitMs *= 2) {
    await new Promise<void>((resolve) => {
      setTimeout(resolve, waitMs).unref()
    })
    try {
      const entry = await state.get(key)
      if (entry !== null && recordOf(entry.value)?.owner === owner) await state.delete(key, entry.version)
      return
    } catch {
      // The failure of the claim was logged.
    }
  }
}

/**
 * The claim of a running request to its key. It is prolonged until the request is done, so a process that dies frees the
 * key after `holdMs`. A claim that lost its key to another writes nothing more.
 */
export class Claim {
  readonly #context: ClaimContext
  readonly #begin: number = performance.now()
  #timer: NodeJS.Timeout | undefined
  /** `null` for a key that has expired */
  #version: string | null
  #outcome: IdempotencyRecord['outcome'] = null
  #isFailing = false
  #isOver = false
  #work: Promise<void> = Promise.resolve()

  constructor(context: ClaimContext, version: string) {
    this.#context = context
    this.#version = version
    this.#writeIn(context.holdMs / 2)
  }

  /** Stores what the request came to. If the state fails, tries again until it succeeds or the key is lost. */
  finish(outcome: Exclude<IdempotencyRecord['outcome'], null>): Promise<void> {
    this.#outcome = outcome
    return this.#enqueue(() => this.#write())
  }

  /** Removes the record, so that the request can be sent again. If the state fails, it expires. */
  release(): Promise<void> {
    this.abandon()
    return this.#enqueue(async () => {
      if (this.#version !== null) await this.#context.state.delete(this.#context.key, this.#version)
    })
  }

  /** Prolongs the claim no more: its outcome is not known. */
  abandon(): void {
    this.#isOver = true
    clearTimeout(this.#timer)
  }

  /** Another request may have had the key, and its response may have expired. */
  get #isOld(): boolean {
    return performance.now() - this.#begin > this.#context.ttlMs
  }

  #writeIn(ms: number): void {
    clearTimeout(this.#timer)
    if (this.#isOver) return
    this.#timer = setTimeout(() => void this.#enqueue(() => this.#write()), ms)
    this.#timer.unref()
  }

  #enqueue(run: () => Promise<void>): Promise<void> {
    this.#work = this.#work.then(run).catch((error: unknown) => {
      if (!this.#isFailing) this.#context.warn(error, 'the state of an idempotent request failed')
      this.#isFailing = true
      this.#writeIn(Math.min(RETRY_MS, this.#context.holdMs / 2))
    })
    return this.#work
  }

  async #write(): Promise<void> {
    const { hash, owner, holdMs, ttlMs } = this.#context
    const outcome = this.#outcome
    if (this.#isOld) this.abandon()
    const isWritten = await this.#put(recordText({ hash, owner, outcome }), outcome === null ? holdMs : ttlMs)
    this.#isFailing = false
    if (isWritten && outcome === null) {
      this.#writeIn(holdMs / 2)
      return
    }
    this.abandon()
    if (!isWritten) this.#context.warn(null, 'an idempotent request lost its key before it was done')
  }

  /** Writes the record, unless another request has the key. */
  async #put(value: string, ttlMs: number): Promise<boolean> {
    const { state, key, owner } = this.#context
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const condition = this.#version === null ? 'absent' : { version: this.#version }
      const version = await state.put(key, value, { ttlMs, if: condition })
      if (version !== null) {
        this.#version = version
        return true
      }
      // The key has expired, or a write that seemed to fail has given the record another version.
      const entry = await state.get(key)
      const isTaken = entry === null ? this.#isOld : recordOf(entry.value)?.owner !== owner
      if (isTaken) return false
      this.#version = entry?.version ?? null
    }
    return false
  }
}
