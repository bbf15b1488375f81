import type { Elsewhere, Part, ReadModule } from './parts.ts'

/** How far exports of exports are followed. */
const FAR = 20

/** The modules of a bundle that are ours, and what their names lead to. */
export class ModuleGraph {
  readonly modules: ReadonlyMap<string, ReadModule>
  readonly #resolve: (file: string, source: string) => string | null
  readonly #declarations: Map<string, Part> = new Map()
  readonly #members: Map<string, Part[]> = new Map()

  /** @param resolve - returns the file that a module imports */
  constructor(
    modules: ReadonlyMap<string, ReadModule>,
    resolve: (file: string, source: string) => string | null,
  ) {
    this.modules = modules
    this.#resolve = resolve
    for (const part of this.parts()) {
      if (part.kind === 'declaration') this.#declarations.set(`${part.file} ${part.name}`, part)
      if (part.kind !== 'member') continue
      const others = this.#members.get(part.name)
      if (others === undefined) this.#members.set(part.name, [part])
      else others.push(part)
    }
  }

  *parts(): Generator<Part> {
    for (const { parts } of this.modules.values()) yield* parts
  }

  /** All members with a name, of any object: which one is meant only types would say. */
  members(name: string): readonly Part[] {
    return this.#members.get(name) ?? []
  }

  /** What a name stands for in a part: a function around it, a declaration of its module, or of another one. */
  find(from: Part, name: string): Part | null {
    for (let around: Part | null = from; around !== null; around = around.parent) {
      const own = around.closures.find((closure) => closure.name === name)
      if (own !== undefined) return own
    }
    return this.#declared(from.file, name, 0)
  }

  /** What a module exports under a name. */
  exported(file: string | null, name: string): Part | null {
    return this.#exported(file, name, 0)
  }

  #declared(file: string, name: string, depth: number): Part | null {
    const imported = this.modules.get(file)?.imports.get(name)
    return imported === undefined
      ? (this.#declarations.get(`${file} ${name}`) ?? null)
      : this.#elsewhere(file, imported, depth)
  }

  #elsewhere(file: string, { source, name }: Elsewhere, depth: number): Part | null {
    return this.#exported(this.#resolve(file, source), name, depth + 1)
  }

  #exported(file: string | null, name: string, depth: number): Part | null {
    const module = file === null ? undefined : this.modules.get(file)
    if (file === null || module === undefined || depth > FAR) return null
    const found = module.exported.get(name)
    if (typeof found === 'string') return this.#declared(file, found, depth + 1)
    if (found !== undefined) return this.#elsewhere(file, found, depth)
    for (const source of module.stars) {
      const other = this.#exported(this.#resolve(file, source), name, depth + 1)
      if (other !== null) return other
    }
    return null
  }
}
