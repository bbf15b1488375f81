/*
 * Where a schema asks for lists in a list and gets scalars, each becomes a list of lists with one item. A body of 1 MiB
 * may have half a million of them, so they are noted as scalars, one after the other, and the lists are made at the end:
 * a value that is refused makes none.
 */

/** A value in a list of one item, which is in a list of one item, and so on. */
export function inLists(value: unknown, levels: number): unknown {
  if (levels === 0) return value
  // One literal makes all lists in one step.
  if (levels === 1) return [value]
  if (levels === 2) return [[value]]
  if (levels === 3) return [[[value]]]
  let list: unknown = [[[value]]]
  for (let level = 3; level < levels; level++) list = [list]
  return list
}

/** A list as the walk sees it. */
type List = Readonly<Record<number, unknown>>

/** Items behind each other in a list that become lists. */
export class ItemRun {
  /** The index behind the last item. */
  end: number
  readonly #list: List
  readonly #start: number
  readonly #levels: number
  /** What is in the innermost lists; undefined as long as these are the items themselves. */
  #values: unknown[] | undefined

  constructor(list: List, start: number, levels: number) {
    this.#list = list
    this.#start = start
    this.#levels = levels
    this.end = start
  }

  add(value: unknown): void {
    if (this.#values !== undefined) this.#values.push(value)
    else if (value !== this.#list[this.end]) this.#values = [...this.#items(), value]
    this.end += 1
  }

  #items(): unknown[] {
    const items: unknown[] = []
    for (let index = this.#start; index < this.end; index++) items.push(this.#list[index])
    return items
  }

  /** Puts the lists into their place. */
  replay(list: Record<number, unknown>): void {
    const levels = this.#levels
    const values = this.#values
    const start = this.#start
    for (let index = start; index < this.end; index++) {
      list[index] = inLists(values === undefined ? list[index] : values[index - start], levels)
    }
  }
}

/** Where edits are noted. */
interface Log {
  push(object: unknown, key: number, value: unknown): unknown
}

/**
 * Notes that an item of a list becomes a list itself.
 * @param run - what the last call for that list has returned
 * @param value - what is in the innermost list
 */
export function noteItem(
  log: Log,
  run: ItemRun | undefined,
  list: List,
  index: number,
  value: unknown,
  levels: number,
): ItemRun {
  let open = run
  if (open === undefined || open.end !== index) {
    open = new ItemRun(list, index, levels)
    log.push(list, index, open)
  }
  open.add(value)
  return open
}
